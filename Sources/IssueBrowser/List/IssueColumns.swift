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
/// that nothing moves while the user scrolls. A new column has a width, which `init` reserves, and a cell in `draw`.
struct IssueColumns {
  private static let gap = 2
  /// A glyph and a blank.
  private static let stateWidth = 2

  private let numberWidth: Int
  private let titleWidth: Int
  /// Widths are 0 for a column without room.
  private let labelsWidth: Int
  private let authorWidth: Int
  private let commentsWidth: Int
  private let ageWidth: Int
  private let hasLongAges: Bool
  private let time: Time
  private let look: Look

  /// The time in the last column.
  enum Time: String {
    case created, updated

    init(of sheet: IssueSheet) {
      let isUpdated =
        sheet.search.map { $0.query.sort == .updated } ?? (sheet.filter.sort == .updated)
      self = isUpdated ? .updated : .created
    }

    func date(of issue: Issue) -> Date? {
      self == .updated ? issue.updatedAt ?? issue.createdAt : issue.createdAt
    }
  }

  static func showsAge(width: Int) -> Bool { width >= 46 }

  init(width: Int, targets: [IssueTarget], time: Time, look: Look) {
    self.time = time
    self.look = look
    numberWidth = Self.stateWidth + max(5, targets.map(\.name.utf8.count).max() ?? 0)
    labelsWidth = width >= 64 ? width * 22 / 100 : 0
    authorWidth = width >= 96 ? 16 : 0
    commentsWidth = width >= 54 ? 5 : 0
    hasLongAges = width >= 150
    ageWidth = Self.showsAge(width: width) ? (hasLongAges ? 19 : 4) : 0
    let others = [labelsWidth, authorWidth, commentsWidth, ageWidth].filter { $0 > 0 }
    titleWidth = max(
      0, width - numberWidth - Self.gap - others.reduce(0) { $0 + $1 + Self.gap })
  }

  func draw(
    _ issue: Issue, _ note: PendingNote?, on canvas: inout Canvas, column: Int, row: Int, now: Date
  ) {
    var place = column
    canvas.drawCell(
      StyledLine(
        "\(look.symbols.state(issue.state, issue.stateReason)) \(IssueTarget(shownAs: issue.number).name)",
        style: look.state(issue.state, issue.stateReason)),
      column: &place, row: row, width: numberWidth)
    canvas.drawCell(
      title(of: issue, note), column: &place, row: row, width: titleWidth)
    canvas.drawCell(labels(of: issue), column: &place, row: row, width: labelsWidth)
    canvas.drawCell(
      StyledLine(issue.user?.login ?? "", within: authorWidth), column: &place, row: row,
      width: authorWidth)
    let comments = issue.commentsCount > 0 ? "\(issue.commentsCount.short)c" : ""
    canvas.drawCell(
      StyledLine(comments, style: look[.muted]), column: &place, row: row, width: commentsWidth,
      alignment: .trailing)
    let age = time.date(of: issue).map { self.age(of: $0, now) } ?? ""
    canvas.drawCell(
      StyledLine(age, style: look[.muted]), column: &place, row: row, width: ageWidth,
      alignment: .trailing)
  }

  /// The title, then what isn't sent yet in at most a third of the room.
  private func title(of issue: Issue, _ note: PendingNote?) -> StyledLine {
    guard let note else { return StyledLine(issue.title, within: titleWidth) }
    var style = look[.pending]
    style.isFaint = !note.needsPerson
    let mark = StyledLine("[\(note.text)]", style: style).cut(to: titleWidth / 3)
    let room = titleWidth - mark.columns - 1
    return StyledLine(
      runs: StyledLine(issue.title, within: room).cut(to: room).runs + [StyledLine.Run(" ")]
        + mark.runs)
  }

  /// Only as many as can be visible: a server may send any number.
  private func labels(of issue: Issue) -> StyledLine {
    StyledLine(
      list: issue.labels.prefix(labelsWidth).map {
        look.label($0, within: labelsWidth)
      })
  }

  private func age(of date: Date, _ now: Date) -> String {
    hasLongAges
      ? RelativeTime.describe(date, relativeTo: now) : RelativeTime.short(date, relativeTo: now)
  }
}
