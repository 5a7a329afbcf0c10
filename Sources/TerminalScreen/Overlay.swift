internal import StyledText

/// The terminal's features that ncurses doesn't support.
struct TerminalFeatures: Sendable, Hashable {
  /// Whether the terminal supports hyperlinks (OSC 8).
  var hasLinks = false

  var strikesThrough = false

  /// Whether the terminal shows an emoji of several code points as one character of two columns: mode 2027
  /// (<https://github.com/contour-terminal/terminal-unicode-core>).
  var drawsClusters = false
}

/// A part of a row that ncurses can't draw: a hyperlink, struck text, or an emoji of several code points.
///
/// ncurses draws plain text in its place, and then it is written again with the missing feature. ncurses overwrites it
/// like any other text, so a link disappears when its cells change.
struct Overlay: Sendable, Hashable {
  var columns: Range<Int>

  var link: WebLink?

  var isStruck: Bool

  /// An emoji that covers two columns.
  var cluster: String?

  static func all(
    in cells: ArraySlice<Canvas.Cell>, _ features: TerminalFeatures
  ) -> [Overlay] {
    var result: [Overlay] = []
    for (column, cell) in cells.enumerated() {
      let link = features.hasLinks ? cell.link : nil
      let isStruck = features.strikesThrough && cell.style.isStruck
      if cell.text.isEmpty {
        // This cell is the right half of the previous character.
        if let last = result.last, last.columns.upperBound == column {
          result[result.count - 1].columns = last.columns.lowerBound..<column + 1
        }
        continue
      }
      let cluster =
        features.drawsClusters && ScreenCharacter.isCluster(cell.text) ? cell.text : nil
      guard link != nil || isStruck || cluster != nil else { continue }
      if let last = result.last, last.columns.upperBound == column, cluster == nil,
        last.cluster == nil, last.link == link, last.isStruck == isStruck
      {
        result[result.count - 1].columns = last.columns.lowerBound..<column + 1
      } else {
        result.append(
          Overlay(
            columns: column..<column + 1, link: link, isStruck: isStruck, cluster: cluster))
      }
    }
    return result
  }
}
