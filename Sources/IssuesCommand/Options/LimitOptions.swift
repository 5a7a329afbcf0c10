internal import ArgumentParser

/// How much of a list is wanted.
struct LimitOptions: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long],
    help: ArgumentHelp("How many to show at most.", valueName: "number"))
  var limit = 30

  @Flag(help: "Show all of them, however many pages that takes.")
  var all = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit takes a number from 1.") }
  }

  /// The most items to show; nil for all.
  var maximum: Int? { all ? nil : limit }
}
