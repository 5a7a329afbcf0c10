internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct MilestoneListCommand: PropertyListCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the milestones of a repository.",
    usage: "issues milestone list [<options>] [OWNER/REPO]",
    discussion: """
      On a terminal, the list is a table. In a pipe, each milestone is a line of tab-separated values: number, \
      title, state, due day, and the numbers of open and closed issues (including pull requests).

      EXAMPLES:
        issues milestone list
        issues milestone list apple/swift --state all --sort title
        issues milestone list --all --json number,title,due_on
      """)

  @OptionGroup var target: PropertyListTarget

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: "Filter by state. (default: open)")
  var state: MilestoneState?

  @Option(help: "The field to sort by. (default: due)")
  var sort: MilestoneOrder?

  @OptionGroup var list: PropertyListOptions

  static var jsonFields: JSONFields.Known { .sent(GitHub.Milestone.fieldNames) }

  static let noun = "milestone"

  static func firstPage(_ repository: RepositoryName) -> GitHub {
    .milestones(repositoryFullName: "\(repository)", pageSize: 100)
  }

  static func row(_ sent: Sent<GitHub.Milestone>) -> MilestoneRow { MilestoneRow(sent: sent) }

  func isWanted(_ milestone: GitHub.Milestone) -> Bool { (state ?? .open).includes(milestone) }

  func precedes(_ first: GitHub.Milestone, _ second: GitHub.Milestone) -> Bool {
    (sort ?? .due).precedes(first, second)
  }
}

enum MilestoneState: String, NamedChoice, Sendable {
  case open
  case closed
  case all

  func includes(_ milestone: GitHub.Milestone) -> Bool {
    switch self {
    case .all: true
    case .open: milestone.state != .closed
    case .closed: milestone.state == .closed
    }
  }
}

enum MilestoneOrder: String, NamedChoice, Sendable {
  /// The order by due date. Milestones without a due date come last.
  case due
  case completeness
  case title
  case number

  func precedes(_ first: GitHub.Milestone, _ second: GitHub.Milestone) -> Bool {
    switch self {
    case .due: (first.dueOn ?? .distantFuture) < (second.dueOn ?? .distantFuture)
    case .completeness: first.completeness < second.completeness
    case .title: first.title.lowercased() < second.title.lowercased()
    case .number: (first.number ?? 0) < (second.number ?? 0)
    }
  }
}

extension GitHub.Milestone {
  /// The share of closed issues, from 0 to 1.
  fileprivate var completeness: Double {
    let closed = closedIssuesCount ?? 0
    let all = closed + (openIssuesCount ?? 0)
    return all > 0 ? Double(closed) / Double(all) : 0
  }

  /// The due date. GitHub stores a time on that day.
  fileprivate var dueDay: String {
    dueOn.map { String(Timestamp.string(from: $0).prefix { $0 != "T" }) } ?? ""
  }
}

struct MilestoneRow: ListItem {
  let sent: Sent<GitHub.Milestone>

  private var milestone: GitHub.Milestone { sent.entity }

  private var isOpen: Bool { milestone.state != .closed }

  static let columns: [ItemColumn<MilestoneRow>] = [
    .init("NUMBER", alignment: .trailing, dropOrder: 2) { row, _ in
      StyledLine(
        row.milestone.number.map(String.init) ?? "", style: row.isOpen ? .open : .completed)
    },
    .init("TITLE", .flexible(minimum: 20)) { row, _ in
      StyledLine(row.milestone.title, style: .heading)
    },
    .init("STATE", dropOrder: 3) { row, _ in StyledLine(row.isOpen ? "open" : "closed") },
    .init("DUE", dropOrder: 4) { row, _ in StyledLine(row.milestone.dueDay) },
    .init("OPEN", alignment: .trailing, dropOrder: 1) { row, _ in
      StyledLine(row.milestone.openIssuesCount.map(String.init) ?? "")
    },
    .init("CLOSED", alignment: .trailing, dropOrder: 0) { row, _ in
      StyledLine(row.milestone.closedIssuesCount.map(String.init) ?? "")
    },
  ]

  func object() -> JSONObject { JSONObject(sent.json) }
}
