internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalScreen

/// Draws a row of the start screen: the title of its group, the place, and the known facts about the place.
struct StartDrawing {
  private static let titleWidth = 9
  private static let gap = 2

  let page: StartPage
  let look: Look
  let width: Int
  let now: Date

  func draw(_ index: Int, on canvas: inout Canvas, column: Int, row: Int) {
    let shown = page.rows[index]
    let isFirst = index == 0 || page.rows[index - 1].title != shown.title
    var place = column
    canvas.drawCell(
      StyledLine(isFirst ? shown.title : "", style: look[.muted]), column: &place, row: row,
      width: min(Self.titleWidth, width))
    let room = width - (place - column)
    guard room > 0 else { return }
    let name = name(of: shown)
    canvas.draw(
      StyledLine(
        pieces: [name, note(on: shown)].compactMap(\.self),
        separator: StyledLine.Run("  "), within: room),
      column: place, row: row, width: room)
  }

  /// The pieces of a row in words. The first one contains the group's title.
  func words(_ index: Int) -> [StyledLine] {
    let row = page.rows[index]
    let name = StyledLine(
      runs: [StyledLine.Run("\(row.title): ")] + name(of: row).runs)
    return [name, note(on: row)].compactMap(\.self)
  }

  private func name(of row: StartPage.Row) -> StyledLine {
    switch row {
    case .clone(let reference), .recent(let reference), .mirror(let reference, _):
      StyledLine("\(reference)", within: width, style: look[.title])
    case .outbox(let waiting, _):
      StyledLine("\(waiting.grouped) \(waiting == 1 ? "change" : "changes") not sent yet")
    case .inbox: StyledLine("inbox", style: look[.title])
    case .search(let view): StyledLine(view.name, within: width, style: look[.title])
    case .view(let number, let view):
      StyledLine(runs: [
        StyledLine.Run("\(number) ", style: look[.key]),
        StyledLine.Run(view.name, within: width, style: look[.title]),
      ])
    }
  }

  private func note(on row: StartPage.Row) -> StyledLine? {
    switch row {
    case .clone, .recent: nil
    case .inbox: StyledLine("your unread notifications", style: look[.muted])
    case .outbox(_, let needing):
      needing == 0
        ? nil
        : StyledLine(
          "\(needing.grouped) \(needing == 1 ? "needs" : "need") you", style: look[.warning])
    case .search(let view): StyledLine(view.text, within: width, style: look[.muted])
    case .view(_, let view):
      StyledLine("\(view.text)\(view.placeWords)", within: width, style: look[.muted])
    case .mirror(_, let time):
      StyledLine(
        time.map { "synced \(RelativeTime.describe($0, relativeTo: now))" } ?? "sync unfinished",
        style: look[.muted])
    }
  }
}
