internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalScreen

/// The columns of the inbox: the issue, its title, the reason and the time of the last event.
struct InboxDrawing {
  private static let gap = 2

  let look: Look
  let now: Date
  private let nameWidth: Int
  private let titleWidth: Int
  private let reasonWidth: Int
  private let timeWidth: Int

  init(width: Int, look: Look, now: Date) {
    self.look = look
    self.now = now
    nameWidth = width * 3 / 10
    reasonWidth = width >= 70 ? 16 : 0
    timeWidth = width >= 46 ? 5 : 0
    let others = [nameWidth, reasonWidth, timeWidth].filter { $0 > 0 }
    titleWidth = max(0, width - others.reduce(0) { $0 + $1 + Self.gap })
  }

  func drawTitles(on canvas: inout Canvas, column: Int, row: Int) {
    draw(
      ["issue", "title", "reason", "time"].map { StyledLine($0, style: look[.columnTitle]) },
      on: &canvas, column: column, row: row)
  }

  func draw(
    _ notification: GitHub.Notification, on canvas: inout Canvas, column: Int, row: Int
  ) {
    draw(
      [
        StyledLine(
          IssueColumns.short(notification.name, within: nameWidth), within: nameWidth,
          style: look[.muted]),
        StyledLine(
          notification.title, within: titleWidth,
          style: look[notification.isUnread ? .text : .muted]),
        StyledLine(notification.reasonWords, within: reasonWidth, style: look[.muted]),
        StyledLine(age(of: notification), style: look[.muted]),
      ], on: &canvas, column: column, row: row)
  }

  private func draw(_ cells: [StyledLine], on canvas: inout Canvas, column: Int, row: Int) {
    var place = column
    for (cell, width) in zip(cells, [nameWidth, titleWidth, reasonWidth, timeWidth])
    where width > 0 {
      canvas.drawCell(cell, column: &place, row: row, width: width)
    }
  }

  private func age(of notification: GitHub.Notification) -> String {
    notification.updatedAt.map { RelativeTime.short($0, relativeTo: now) } ?? ""
  }

  /// A row in words. The first piece is the title.
  func words(_ notification: GitHub.Notification, within width: Int) -> [StyledLine] {
    let age = notification.updatedAt.map { RelativeTime.describe($0, relativeTo: now) } ?? ""
    let state = notification.isUnread ? "" : "read"
    return [notification.title, state, notification.name, notification.reasonWords, age]
      .filter { !$0.isEmpty }.map { StyledLine($0, within: width) }
  }
}
