internal import ArgumentParser

/// How much of a list is wanted.
struct LimitOptions: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long],
    help: ArgumentHelp("How many to show at most; 30 unless said otherwise.", valueName: "number"),
    transform: ValueReader.limit)
  var limit = 30

  @Flag(help: "Show all of them, however many pages that takes.")
  var all = false

  /// The most items to show; nil for all.
  var maximum: Int? { all ? nil : limit }
}
