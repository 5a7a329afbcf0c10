internal import ArgumentParser

struct AgeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Use the mirror if it was synced within this time; otherwise sync changes first. The time is such as 10m, 2h or 1d. Repositories that aren't mirrored come from the server.
      """, valueName: "duration"),
    transform: ValueReader.age)
  var maxAge: AgeArgument?

  var maximumAge: Duration? { maxAge?.duration }

  /// Throws if `--max-age` is combined with an option that excludes the mirror. `reason` is a clause.
  func refuse(beside isMeant: Bool, _ option: String, _ reason: String) throws {
    if maxAge != nil, isMeant {
      throw ValidationError("--max-age applies to the mirror: leave out \(option), \(reason).")
    }
  }
}

/// An age such as `90s`, `10m`, `2h`, `1d` or `1.5h`. A number alone is a number of seconds.
struct AgeArgument: Hashable {
  let duration: Duration

  init?(_ text: String) {
    let units = [("s", 1.0), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800), ("", 1)]
    // Any age above ten years has the same effect.
    guard let duration = Duration(text, units: units, seconds: 0...315_360_000) else { return nil }
    self.duration = duration
  }
}
