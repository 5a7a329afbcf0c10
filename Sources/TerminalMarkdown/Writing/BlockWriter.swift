internal import StyledText

/// Writes blocks as lines, each behind the bars, markers and indents of what it stands in.
///
/// However deep that is, the indents take no more than half of the width: what is deeper is written
/// without. So a line costs no more than its width.
struct BlockWriter {
  /// A block that holds blocks.
  private struct Level {
    /// The HTML element that it is; nil for a block of Markdown.
    var element: String?
    /// Whether there are blank lines between its blocks.
    var isSpaced: Bool
    /// Whether a line of it was written.
    var hasContent = false
  }

  /// What lines in a block begin with.
  private struct Prefix {
    var level: Int
    /// What the next line begins with; nil as soon as that is written.
    var marker: StyledLine.Run?
    /// What the lines after it begin with.
    var hanging: StyledLine.Run
    var columns: Int

    var next: StyledLine.Run { marker ?? hanging }
  }

  /// How many HTML elements may be open at once.
  private static let maximumElements = 64

  /// The longest line, in columns.
  let width: Int
  /// The lines so far.
  private(set) var lines: [StyledLine] = []

  private var levels = [Level(isSpaced: true)]
  private var prefixes: [Prefix] = []
  private var elementCount = 0
  private var separator: StyledLine?

  init(width: Int) {
    self.width = max(1, width)
  }

  /// The columns that a line of the innermost block has.
  var room: Int {
    max(1, width - prefixes.reduce(0) { $0 + $1.columns })
  }

  /// Begins a block: where another one stands before it, blank lines may separate them.
  mutating func beginBlock() {
    guard let level = levels.last, level.hasContent, level.isSpaced else { return }
    separator = prefix(isFirst: false).withoutBlanksAtItsEnd
  }

  /// Begins a block that holds blocks.
  ///
  /// - Parameters:
  ///   - marker: What its first line begins with; nil where that is as the others.
  ///   - hanging: What its lines begin with.
  ///   - isSpaced: Whether there are blank lines between its blocks; nil where that is as around it.
  ///   - element: The HTML element that it is.
  mutating func open(
    marker: StyledLine.Run? = nil, hanging: StyledLine.Run = .init(""), isSpaced: Bool? = nil,
    element: String? = nil
  ) {
    let columns = hanging.columns
    let used = width - room
    if columns == 0, marker == nil {
      // Nothing to begin a line with.
    } else if used + columns <= width / 2 {
      prefixes.append(
        Prefix(level: levels.count, marker: marker, hanging: hanging, columns: columns))
    } else if let marker,
      prefixes.reduce(marker.columns, { $0 + $1.next.columns }) <= min(width * 3 / 4, width - 2)
    {
      prefixes.append(
        Prefix(level: levels.count, marker: marker, hanging: .init(""), columns: 0))
    }
    levels.append(
      Level(element: element, isSpaced: isSpaced ?? levels.last?.isSpaced ?? true))
    if element != nil { elementCount += 1 }
  }

  /// Ends the innermost block of Markdown that holds blocks, and the HTML elements that were left open in it.
  mutating func close() {
    closeElements()
    closeLevel()
  }

  /// Ends the HTML elements that were left open in the innermost block of Markdown.
  mutating func closeElements() {
    while levels.last?.element != nil { closeLevel() }
  }

  /// Begins an HTML element that holds blocks, unless too many are open.
  mutating func open(
    element: String, marker: StyledLine.Run? = nil, hanging: StyledLine.Run = .init(""),
    isSpaced: Bool? = nil
  ) {
    guard elementCount < Self.maximumElements else { return }
    open(marker: marker, hanging: hanging, isSpaced: isSpaced, element: element)
  }

  /// Ends an HTML element and those that were left open in it; does nothing where none is open in the
  /// innermost block of Markdown.
  ///
  /// - Parameters:
  ///   - element: Its name.
  ///   - limits: The elements that it isn't looked for outside of.
  mutating func close(element: String, inside limits: Set<String> = []) {
    var depth = levels.count - 1
    while depth > 0, let name = levels[depth].element, name != element, !limits.contains(name) {
      depth -= 1
    }
    guard levels[depth].element == element else { return }
    while levels.count > depth { closeLevel() }
  }

  private mutating func closeLevel() {
    guard levels.count > 1, let level = levels.last else { return }
    // An item without content is a bullet still.
    if let prefix = prefixes.last, prefix.level == levels.count - 1 {
      if prefix.marker != nil, level.element == nil { write(StyledLine()) }
      prefixes.removeAll { $0.level == levels.count - 1 }
    }
    let hasContent = levels[levels.count - 1].hasContent
    levels.removeLast()
    if level.element != nil { elementCount -= 1 }
    if hasContent { levels[levels.count - 1].hasContent = true }
    separator = nil
  }

  /// Writes a line of text, wrapped.
  mutating func write(_ line: StyledLine) {
    beginLine()
    let wrapped = line.wrapped(
      to: width, indent: prefix(isFirst: true), hangingIndent: prefix(isFirst: false))
    lines += line.runs.isEmpty ? wrapped.map(\.withoutBlanksAtItsEnd) : wrapped
    endLine()
  }

  /// Writes a line as it is; where it is too long it goes on in the next one, behind a mark.
  mutating func write(verbatim line: StyledLine, continuation: StyledLine.Run) {
    beginLine()
    var hanging = prefix(isFirst: false)
    if room > 8 { hanging.runs.append(continuation) }
    let broken = line.broken(to: width, indent: prefix(isFirst: true), hangingIndent: hanging)
    lines += line.columns == 0 ? broken.map(\.withoutBlanksAtItsEnd) : broken
    endLine()
  }

  private mutating func beginLine() {
    if let separator { lines.append(separator) }
    separator = nil
  }

  private mutating func endLine() {
    for index in prefixes.indices { prefixes[index].marker = nil }
    prefixes.removeAll { $0.columns == 0 }
    levels[levels.count - 1].hasContent = true
  }

  private func prefix(isFirst: Bool) -> StyledLine {
    StyledLine(runs: prefixes.map { isFirst ? $0.next : $0.hanging }.filter { $0.columns > 0 })
  }
}

extension StyledLine {
  /// The line without the blanks that it ends with.
  var withoutBlanksAtItsEnd: StyledLine {
    var line = self
    while let last = line.runs.last {
      let text = last.text.string
      guard text.utf8.last == 0x20 || text.isEmpty else { break }
      line.runs.removeLast()
      guard let end = text.lastIndex(where: { $0 != " " }) else { continue }
      line.runs.append(Run(text[...end], style: last.style, link: last.link))
      break
    }
    return line
  }
}
