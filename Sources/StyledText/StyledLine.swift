/// One line of text: runs, each in a style.
///
/// A run neutralises its text itself, so that no line can carry a hostile title to the terminal.
package struct StyledLine: Sendable, Hashable {
  /// A piece of the line in one style.
  package struct Run: Sendable, Hashable {
    package let text: TerminalText

    package var style: Style

    /// The target of a link; nil for other text.
    package var link: WebLink?

    /// Neutralises `raw`.
    package init(_ raw: some StringProtocol, style: Style = .plain, link: WebLink? = nil) {
      self.init(TerminalText(raw), style: style, link: link)
    }

    package init(_ text: TerminalText, style: Style = .plain, link: WebLink? = nil) {
      self.text = text
      self.style = style
      self.link = link
    }

    /// The columns that the run takes.
    package var columns: Int { DisplayWidth.columns(of: text.string) }

    /// The run as bytes for a terminal: its style and its link around its text.
    func rendered(in mode: ColorMode, links: Bool, text: String? = nil) -> String {
      let styled = style.applied(to: text ?? self.text.string, in: mode)
      guard links, let link, !styled.isEmpty else { return styled }
      return link.applied(to: styled)
    }
  }

  package var runs: [Run]

  package init(runs: [Run] = []) {
    self.runs = runs
  }

  package init(_ raw: some StringProtocol, style: Style = .plain) {
    runs = [Run(raw, style: style)]
  }

  /// A line that lists several pieces, each in its own style, between commas: `bug, help wanted`.
  package init(list: [Run]) {
    runs = []
    for run in list {
      if !runs.isEmpty { runs.append(Run(", ")) }
      runs.append(run)
    }
  }

  /// The columns that the whole line takes.
  package var columns: Int {
    runs.reduce(0) { $0 + $1.columns }
  }

  package var plain: String {
    runs.reduce(into: "") { $0 += $1.text.string }
  }

  /// The whole line.
  ///
  /// - Parameters:
  ///   - mode: The colours to use.
  ///   - links: Whether the terminal shows hyperlinks.
  /// - Returns: The bytes, as text.
  package func rendered(in mode: ColorMode, links: Bool = false) -> String {
    runs.reduce(into: "") { $0 += $1.rendered(in: mode, links: links) }
  }

  /// The line cut to `limit` columns with an ellipsis, in the style of the text it replaces.
  package func rendered(
    in mode: ColorMode, links: Bool = false, cutTo limit: Int
  ) -> (text: String, columns: Int) {
    let cut = self.cut(to: limit)
    return (cut.rendered(in: mode, links: links), cut.columns)
  }

  /// The line, cut with an ellipsis if it is longer than `limit` columns.
  package func cut(to limit: Int) -> StyledLine {
    guard columns > limit else { return self }
    var result = StyledLine()
    guard limit > 0 else { return result }
    var used = 0
    for run in runs {
      let width = run.columns
      guard used + width < limit else {
        let text = DisplayWidth.prefix(of: run.text.string, within: limit - 1 - used) + "…"
        result.runs.append(Run(TerminalText(text), style: run.style, link: run.link))
        break
      }
      result.runs.append(run)
      used += width
    }
    return result
  }
}
