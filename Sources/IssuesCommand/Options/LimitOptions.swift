internal import ArgumentParser

/// How much of a list is wanted.
struct LimitOptions: ParsableArguments {
  /// How many are shown at most by default.
  static let standard = 30

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp("How many to show at most. (default: 30)", valueName: "number"),
    transform: ValueReader.limit)
  var limit = LimitOptions.standard

  @Flag(help: "Show all of them, whatever --limit says.")
  var all = false

  /// The most items to show; nil for all.
  var maximum: Int? { all ? nil : limit }
}
