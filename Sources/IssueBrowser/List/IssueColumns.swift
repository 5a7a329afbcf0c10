internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The columns of a row: state, number and title, and more in wider windows. Only the number's width depends on the rows, so
/// that nothing moves while the user scrolls. A new column has a width, which `init` reserves, a title, and a cell in
/// `draw`.
struct IssueColumns {
  private static let gap = 2
  /// A glyph and a blank.
  private static let stateWidth = 2

  private let numberWidth: Int
  private let titleWidth: Int
  /// Widths are 0 for a column without room.
  private let labelsWidth: Int
  private let initialsWidth: Int
  private let authorWidth: Int
  private let commentsWidth: Int
  private let ageWidth: Int
  private let hasLongAges: Bool
  private let time: Time
  /// nil if nothing was searched for.
  private let matches: TitleMatches?
  private let look: Look

  /// The time in the last column.
  enum Time: String {
    case created, updated

    init(of sheet: IssueSheet) {
      switch ListOrder(of: sheet.query) {
      case .recentlyUpdated, .leastRecentlyUpdated: self = .updated
      default: self = .created
      }
    }

    func date(of issue: Issue) -> Date? {
      self == .updated ? issue.updatedAt ?? issue.createdAt : issue.createdAt
    }
  }

  static func showsAge(width: Int) -> Bool { width >= 46 }

  init(width: Int, targets: [IssueTarget], time: Time, matches: TitleMatches?, look: Look) {
    self.time = time
    self.matches = matches
    self.look = look
    numberWidth = Self.stateWidth + max(6, targets.map(\.name.utf8.count).max() ?? 0)
    labelsWidth = width >= 64 ? width * 22 / 100 : 0
    initialsWidth = width >= 90 ? 2 : 0
    authorWidth = width >= 126 ? 16 : 0
    commentsWidth = width >= 100 ? 8 : width >= 54 ? 5 : 0
    hasLongAges = width >= 150
    ageWidth = Self.showsAge(width: width) ? (hasLongAges ? 19 : width >= 100 ? 7 : 4) : 0
    let others = [labelsWidth, initialsWidth, authorWidth, commentsWidth, ageWidth]
      .filter { $0 > 0 }
    // The initials stand next to the login.
    let joined = authorWidth > 0 ? 1 : 0
    titleWidth = max(
      0, width - numberWidth - Self.gap - others.reduce(0) { $0 + $1 + Self.gap } + joined)
  }

  // MARK: Titles

  func drawTitles(on canvas: inout Canvas, column: Int, row: Int) {
    var place = column
    func draw(
      _ title: String, _ width: Int, _ alignment: DisplayWidth.Alignment = .leading, gap: Int = 2
    ) {
      canvas.drawCell(
        StyledLine(title, style: look[.columnTitle]), column: &place, row: row, width: width,
        alignment: alignment, gap: gap)
    }
    place += Self.stateWidth
    draw("number", numberWidth - Self.stateWidth)
    draw("title", titleWidth)
    draw("labels", labelsWidth)
    if authorWidth > 0 {
      draw("author", initialsWidth + 1 + authorWidth)
    } else {
      draw("", initialsWidth)
    }
    // Narrower, a letter after the number says what it counts.
    let commentsTitle = commentsWidth < 8 ? "" : "comments"
    draw(commentsTitle, commentsWidth, .trailing)
    guard ageWidth > 0 else { return }
    let end = place + ageWidth
    let title = StyledLine(time.rawValue, style: look[.columnTitle])
    canvas.draw(title, column: end - title.columns, row: row)
  }

  // MARK: Rows

  /// What the list knows of an issue beside the issue.
  struct Standing {
    var pending: PendingNote?
    /// Whether it is new or has changed since the list was shown.
    var isUnread = false
  }

  func draw(
    _ issue: Issue, _ standing: Standing, on canvas: inout Canvas, column: Int, row: Int,
    now: Date
  ) {
    var place = column
    canvas.drawCell(number(of: issue), column: &place, row: row, width: numberWidth)
    canvas.drawCell(title(of: issue, standing), column: &place, row: row, width: titleWidth)
    if labelsWidth > 0 {
      canvas.drawCell(
        look.pills(issue.labels, within: labelsWidth), column: &place, row: row,
        width: labelsWidth)
    }
    if initialsWidth > 0 {
      let login = issue.user?.login ?? ""
      canvas.drawCell(
        StyledLine(runs: [look.initials(of: login)]), column: &place, row: row,
        width: initialsWidth, gap: authorWidth > 0 ? 1 : Self.gap)
      canvas.drawCell(
        StyledLine(login, within: authorWidth, style: look[.muted]), column: &place, row: row,
        width: authorWidth)
    }
    let unit = commentsWidth < 8 ? "c" : ""
    let comments = issue.commentsCount > 0 ? "\(issue.commentsCount.short)\(unit)" : ""
    canvas.drawCell(
      StyledLine(comments, style: look[.muted]), column: &place, row: row, width: commentsWidth,
      alignment: .trailing)
    let age = time.date(of: issue).map { self.age(of: $0, now) } ?? ""
    canvas.drawCell(
      StyledLine(age, style: look[.muted]), column: &place, row: row, width: ageWidth,
      alignment: .trailing)
  }

  private func number(of issue: Issue) -> StyledLine {
    StyledLine(runs: [
      StyledLine.Run(
        look.symbols.state(issue.state, issue.stateReason), style: look.state(of: issue)),
      StyledLine.Run(" "),
      StyledLine.Run(IssueTarget(shownAs: issue.number).name, style: look[.muted]),
    ])
  }

  /// The title, then what isn't sent yet in at most a third of the room.
  private func title(of issue: Issue, _ standing: Standing) -> StyledLine {
    var style = look[.text]
    // A dot alone would be lost on the selected row.
    if standing.isUnread { style.isBold = true }
    guard let note = standing.pending else {
      return title(issue.title, within: titleWidth, style: style)
    }
    var pending = look[.pending]
    if note.needsPerson { pending.isBold = true }
    let mark = StyledLine("[\(note.text)]", style: pending).cut(to: titleWidth / 3)
    let room = titleWidth - mark.columns - 1
    return StyledLine(
      runs: title(issue.title, within: room, style: style).cut(to: room).runs
        + [StyledLine.Run(" ")] + mark.runs)
  }

  /// With the words of the search in their own style.
  private func title(_ text: String, within columns: Int, style: Style) -> StyledLine {
    // Only as much as can be visible, as in `StyledLine.Run.init(_:within:)`.
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
