internal import IssueTracker
package import StyledText
internal import TerminalMarkdown
internal import TerminalScreen

/// Numbers on the visible links or code blocks. Typing a number opens the link or copies the block.
package struct Hints: Sendable, Hashable {
  package enum Target: Sendable, Hashable {
    case link(WebLink)
    case code(String)
  }

  package struct Hint: Sendable, Hashable {
    let label: String
    let line: Int
    /// The zero-based column, as measured by the screen.
    let column: Int
    let target: Target
  }

  /// The maximum number of hints, so that two digits are enough.
  private static let maximumCount = 99

  package private(set) var hints: [Hint]
  package var typed = ""

  /// Creates hints; nil if there are no places.
  init?(_ places: [(line: Int, column: Int, target: Target)]) {
    guard !places.isEmpty else { return nil }
    let places = places.prefix(Self.maximumCount)
    hints = places.enumerated().map { index, place in
      let number = "\(index + 1)"
      return Hint(
        label: places.count > 9 && number.count == 1 ? "0\(number)" : number, line: place.line,
        column: place.column, target: place.target)
    }
  }

  /// The hints that begin with the typed digits.
  var open: [Hint] { hints.filter { $0.label.hasPrefix(typed) } }
}

extension Hints {
  /// Lists the hints in words, for plain mode.
  func drawWords(on canvas: inout Canvas, look: Look) {
    let popup = Popup(
      columns: canvas.size.columns, rows: open.count, in: canvas.size, isPlain: true)
    popup.draw(title: "Type the number of one", on: &canvas, look: look)
    let area = popup.area
    for (row, hint) in zip(area.row..<area.row + area.height, open) {
      let words =
        switch hint.target {
        case .link(let link): "link to \(link.url)"
        case .code(let text): "code: \(text.split(whereSeparator: \.isNewline).first ?? "")"
        }
      canvas.draw(
        StyledLine("\(hint.label), \(words)", within: area.width), column: area.column, row: row)
    }
    canvas.cursor = (0, area.row)
  }
}

extension BrowserState {
  private var linesInSight: Range<Int> {
    guard let reader, let height = layout.reader?.height else { return 0..<0 }
    return reader.top..<max(reader.top, min(reader.top + height, reader.lines.count))
  }

  mutating func openHints() {
    guard let reader else { return }
    let sight = linesInSight
    hints = Hints(
      reader.document.links.compactMap { link in
        guard let place = link.places.first(where: { sight.contains($0.line) }) else { return nil }
        let runs = reader.lines[place.line].runs[..<place.runs.lowerBound]
        return (
          place.line, runs.reduce(0) { $0 + Canvas.columns(of: $1.text) }, .link(link.target)
        )
      })
    if hints == nil { message = "There is no link in sight" }
  }

  /// The visible code blocks, each at its first visible line.
  var codeInSight: [(line: Int, column: Int, target: Hints.Target)] {
    let sight = linesInSight
    return reader?.document.codeBlocks.compactMap { block in
      let visible = block.lines.clamped(to: sight)
      return visible.isEmpty ? nil : (visible.lowerBound, 0, .code(block.text))
    } ?? []
  }

  /// The command for a link. An issue on a known server opens in this browser.
  func command(for target: Hints.Target) -> BrowserCommand {
    switch target {
    case .code(let text): .copy(.code(text))
    case .link(let link): issue(of: link).map { .openIssue($0) } ?? .openLink(link)
    }
  }

  private func issue(of link: WebLink) -> IssueReference? {
    guard let issue = try? IssueReference(parsing: link.url), let place = issue.repository,
      let host = place.host,
      [self.host, sheet?.scope.host, GitHubServer.github.host].contains(host)
    else { return nil }
    if let sheet, let reference = sheet.reference, host == reference.host ?? self.host,
      // The server's name of the repository may differ from the typed name.
      ["\(reference.name)", sheet.repository?.fullName ?? ""].contains(where: {
        $0.lowercased() == "\(place.name)".lowercased()
      })
    {
      return IssueReference(number: issue.number)
    }
    return IssueReference(
      repository: RepositoryReference(host: host == self.host ? nil : host, name: place.name),
      number: issue.number)
  }
}
