internal import ArgumentParser

/// How old an answer of the mirror may be.
struct AgeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Let the mirror answer if it was synced within this time, such as 10m, 2h or 1d; else sync what \
      has changed first. What isn't mirrored is asked of the server.
      """, valueName: "duration"),
    transform: ValueReader.age)
  var maxAge: AgeArgument?

  /// How old an answer may be; nil where the mirror isn't asked.
  var maximumAge: Duration? { maxAge?.duration }

  /// Refuses it beside an option that it makes no sense with.
  ///
  /// - Parameters:
  ///   - isMeant: Whether the other option was given.
  ///   - option: The option.
  ///   - reason: Why not both.
  /// - Throws: A usage error.
  func refuse(beside isMeant: Bool, _ option: String, _ reason: String) throws {
    if maxAge != nil, isMeant {
      throw ValidationError("--max-age is about the mirror: leave out \(option), \(reason).")
    }
  }
}
