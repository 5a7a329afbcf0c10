internal import ArgumentParser
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `issues milestone list`, which is also `issues milestone` alone.
struct MilestoneListCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the milestones of a repository.",
    usage: "issues milestone list [<options>] [OWNER/REPO]",
    discussion: """
      On a terminal the list is a table. In a pipe it has a line for each milestone: number, title, state, day \
      it is due, and the numbers of open and closed issues, pull requests included, separated by tabs.

      EXAMPLES:
        issues milestone list
        issues milestone list apple/swift --state all --sort title
        issues milestone list --all --json number,title,due_on
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; by default that of the clone in the current directory.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repository: String?

  @OptionGroup var option: RepositoryOptions

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: "Which milestones. (default: open)")
  var state: MilestoneState?

  @Option(help: "What to sort by. (default: due)")
  var sort: MilestoneOrder?

  @Option(help: "Which way to sort. (default: asc)")
  var order: ListDirection?

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the list in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  static var jsonFields: JSONFields.Known { .sent(Milestone.fieldNames) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard repository == nil, word.contains("/") else { return false }
    repository = word
    return true
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let place = try await session.place(
      of: RepositoryChoice(parsing: repository, option: option.repo),
      apiURL: connection.request.apiURL)
    if web {
      let page = "\(place.server.webURL(of: place.name))/milestones"
      return try await session.openPage(page, of: place.server)
    }
    let list = PropertyList<Milestone>(
      place: place, connection: try await connection.connection(to: place.server, session),
      session: session, noun: "milestone", limit: limit.maximum, fields: fields)
    try await list.show(
      .milestones(repositoryFullName: "\(place.name)", pageSize: 100),
      where: { (state ?? .open).includes($0) }, isAscending: order != .descending,
      by: (sort ?? .due).precedes, as: { MilestoneRow(sent: $0) })
  }
}

/// Which milestones are listed.
enum MilestoneState: String, NamedChoice, Sendable {
  case open
  case closed
  case all

  func includes(_ milestone: Milestone) -> Bool {
    switch self {
    case .all: true
    case .open: milestone.state != .closed
    case .closed: milestone.state == .closed
    }
  }
}

/// What milestones are sorted by.
enum MilestoneOrder: String, NamedChoice, Sendable {
  /// The day; those without one come last.
  case due
  /// The share of closed issues.
  case completeness
  case title
  case number

  func precedes(_ first: Milestone, _ second: Milestone) -> Bool {
    switch self {
    case .due: (first.dueOn ?? .distantFuture) < (second.dueOn ?? .distantFuture)
    case .completeness: first.completeness < second.completeness
    case .title: first.title.lowercased() < second.title.lowercased()
    case .number: (first.number ?? 0) < (second.number ?? 0)
    }
  }
}

extension Milestone {
  /// The share of its issues that are closed, from 0 to 1.
  fileprivate var completeness: Double {
    let closed = closedIssuesCount ?? 0
    let all = closed + (openIssuesCount ?? 0)
    return all > 0 ? Double(closed) / Double(all) : 0
  }

  /// The day it is due: GitHub keeps a time within it.
  fileprivate var dueDay: String {
    dueOn.map { String(Timestamp.string(from: $0).prefix { $0 != "T" }) } ?? ""
  }
}

/// A milestone in a list.
struct MilestoneRow: ListItem {
  let sent: Sent<Milestone>

  private var milestone: Milestone { sent.entity }

  static var columns: [Column] {
    [
      Column(title: "NUMBER", alignment: .trailing, dropOrder: 2),
      Column(title: "TITLE", sizing: .flexible(minimum: 20)),
      Column(title: "STATE", dropOrder: 3),
      Column(title: "DUE", dropOrder: 4),
      Column(title: "OPEN", alignment: .trailing, dropOrder: 1),
      Column(title: "CLOSED", alignment: .trailing, dropOrder: 0),
    ]
  }

  func tableCells(now: Date) -> [StyledLine] { cells }

  func plainCells() -> [StyledLine] { cells }

  private var cells: [StyledLine] {
    let isOpen = milestone.state != .closed
    return [
      StyledLine(
        milestone.number.map(String.init) ?? "", style: isOpen ? .open : .completed),
      StyledLine(milestone.title, style: .heading),
      StyledLine(isOpen ? "open" : "closed"),
      StyledLine(milestone.dueDay),
      StyledLine(milestone.openIssuesCount.map(String.init) ?? ""),
      StyledLine(milestone.closedIssuesCount.map(String.init) ?? ""),
    ]
  }

  func object() -> JSONObject { JSONObject(sent.json) }
}
