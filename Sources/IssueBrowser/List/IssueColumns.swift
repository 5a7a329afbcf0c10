internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalScreen

/// The columns of a row: state and number, title, and as many others as fit.
///
/// Only the number's width depends on the visible rows, so that nothing moves while the user scrolls. If titles would
/// have less than half of the width, columns that are empty in the first rows of the list are dropped, however far the
/// user scrolls. In a row, the title also takes the place of the empty cells after it.
struct IssueColumns {
  private static let gap = 2
  /// The width of a symbol and a space.
  private static let stateWidth = 2
  private static let initialsWidth = 2
  /// The minimum width that the chosen columns leave for the title.
  private static let minimumTitleWidth = 24
  /// The width of an issue number. Numbers with a repository are wider.
  private static let numberWidths = 6...8
  /// The number of rows that decide whether a column is empty.
  fileprivate static let decidingRows = 100

  private struct Cell {
    let column: ListColumn
    let width: Int
  }

  private let nameWidth: Int
  private let titleWidth: Int
  private let cells: [Cell]
  private let hasLongAges: Bool
  /// The matches in titles; nil if nothing was searched for.
  private let matches: TitleMatches?
  private let look: Look
  private let name: (GitHub.Issue) -> String

  /// Chooses the columns. If the user hasn't chosen any, wider windows show more of the default columns. If the window
  /// is too narrow for the chosen columns, the last ones are dropped.
  init(
    longestName longest: Int, first: some Collection<GitHub.Issue>, width: Int,
    chosen: [ListColumn]?, time: ListColumn, matches: TitleMatches? = nil, look: Look,
    name: @escaping (GitHub.Issue) -> String
  ) {
    self.matches = matches
    self.look = look
    self.name = name
    let nameWidth = min(max(Self.numberWidths.lowerBound, longest), width * 2 / 5)
    let room = width - max(0, nameWidth - Self.numberWidths.upperBound)
    var cells = (chosen ?? ListColumn.usual(time)).compactMap { column in
      chosen != nil || room >= column.minimumRoom
        ? Cell(column: column, width: column.width(in: room, isChosen: chosen != nil)) : nil
    }
    func title() -> Int {
      width - Self.stateWidth - nameWidth - Self.gap
        - cells.reduce(0) { $0 + $1.width + Self.gap }
    }
    while title() < width / 2,
      let index = cells.lastIndex(where: { $0.column.isEmpty(in: first) })
    {
      cells.remove(at: index)
    }
    if chosen != nil {
      while !cells.isEmpty, title() < Self.minimumTitleWidth { cells.removeLast() }
    }
    self.nameWidth = nameWidth
    self.cells = cells
    hasLongAges = room >= ListColumn.minimumLongRoom
    titleWidth = max(0, title())
  }

  /// The title of the last column if that column is a time.
  var timeTitle: StyledLine? {
    cells.last.flatMap { $0.column.isTime ? title(of: $0) : nil }
  }

  // MARK: Titles

  func drawTitles(on canvas: inout Canvas, column: Int, row: Int) {
    var place = column + Self.stateWidth
    func draw(_ title: String, _ width: Int) {
      canvas.drawCell(
        StyledLine(title, style: look[.columnTitle]), column: &place, row: row, width: width)
    }
    draw(nameWidth > Self.numberWidths.upperBound ? "issue" : "number", nameWidth)
    draw("title", titleWidth)
    for cell in cells {
      let title = title(of: cell)
      let indent = cell.column.isTrailing ? cell.width - title.columns : 0
      // The title of a short time begins in the gap before the column.
      canvas.draw(title, column: place + indent, row: row)
      place += cell.width + Self.gap
    }
  }

  private func title(of cell: Cell) -> StyledLine {
    let name = cell.column.rawValue
    let isShown =
      switch cell.column.value {
      case .person: cell.width > Self.initialsWidth
      // In a narrower column, a letter after the number shows what it counts.
      case .count: cell.width >= name.count
      default: true
      }
    return StyledLine(isShown ? name : "", style: look[.columnTitle])
  }

  // MARK: Rows

  /// The state of an issue in the list, apart from the issue itself.
  struct Standing {
    var pending: PendingNote?
    /// Whether the issue is new or has changed since the list was shown.
    var isUnread = false
  }

  func draw(
    _ issue: GitHub.Issue, _ standing: Standing, on canvas: inout Canvas, column: Int, row: Int,
    now: Date
  ) {
    var place = column
    canvas.drawCell(
      number(of: issue), column: &place, row: row, width: Self.stateWidth + nameWidth)
    let cells = cells.map { (cell: $0, line: contents(of: $0, issue, now)) }
    let room = cells.prefix { $0.line.columns == 0 }.reduce(titleWidth) {
      $0 + Self.gap + $1.cell.width
    }
    canvas.draw(title(of: issue, standing, within: room), column: place, row: row, width: room)
    place += titleWidth + Self.gap
    for (cell, line) in cells {
      canvas.drawCell(
        line, column: &place, row: row, width: cell.width,
        alignment: cell.column.isTrailing ? .trailing : .leading)
    }
  }

  private func contents(of cell: Cell, _ issue: GitHub.Issue, _ now: Date) -> StyledLine {
    func muted(_ text: String) -> StyledLine {
      StyledLine(text, within: cell.width, style: look[.muted])
    }
    switch cell.column.value {
    case .labels: return look.pills(issue.labels, within: cell.width)
    // Only as many names as can be visible are joined: a server may send any number.
    case .people(let people):
      return muted(people(issue).prefix(cell.width).map(\.login).joined(separator: ", "))
    case .person(let person):
      guard let login = person(issue)?.login else { return StyledLine() }
      let initials = look.initials(of: login)
      guard cell.width > Self.initialsWidth else { return StyledLine(runs: [initials]) }
      let blanks = String(repeating: " ", count: Self.initialsWidth + 1 - initials.columns)
      return StyledLine(runs: [initials, StyledLine.Run(blanks)] + muted(login).runs)
    case .text(let text), .figure(let text): return muted(text(issue) ?? "")
    case .count(let number):
      let unit = cell.width < cell.column.rawValue.count ? cell.column.rawValue.prefix(1) : ""
      let count = number(issue)
      return muted(count > 0 ? "\(count.short)\(unit)" : "")
    case .time(let date): return muted(date(issue).map { age(of: $0, now) } ?? "")
    }
  }

  private func number(of issue: GitHub.Issue) -> StyledLine {
    StyledLine(runs: [
      StyledLine.Run(
        look.symbols.state(issue.state, issue.stateReason), style: look.state(of: issue)),
      StyledLine.Run(" "),
      StyledLine.Run(
        Self.short(name(issue), within: nameWidth), within: nameWidth, style: look[.muted]),
    ])
  }

  /// The name of an issue without the owner, or only with its end, if it is too long.
  static func short(_ name: String, within width: Int) -> String {
    guard name.count > width else { return name }
    let short = name.split(separator: "/").last.map(String.init) ?? name
    return short.count > width ? "…\(short.suffix(max(0, width - 1)))" : short
  }

  /// The title, followed by the pending changes, which take up at most a third of the width and what the title leaves.
  private func title(
    of issue: GitHub.Issue, _ standing: Standing, within room: Int
  ) -> StyledLine {
    var style = look[.text]
    // On the selected row, the dot alone would be easy to miss.
    if standing.isUnread { style.isBold = true }
    let title = title(issue.title, within: room, style: style).cut(to: room)
    guard let note = standing.pending else { return title }
    var pending = look[.pending]
    if note.needsPerson { pending.isBold = true }
    let mark = StyledLine("[\(note.text)]", style: pending)
      .cut(to: max(room / 3, room - title.columns - 1))
    return StyledLine(
      runs: title.cut(to: room - mark.columns - 1).runs + [StyledLine.Run(" ")] + mark.runs)
  }

  /// The title, with the words of the search highlighted.
  private func title(_ text: String, within columns: Int, style: Style) -> StyledLine {
    // Only as much text as can be visible is searched, as in `StyledLine.Run.init(_:within:)`.
    guard let matches, text.utf8.count <= columns * 8 else {
      return StyledLine(text, within: columns, style: style)
    }
    return StyledLine(
      runs: matches.parts(of: text).map { part in
        StyledLine.Run(part.text, style: part.isMatch ? look[.match] : style)
      })
  }

  private func age(of date: Date, _ now: Date) -> String {
    hasLongAges
      ? RelativeTime.describe(date, relativeTo: now) : RelativeTime.short(date, relativeTo: now)
  }
}

extension ListColumn {
  /// The minimum width for times in words.
  fileprivate static let minimumLongRoom = 150

  /// The default columns.
  static func usual(_ time: ListColumn) -> [ListColumn] { [.labels, .author, .comments, time] }

  /// The time that the list is sorted by.
  static func time(of sheet: IssueSheet) -> ListColumn {
    switch ListOrder(of: sheet.query) {
    case .recentlyUpdated, .leastRecentlyUpdated: .updated
    default: .created
    }
  }

  fileprivate var isTrailing: Bool { isTime || isNumber }

  fileprivate func isEmpty(in issues: some Collection<GitHub.Issue>) -> Bool {
    issues.allSatisfy { issue in
      switch value {
      case .labels: issue.labels.isEmpty
      case .people(let people): people(issue).isEmpty
      case .person(let person): person(issue) == nil
      case .text(let text), .figure(let text): text(issue)?.isEmpty ?? true
      case .count(let number): number(issue) == 0
      case .time(let date): date(issue) == nil
      }
    }
  }

  /// The minimum width for a default column.
  fileprivate var minimumRoom: Int {
    switch value {
    case .time: 46
    case .count: 54
    case .labels: 64
    case .people, .person, .text, .figure: 90
    }
  }

  fileprivate func width(in room: Int, isChosen: Bool) -> Int {
    switch value {
    case .labels: max(8, room * 22 / 100)
    case .person: room >= 126 ? 19 : isChosen ? 15 : 2
    case .figure: 10
    case .text where (share ?? 0) < 20: 10
    case .people, .text: room >= 126 ? 20 : 14
    case .count: room >= 100 ? 8 : 5
    case .time: room >= Self.minimumLongRoom ? 19 : room >= 100 || isChosen ? 7 : 4
    }
  }
}

extension BrowserState {
  /// The columns of the list; nil if its rows aren't issues.
  func issueColumns(of visible: Range<Int>) -> IssueColumns? {
    guard let sheet else { return nil }
    return IssueColumns(
      longestName: sheet.reference == nil
        ? sheet.longestName
        : sheet.issues[visible].map { sheet.name(of: $0).utf8.count }.max() ?? 0,
      first: sheet.issues.prefix(IssueColumns.decidingRows), width: layout.rowWidth,
      chosen: columns, time: ListColumn.time(of: sheet),
      matches: (sheet.search?.words).flatMap { TitleMatches($0) }, look: look,
      name: sheet.name)
  }
}
