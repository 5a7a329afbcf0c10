/// One cell of a row: runs of text, each with a style.
///
/// A cell neutralises its text itself, so that no row can carry a hostile title to the terminal.
struct Cell: Sendable, Hashable {
  /// A piece of the cell in one style.
  struct Run: Sendable, Hashable {
    /// The text, harmless.
    let text: TerminalText

    /// How it looks.
    let style: Style

    /// Neutralises `raw`.
    init(_ raw: String, style: Style = .plain) {
      text = TerminalText(raw)
      self.style = style
    }
  }

  /// The pieces, in order.
  let runs: [Run]

  /// A cell of one piece.
  init(_ raw: String, style: Style = .plain) {
    runs = [Run(raw, style: style)]
  }

  /// A cell that lists several pieces, each in its own style, between commas: `bug, help wanted`.
  init(list: [Run]) {
    var runs: [Run] = []
    for run in list {
      if !runs.isEmpty { runs.append(Run(", ")) }
      runs.append(run)
    }
    self.runs = runs
  }

  /// The columns that the whole cell takes.
  var columns: Int {
    runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text.string) }
  }

  /// The whole cell.
  func rendered(in mode: ColorMode) -> String {
    runs.reduce(into: "") { $0 += $1.style.applied(to: $1.text.string, in: mode) }
  }

  /// The cell cut to `limit` columns; an ellipsis, in the style of what it stands for, tells so.
  func rendered(in mode: ColorMode, cutTo limit: Int) -> (text: String, columns: Int) {
    let columns = columns
    guard columns > limit else { return (rendered(in: mode), columns) }
    guard limit > 0 else { return ("", 0) }
    var result = ""
    var used = 0
    for run in runs {
      let text = run.text.string
      let width = DisplayWidth.columns(of: text)
      if used + width < limit {
        result += run.style.applied(to: text, in: mode)
        used += width
      } else {
        let cut = DisplayWidth.prefix(of: text, within: limit - 1 - used) + "…"
        result += run.style.applied(to: cut, in: mode)
        used += DisplayWidth.columns(of: cut)
        break
      }
    }
    return (result, used)
  }
}
