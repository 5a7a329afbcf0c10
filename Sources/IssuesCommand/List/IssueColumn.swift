internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Rows from the mirror have only the fields that `ListedIssueReader` reads, or all fields if ``ListColumn/isListed``
/// is false for a column.
typealias IssueColumn = ItemColumn<IssueRow>

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
      case .time(let date): StyledLine(date(row.issue), now)
      }
    }
  }
}

extension ListColumn {
  /// The columns if neither an option nor the configuration specifies any.
  static let usual = [ListColumn.labels, .updated]
}

/// The columns of a list, and the fields that its JSON has in addition to the server's.
struct IssueColumns: Sendable {
  /// The kind of output in which rows contain the repository.
  enum Naming: Sendable {
    case never
    /// Rows contain the repository in a pipe and in JSON. On a terminal, the heading contains it.
    case forPrograms
    case always
  }

  private static let repository = IssueColumn("REPOSITORY", .limited(percent: 25), dropOrder: 7) {
    row, _ in StyledLine(row.repository)
  }
  private static let likeness = IssueColumn("LIKE", alignment: .trailing) { row, now in
    now == nil
      ? StyledLine(row.likeness?.decimal ?? "")
      : StyledLine(row.likeness.map { "\($0.hundredths)%" } ?? "", style: .faint)
  }
  private static let change = IssueColumn("CHANGE") { row, now in
    row.change.map { $0.cell(at: now) } ?? StyledLine("")
  }
  private static let id = IssueColumn("ID") { row, now in
    guard now != nil else { return StyledLine("\(row.issue.number)", style: row.style) }
    let link = row.issue.htmlURL.flatMap { WebLink($0) }
    return StyledLine(runs: [StyledLine.Run(row.target.name, style: row.style, link: link)])
  }
  private static let state = IssueColumn("STATE") { row, _ in
    StyledLine(row.issue.stateName, style: row.style)
  }
  private static let kind = IssueColumn("KIND") { row, now in
    guard now != nil else { return StyledLine(row.issue.kindName) }
    let name = row.stage.map { $0 == .open ? "PR" : "PR \($0.rawValue)" } ?? "issue"
    return StyledLine(name, style: row.stage?.style ?? .faint)
  }
  private static let title = IssueColumn("TITLE", .flexible(minimum: 24)) { row, now in
    now == nil ? StyledLine(row.issue.title) : row.title
  }
  private static let pending = IssueColumn("PENDING", .limited(percent: 25)) { row, _ in
    StyledLine(note: row.pending?.note(on: row.target))
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
    // The column is placed before a time in the last column.
    let end = columns.last?.isTime == true ? shown.count - 1 : shown.count
    if showsPending { shown.insert(Self.pending, at: end) }
    let columnsOfAll: [(IssueColumn, Bool)] = [
      (Self.likeness, showsLikeness), (Self.repository, naming == .always),
      (Self.change, showsChange), (Self.id, true), (Self.kind, showsKind), (Self.title, true),
    ]
    table = columnsOfAll.filter(\.1).map(\.0) + shown
    let columnsOfPrograms: [(IssueColumn, Bool)] = [
      (Self.repository, naming != .never), (Self.id, true), (Self.state, true), (Self.title, true),
      (IssueColumn(.labels), true), (IssueColumn(.updated), true), (Self.kind, showsKind),
      (IssueColumn(.assignees), columns.contains(.assignees)), (Self.change, showsChange),
      (Self.likeness, showsLikeness),
    ]
    plain = columnsOfPrograms.filter(\.1).map(\.0)
  }
}
