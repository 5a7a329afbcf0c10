internal import IssueTracker
internal import StyledText
internal import TerminalScreen

struct RepositoryColumns {
  private static let gap = 2

  private let nameWidth: Int
  /// The width of the stars column; 0 if the column doesn't fit.
  private let starsWidth: Int
  private let languageWidth: Int
  private let descriptionWidth: Int
  private let look: Look

  init(width: Int, look: Look) {
    self.look = look
    starsWidth = width >= 30 ? 6 : 0
    languageWidth = width >= 60 ? 12 : 0
    let others = [starsWidth, languageWidth].filter { $0 > 0 }
    let rest = width - others.reduce(0) { $0 + $1 + Self.gap }
    nameWidth = width >= 60 ? min(rest * 45 / 100, 40) : max(0, rest)
    descriptionWidth = max(0, rest - nameWidth - Self.gap)
  }

  func drawTitles(on canvas: inout Canvas, column: Int, row: Int) {
    var place = column
    for (title, width, alignment) in [
      ("repository", nameWidth, DisplayWidth.Alignment.leading),
      ("stars", starsWidth, .trailing), ("language", languageWidth, .leading),
      ("description", descriptionWidth, .leading),
    ] {
      canvas.drawCell(
        StyledLine(title, style: look[.columnTitle]), column: &place, row: row, width: width,
        alignment: alignment)
    }
  }

  func draw(_ repository: GitHub.Repository, on canvas: inout Canvas, column: Int, row: Int) {
    var place = column
    canvas.drawCell(
      StyledLine(repository.fullName, within: nameWidth, style: look[.title]), column: &place,
      row: row, width: nameWidth)
    let stars = repository.stargazersCount.map { "\(look.symbols.star)\($0.short)" } ?? ""
    canvas.drawCell(
      StyledLine(stars, style: look[.stars]), column: &place, row: row, width: starsWidth,
      alignment: .trailing)
    canvas.drawCell(
      StyledLine(repository.language ?? "", within: languageWidth), column: &place, row: row,
      width: languageWidth)
    canvas.drawCell(
      StyledLine(repository.description ?? "", within: descriptionWidth, style: look[.muted]),
      column: &place, row: row, width: descriptionWidth)
  }
}
