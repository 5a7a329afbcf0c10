internal import StyledText

/// Writes blocks as lines, after the bars, markers and indents of the surrounding blocks. Indents use at most half of
/// the width, so that a line costs no more than its width. Deeper blocks aren't indented.
struct BlockWriter {
  private struct Level {
    /// The name of the HTML element; nil for a Markdown block.
    var element: String?
    var isSpaced: Bool
    var hasContent = false
  }

  private struct Prefix {
    var level: Int
    /// The marker of the first line; nil once it is written.
    var marker: StyledLine.Run?
    var hanging: StyledLine.Run
    var columns: Int

    var next: StyledLine.Run { marker ?? hanging }
  }

  private static let maximumElements = 64

  let width: Int
  private(set) var lines: [StyledLine] = []

  private var levels = [Level(isSpaced: true)]
  private var prefixes: [Prefix] = []
  private var elementCount = 0
  private var separator: StyledLine?

  init(width: Int) {
    self.width = max(1, width)
  }

  /// The width inside the innermost block, in columns.
  var room: Int {
    max(1, width - prefixes.reduce(0) { $0 + $1.columns })
  }

  /// Separates the block from the previous one by an empty line, if the blocks are spaced.
  mutating func beginBlock() {
    guard let level = levels.last, level.hasContent, level.isSpaced else { return }
    separator = prefix(isFirst: false).withoutBlanksAtItsEnd
  }

  /// Begins a block that contains blocks. Without a marker, `hanging` also begins the first line. If `isSpaced` is nil,
  /// the block is spaced like the surrounding one.
  mutating func open(
    marker: StyledLine.Run? = nil, hanging: StyledLine.Run = .init(""), isSpaced: Bool? = nil,
    element: String? = nil
  ) {
    let columns = hanging.columns
    let used = width - room
    if columns == 0, marker == nil {
      // The block has no prefix.
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

  /// Ends the innermost block that contains blocks, including the HTML elements left open in it.
  mutating func close() {
    closeElements()
    closeLevel()
  }

  mutating func closeElements() {
    while levels.last?.element != nil { closeLevel() }
  }

  /// Begins an HTML element that contains blocks, unless too many are open.
  mutating func open(
    element: String, marker: StyledLine.Run? = nil, hanging: StyledLine.Run = .init(""),
    isSpaced: Bool? = nil
  ) {
    guard elementCount < Self.maximumElements else { return }
    open(marker: marker, hanging: hanging, isSpaced: isSpaced, element: element)
  }

  /// Ends an HTML element, including elements left open in it. It has no effect unless the element is open in the
  /// innermost Markdown block and none of `limits` is open inside it.
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
    // An empty item still needs a bullet.
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

  mutating func write(_ line: StyledLine) {
    beginLine()
    let wrapped = line.wrapped(
      to: width, indent: prefix(isFirst: true), hangingIndent: prefix(isFirst: false))
    lines += line.runs.isEmpty ? wrapped.map(\.withoutBlanksAtItsEnd) : wrapped
    endLine()
  }

  /// Writes a line without wrapping at words. A line that is too long continues after a mark.
  mutating func write(verbatim line: StyledLine, continuation: StyledLine.Run) {
    beginLine()
    var hanging = prefix(isFirst: false)
    if room > 8 { hanging.runs.append(continuation) }
    let broken = line.broken(to: width, indent: prefix(isFirst: true), hangingIndent: hanging)
    lines += line.columns == 0 ? broken.map(\.withoutBlanksAtItsEnd) : broken
    endLine()
  }

  /// The number of open blocks that contain blocks.
  var depth: Int { levels.count }

  /// Writes a rule below the lines from `begin` on, as wide as the widest line. Without lines, it has no effect.
  mutating func underline(from begin: Int, with glyph: String, style: Style) {
    let indent = prefix(isFirst: false).columns
    guard let widest = lines[begin...].map(\.columns).max(), widest > indent else { return }
    let rule = String(repeating: glyph, count: min(room, widest - indent))
    write(verbatim: StyledLine(rule, style: style), continuation: .init(""))
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
