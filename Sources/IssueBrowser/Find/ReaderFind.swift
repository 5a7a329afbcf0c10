internal import StyledText
internal import TerminalScreen

/// The search for text in the page in the reader.
package struct ReaderFind: Sendable, Hashable {
  package struct Match: Sendable, Hashable {
    var line: Int
    /// The range in the UTF-8 of the line's text.
    var bytes: Range<Int>

    /// The zero-based columns of the match in its line.
    func columns(in line: StyledLine) -> Range<Int> {
      let text = line.plain.utf8
      func columns(_ count: Int) -> Int {
        Canvas.columns(of: TerminalText(String(decoding: text.prefix(count), as: UTF8.self)))
      }
      return columns(bytes.lowerBound)..<columns(bytes.upperBound)
    }
  }

  /// The maximum number of matches, more than a user steps through.
  static let maximumMatches = 9_999

  /// The field while the text is being typed; nil once Enter has accepted the text.
  package var field: TextField? = TextField()
  package var text = ""
  /// The matches in the order of the page.
  package var matches: [Match] = []
  /// The index of the current match, where `n` and `N` start.
  package var current: Int?
  /// The first visible line at the beginning of the search.
  package var start: Int

  /// The position, such as `3 of 12`; nil if there is no text.
  var standing: String? {
    guard !text.isEmpty else { return nil }
    guard let current, current < matches.count else { return "no match" }
    return "\((current + 1).grouped) of \(matches.count.grouped)"
      + (matches.count == Self.maximumMatches ? "+" : "")
  }

  mutating func search(_ lines: [StyledLine]) {
    matches = []
    guard let pattern = FindPattern(text) else { return }
    for (number, line) in lines.enumerated() {
      for bytes in pattern.ranges(in: line.plain) {
        matches.append(Match(line: number, bytes: bytes))
        if matches.count == Self.maximumMatches { return }
      }
    }
  }

  /// The matches in a line, with their indices.
  func matches(inLine line: Int) -> ArraySlice<Match> {
    let first = matches.partitioningIndex { $0.line >= line }
    return matches[first...].prefix { $0.line == line }
  }
}

extension ReaderState {
  /// Opens the field, with the old text selected.
  mutating func openFind() {
    var opened = find ?? ReaderFind(start: top)
    opened.field = TextField(opened.text)
    opened.field?.selectAll()
    opened.start = top
    find = opened
  }

  mutating func editFind(_ edit: TextField.Edit, height: Int) {
    guard var find else { return }
    find.field?.edit(edit)
    find.text = find.field?.text ?? ""
    find.search(lines)
    let next = find.matches.firstIndex { $0.line >= find.start }
    find.current = next ?? find.matches.indices.first
    self.find = find
    scroll(to: find.start, height: height)
    revealMatch(height: height)
  }

  mutating func keepFind(height: Int) {
    guard find?.text.isEmpty == false else { return dropFind(height: height) }
    find?.field = nil
  }

  /// Returns to the start of the search if the text is still being typed.
  mutating func dropFind(height: Int) {
    guard let find else { return }
    self.find = nil
    if find.field != nil { scroll(to: find.start, height: height) }
  }

  /// Goes to another match, and wraps at the ends.
  mutating func goToMatch(_ step: Int, height: Int) {
    guard let find, let current = find.current, !find.matches.isEmpty else { return }
    let (count, index) = (find.matches.count, current + step)
    self.find?.current = (index % count + count) % count
    revealMatch(height: height)
  }

  /// Finds the text again after the page was laid out again. The same match stays the current one.
  mutating func findAgain() {
    guard var find else { return }
    find.search(lines)
    find.current = find.matches.isEmpty ? nil : min(find.current ?? 0, find.matches.count - 1)
    self.find = find
  }

  private var currentLine: Int? {
    guard let find, let current = find.current, current < find.matches.count else { return nil }
    return find.matches[current].line
  }

  func showsMatch(height: Int) -> Bool {
    currentLine.map { (top..<top + height).contains($0) } ?? false
  }

  /// Scrolls to the current match unless it is visible, and shows lines above it.
  mutating func revealMatch(height: Int) {
    guard let line = currentLine, !showsMatch(height: height) else { return }
    scroll(to: line - height / 3, height: height)
  }
}

extension BrowserState {
  /// Whether keys edit the text to find.
  var isFinding: Bool { reader?.find?.field != nil }
}

extension Array {
  /// The first index at which the element and all later elements satisfy a condition.
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
