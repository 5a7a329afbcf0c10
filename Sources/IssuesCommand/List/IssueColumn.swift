internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A column of a list of issues: its header and width, and its cell on a terminal and in a pipe.
///
/// Rows of the mirror have only what `ListedIssueReader` reads, and all of it where ``ListColumn/isListed`` isn't true
/// of a column.
struct IssueColumn: Sendable {
  /// Low numbers are left out of a narrow table first.
  let column: Column
  /// The time is that of a terminal. There is none for programs: nothing is cut, no time is relative.
  let cell: @Sendable (IssueRow, _ now: Date?) -> StyledLine

  init(
    _ title: String, _ sizing: Column.Sizing = .whole,
    alignment: DisplayWidth.Alignment = .leading, dropOrder: Int? = nil,
    cell: @escaping @Sendable (IssueRow, _ now: Date?) -> StyledLine
  ) {
    column = Column(title: title, alignment: alignment, sizing: sizing, dropOrder: dropOrder)
    self.cell = cell
  }

  static let repository = IssueColumn("REPOSITORY", .limited(percent: 25), dropOrder: 7) {
    row, _ in StyledLine(row.repository)
  }
  static let likeness = IssueColumn("LIKE", alignment: .trailing) { row, now in
    now == nil
      ? StyledLine(row.likeness?.decimal ?? "")
      : StyledLine(row.likeness.map { "\($0.hundredths)%" } ?? "", style: .faint)
  }
  static let change = IssueColumn("CHANGE") { row, now in
    row.change.map { $0.cell(at: now) } ?? StyledLine("")
  }
  static let id = IssueColumn("ID") { row, now in
    guard now != nil else { return StyledLine("\(row.issue.number)", style: row.style) }
    let link = row.issue.htmlURL.flatMap { WebLink($0) }
    return StyledLine(runs: [StyledLine.Run(row.target.name, style: row.style, link: link)])
  }
  static let state = IssueColumn("STATE") { row, _ in
    StyledLine(row.issue.stateName, style: row.style)
  }
  static let kind = IssueColumn("KIND") { row, now in
    guard now != nil else { return StyledLine(row.issue.kindName) }
    let name = row.stage.map { $0 == .open ? "PR" : "PR \($0.rawValue)" } ?? "issue"
    return StyledLine(name, style: row.stage?.style ?? .faint)
  }
  static let title = IssueColumn("TITLE", .flexible(minimum: 24)) { row, now in
    now == nil ? StyledLine(row.issue.title) : row.title
  }
  static let pending = IssueColumn("PENDING", .limited(percent: 25)) { row, _ in
    StyledLine(note: row.pending?.note(on: row.target))
  }
}

extension IssueColumn {
  init(_ column: ListColumn) {
    self.init(
      column.rawValue.uppercased(), column.share.map { .limited(percent: $0) } ?? .whole,
      alignment: column.isNumber ? .trailing : .leading, dropOrder: column.dropOrder
    ) { row, now in
      switch column.value {
      case .labels:
        StyledLine(list: row.issue.labels.map { .init($0.name, style: .label($0.color)) })
      case .people(let people): StyledLine(list: people(row.issue).map { .init($0.login) })
      case .person(let person): StyledLine(person(row.issue)?.login ?? "")
      case .text(let text), .figure(let text): StyledLine(text(row.issue) ?? "")
      case .count(let count): StyledLine(count(row.issue) > 0 ? "\(count(row.issue))" : "")
      case .time(let date):
        StyledLine(
          date(row.issue).map { date in
            now.map { RelativeTime.describe(date, relativeTo: $0) } ?? Timestamp.string(from: date)
          } ?? "", style: .faint)
      }
    }
  }
}

extension ListColumn {
  /// Where neither the configuration nor an option says more.
  static let usual = [ListColumn.labels, .updated]
}

/// The columns of a list, and what its JSON has beside the server's.
struct IssueColumns: Sendable {
  /// Where rows name their repository.
  enum Naming: Sendable {
    case never
    /// In a pipe and in JSON: on a terminal the heading names it.
    case forPrograms
    case always
  }

  let table: [IssueColumn]
  let plain: [IssueColumn]
  let naming: Naming
  let hasSnippets: Bool

  init(
    _ columns: [ListColumn] = ListColumn.usual, naming: Naming = .never, showsKind: Bool = false,
    showsPending: Bool = false, showsChange: Bool = false, showsLikeness: Bool = false,
    hasSnippets: Bool = false
  ) {
    self.naming = naming
    self.hasSnippets = hasSnippets
    var shown = columns.map(IssueColumn.init)
    // Before a time in the last column.
    let end = columns.last?.isTime == true ? shown.count - 1 : shown.count
    if showsPending { shown.insert(.pending, at: end) }
    let columnsOfAll: [(IssueColumn, Bool)] = [
      (.likeness, showsLikeness), (.repository, naming == .always), (.change, showsChange),
      (.id, true), (.kind, showsKind), (.title, true),
    ]
    table = columnsOfAll.filter(\.1).map(\.0) + shown
    let columnsOfPrograms: [(IssueColumn, Bool)] = [
      (.repository, naming != .never), (.id, true), (.state, true), (.title, true),
      (IssueColumn(.labels), true), (IssueColumn(.updated), true), (.kind, showsKind),
      (IssueColumn(.assignees), columns.contains(.assignees)), (.change, showsChange),
      (.likeness, showsLikeness),
    ]
    plain = columnsOfPrograms.filter(\.1).map(\.0)
  }
}
