internal import ArgumentParser
public import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Which issues are wanted, and in which order.
struct FilterOptions: ParsableArguments {
  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: "Which state they are in. (default: open)")
  var state: IssueFilter.State?

  @Option(
    name: [.customShort("l", allowingJoined: true), .long],
    help: ArgumentHelp("Only issues with this label; repeat it for several.", valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var label: [String] = []

  @Option(
    name: [.customShort("a", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Only issues assigned to this user; '*' for anybody, 'none' for nobody.", valueName: "login"),
    completion: .custom(MirrorCompletion.assignees),
    transform: ValueReader.assignee)
  var assignee: Assignee?

  @Option(
    name: [.customShort("A", allowingJoined: true), .long],
    help: ArgumentHelp("Only issues that this user opened.", valueName: "login"),
    completion: .custom(MirrorCompletion.authors),
    transform: ValueReader.username)
  var author: Username?

  @Option(
    help: ArgumentHelp("Only issues that mention this user.", valueName: "login"),
    completion: .custom(MirrorCompletion.authors),
    transform: ValueReader.username)
  var mention: Username?

  @Option(
    name: [.customShort("m", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Only issues of the milestone with this number; '*' for any, 'none' for none.",
      valueName: "number"),
    transform: ValueReader.milestone)
  var milestone: MilestoneChoice?

  @Option(
    help: ArgumentHelp(
      "Only issues updated since: 2026-01-31, or 2026-01-31T12:00:00Z.", valueName: "time"),
    transform: ValueReader.time)
  var since: TimeArgument?

  @Option(help: "What they are ordered by. (default: created)")
  var sort: IssueFilter.Sort?

  @Option(help: "The direction of the order. (default: desc)")
  var order: IssueFilter.Direction?

  @Flag(help: "List pull requests too.")
  var includePullRequests = false

  func validate() throws {
    for name in label {
      guard !name.isEmpty else { throw ValidationError("A label's name can't be empty.") }
      // The API separates labels by commas and has no escape.
      guard !name.contains(",") else {
        throw ValidationError("For several labels repeat the option: --label a --label b.")
      }
    }
  }

  /// The filter that the options describe.
  var filter: IssueFilter {
    IssueFilter(
      state: state ?? .open, labels: label, assignee: assignee, creator: author,
      mentioned: mention, milestone: milestone, since: since?.date, sort: sort ?? .created,
      direction: order ?? .descending)
  }
}

extension IssueFilter.State: NamedChoice {}
extension IssueFilter.Sort: NamedChoice {}
extension IssueFilter.Direction: NamedChoice {}

/// A point in time on the command line.
struct TimeArgument {
  let date: Date

  init?(_ text: String) {
    guard let date = Timestamp.date(fromDayOrTime: text) else { return nil }
    self.date = date
  }
}
