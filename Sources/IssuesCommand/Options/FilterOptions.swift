public import ArgumentParser
public import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Which issues are wanted, and in which order.
struct FilterOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "The state: open, closed or all.")
  var state = IssueFilter.State.open

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Only issues with this label; repeat it for several.", valueName: "name"))
  var label: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Only issues assigned to this user; '*' for anybody, 'none' for nobody.", valueName: "login"))
  var assignee: Assignee?

  @Option(
    name: [.customShort("A"), .long],
    help: ArgumentHelp("Only issues that this user opened.", valueName: "login"))
  var author: Username?

  @Option(help: ArgumentHelp("Only issues that mention this user.", valueName: "login"))
  var mention: Username?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Only issues of the milestone with this number; '*' for any, 'none' for none.",
      valueName: "number"))
  var milestone: MilestoneChoice?

  @Option(
    help: ArgumentHelp(
      "Only issues updated since: 2026-01-31, or 2026-01-31T12:00:00Z.", valueName: "time"))
  var since: TimeArgument?

  @Option(help: "The order: created, updated or comments.")
  var sort = IssueFilter.Sort.created

  @Option(help: "The direction of the order: asc or desc.")
  var order = IssueFilter.Direction.descending

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
      state: state, labels: label, assignee: assignee, creator: author, mentioned: mention,
      milestone: milestone, since: since?.date, sort: sort, direction: order)
  }
}

extension IssueFilter.State: ExpressibleByArgument {}
extension IssueFilter.Sort: ExpressibleByArgument {}
extension IssueFilter.Direction: ExpressibleByArgument {}

extension Assignee: ExpressibleByArgument {
  /// Reads what `--assignee` takes.
  public init?(argument: String) { self.init(argument) }
}

extension MilestoneChoice: ExpressibleByArgument {
  /// Reads what `--milestone` takes.
  public init?(argument: String) { self.init(argument) }
}

extension Username: ExpressibleByArgument {
  /// Reads a login.
  public init?(argument: String) { self.init(argument) }
}

/// A point in time on the command line.
struct TimeArgument: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    let text = argument.contains("T") ? argument : "\(argument)T00:00:00Z"
    guard let date = Timestamp.date(from: text) else { return nil }
    self.date = date
  }
}
