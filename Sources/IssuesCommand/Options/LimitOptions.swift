internal import ArgumentParser

/// How much of a list is wanted.
struct LimitOptions: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long],
    help: ArgumentHelp("How many to show at most. (default: 30)", valueName: "number"),
    transform: ValueReader.limit)
  var limit = 30

  @Flag(help: "Show all of them, whatever --limit says.")
  var all = false

  /// The most items to show; nil for all.
  var maximum: Int? { all ? nil : limit }
}
