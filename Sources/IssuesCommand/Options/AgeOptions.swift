internal import ArgumentParser

/// `--max-age`: how old an answer of the mirror may be.
struct AgeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Let the mirror answer if it was synced within this time, such as 10m, 2h or 1d; else sync changes \
      first. Repositories that aren't mirrored are asked of the server.
      """, valueName: "duration"),
    transform: ValueReader.age)
  var maxAge: AgeArgument?

  /// The greatest age of an answer; nil where the server is asked.
  var maximumAge: Duration? { maxAge?.duration }

  /// Refuses the option beside another that rules it out.
  ///
  /// - Parameters:
  ///   - isMeant: Whether the other option was given.
  ///   - option: The other option.
  ///   - reason: The reason, as a clause.
  /// - Throws: A usage error.
  func refuse(beside isMeant: Bool, _ option: String, _ reason: String) throws {
    if maxAge != nil, isMeant {
      throw ValidationError("--max-age is about the mirror: leave out \(option), \(reason).")
    }
  }
}

/// An age on the command line: `90s`, `10m`, `2h`, `1d`, `1.5h`; a number alone counts seconds.
struct AgeArgument: Hashable {
  let duration: Duration

  init?(_ text: String) {
    let units = [("s", 1.0), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800), ("", 1)]
    // Ten years are as good as any age.
    guard let duration = Duration(text, units: units, seconds: 0...315_360_000) else { return nil }
    self.duration = duration
  }
}
