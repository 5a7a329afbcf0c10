/// A line of text in styled runs. The runs neutralize their text, so a hostile title can't send control sequences to
/// the terminal.
package struct StyledLine: Sendable, Hashable {
  package struct Run: Sendable, Hashable {
    package let text: TerminalText

    package var style: Style

    package var link: WebLink?

    package init(_ raw: some StringProtocol, style: Style = .plain, link: WebLink? = nil) {
      self.init(TerminalText(raw), style: style, link: link)
    }

    package init(_ text: TerminalText, style: Style = .plain, link: WebLink? = nil) {
      self.text = text
      self.style = style
      self.link = link
    }

    package var columns: Int { DisplayWidth.columns(of: text.string) }

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

  /// Joins pieces with commas: `bug, help wanted`.
  package init(list: [Run]) {
    runs = []
    for run in list {
      if !runs.isEmpty { runs.append(Run(", ")) }
      runs.append(run)
    }
  }

  package var columns: Int {
    runs.reduce(0) { $0 + $1.columns }
  }

  package var plain: String {
    runs.reduce(into: "") { $0 += $1.text.string }
  }

  /// The text for a terminal, with hyperlinks if `links` is true.
  package func rendered(in mode: ColorMode, links: Bool = false) -> String {
    runs.reduce(into: "") { $0 += $1.rendered(in: mode, links: links) }
  }

  /// The text of a table cell. Right-to-left text is isolated, so that it doesn't reorder the adjacent cells ([UAX
  /// #9](https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates)).
  package func rendered(
    in mode: ColorMode, links: Bool = false, cutTo limit: Int
  ) -> (text: String, columns: Int) {
    let cut = self.cut(to: limit)
    let text = cut.rendered(in: mode, links: links)
    // The isolates are balanced: a ``TerminalText`` contains no isolates.
    let isIsolated = cut.runs.contains { $0.text.hasRightToLeftText }
    return (isIsolated ? "\u{2068}\(text)\u{2069}" : text, cut.columns)
  }

  /// The line, cut to `limit` columns. The ellipsis has the style of the text that it replaces.
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
