internal import StyledText

/// Writes a document from its tree, in the order of the nodes.
struct DocumentWriter {
  private struct List {
    /// The number of the next item; nil for bullets.
    var number: Int?
    var delimiter: String
    var digits: Int
    var isTight: Bool
  }

  let renderer: MarkdownRenderer
  let glyphs: Glyphs
  let references: TextReferences
  var page: BlockWriter
  var inline = InlineText()
  var look = InlineLook()
  /// The open links, outermost first.
  var links: [OpenLink] = []
  var notes = LinkNotes()
  var html = HTMLState()
  var codeBlocks: [RenderedDocument.CodeBlock] = []
  var images: [RenderedDocument.Image] = []
  /// The images in the collected text.
  var gatheredImages: [WebLink] = []
  /// The number of highlighted parts in all code so far.
  var highlightedParts = 0

  private var lists: [List] = []
  private var table: MarkdownTable?
  private var row: [[StyledLine]] = []
  private var footnoteCount = 0
  /// The current alert, and the depth of the blocks around it.
  private var alert: (kind: Alert, depth: Int)?
  /// The number of following text nodes and line breaks to omit, because other output replaces them.
  var hiddenNodes = 0
  private var headingBegin = 0

  init(renderer: MarkdownRenderer) {
    self.renderer = renderer
    glyphs = renderer.isPlain ? .plain : renderer.isUnicode ? .unicode : .ascii
    references = TextReferences(
      repositoryURL: renderer.repositoryURL, showsEmoji: renderer.isUnicode)
    page = BlockWriter(width: renderer.width)
  }

  var styles: MarkdownStyles { renderer.styles }

  mutating func write(_ node: MarkdownNode, isBeginning: Bool) {
    let kind = node.kind
    if hiddenNodes > 0, kind == .text || kind == .softBreak || kind == .lineBreak {
      hiddenNodes -= 1
      return
    }
    switch kind {
    case .document, .unknown: break
    case .paragraph:
      isBeginning ? page.beginBlock() : writeInline()
    case .heading:
      isBeginning ? beginHeading(level: node.headingLevel) : endHeading(level: node.headingLevel)
    case .thematicBreak: writeRule()
    case .codeBlock: writeCode(node.literal, language: node.language)
    case .htmlBlock: writeHTMLBlock(node.literal)
    case .blockQuote:
      isBeginning ? beginQuote(node) : endQuote()
    case .list:
      isBeginning ? beginList(node) : endList()
    case .item, .taskItem:
      isBeginning
        ? beginItem(isChecked: kind == .taskItem ? node.isChecked : nil) : page.close()
    case .footnoteDefinition:
      isBeginning ? beginFootnote() : page.close()
    case .table, .tableHeader, .tableRow, .tableCell:
      writeTable(node, kind, isBeginning: isBeginning)
    default: writeInline(node, kind, isBeginning: isBeginning)
    }
  }

  /// The lines, followed by the addresses of the document's links.
  mutating func finish() -> [StyledLine] {
    page.closeElements()
    for (number, link) in notes.links.enumerated() {
      if number == 0 { page.beginBlock() }
      let label = "[\(number + 1)] "
      page.open(
        marker: .init(label, style: styles.aside),
        hanging: .init(String(repeating: " ", count: label.count)), isSpaced: false)
      page.write(StyledLine(runs: [.init(link.url, style: styles.aside)]))
      page.close()
    }
    return page.lines
  }

  mutating func writeInline() {
    endInlineHTML()
    flush()
  }

  /// Writes the collected text as a paragraph.
  mutating func flush() {
    let lines = inline.take()
    if !lines.isEmpty { page.beginBlock() }
    for line in lines { page.write(line) }
    if !gatheredImages.isEmpty { writeImages() }
  }

  /// Leaves space for the collected images.
  private mutating func writeImages() {
    for source in gatheredImages {
      let box = renderer.images?[source]?.fitted(into: page.room)
      let begin = page.lines.count
      for _ in 0..<(box?.rows ?? 0) { page.write(StyledLine()) }
      images.append(
        .init(
          source: source, lines: begin..<page.lines.count, column: renderer.width - page.room,
          columns: box?.columns ?? 0))
    }
    gatheredImages = []
  }

  mutating func writeRule() {
    page.beginBlock()
    guard !glyphs.isPlain else { return }
    let rule = String(repeating: glyphs.rule, count: page.room)
    page.write(StyledLine(rule, style: styles.frame))
  }

  private mutating func beginHeading(level: Int) {
    page.beginBlock()
    headingBegin = page.lines.count
    look[.heading] += 1
    look.headingLevel = level
    nameHeading(level: level)
  }

  /// Writes the level of a heading in words, in place of a style.
  mutating func nameHeading(level: Int) {
    if glyphs.isPlain { appendPlain("Heading \(level): ") }
  }

  private mutating func endHeading(level: Int) {
    writeInline()
    look[.heading] -= 1
    writeUnderline(level: level, from: headingBegin)
  }

  /// Writes the rule below a heading, if its level has one. `begin` is the index of the heading's first line.
  mutating func writeUnderline(level: Int, from begin: Int) {
    guard !glyphs.isPlain, level <= 2 || !renderer.hasStyles else { return }
    let glyph = glyphs.underlines[min(max(level, 1), glyphs.underlines.count) - 1]
    page.underline(from: begin, with: glyph, style: styles.heading(level: level))
  }

  private mutating func beginQuote(_ node: MarkdownNode) {
    page.beginBlock()
    guard let (kind, markers) = node.alert else {
      page.open(marker: quoteMarker, hanging: quoteHanging, isSpaced: true)
      return
    }
    alert = (kind, page.depth)
    hiddenNodes = markers
    write(edge: glyphs.alert.top, of: kind, word: kind.rawValue)
    page.open(
      hanging: .init("\(glyphs.alert.side) ", style: styles.style(of: kind)), isSpaced: true)
  }

  /// The marker before the first line of a quotation, if it differs from that of the other lines.
  var quoteMarker: StyledLine.Run? {
    hasRoomForWords && glyphs.isPlain ? .init("\(glyphs.bar) ", style: styles.quote) : nil
  }

  /// Whether the page is wide enough for words: a word is longer than the indent of the following lines.
  var hasRoomForWords: Bool { page.room >= 16 }

  var quoteHanging: StyledLine.Run {
    .init(glyphs.isPlain ? "  " : "\(glyphs.bar) ", style: styles.quote)
  }

  private mutating func endQuote() {
    page.close()
    // The quotations inside an alert end before the alert does.
    guard let alert, page.depth == alert.depth else { return }
    write(edge: glyphs.alert.bottom, of: alert.kind)
    self.alert = nil
  }

  /// Writes the top or bottom edge of an alert's box. There is no right edge, because text that terminals measure
  /// differently would break it.
  private mutating func write(edge corner: String, of alert: Alert, word: String = "") {
    var style = styles.style(of: alert)
    if glyphs.isPlain {
      if !word.isEmpty { page.write(StyledLine("\(word):", style: style)) }
      return
    }
    let rule = glyphs.alert.rule
    var line = StyledLine(corner, style: style)
    if !word.isEmpty {
      line.runs[0] = .init("\(corner)\(rule) ", style: style)
      style.isBold = true
      line.runs.append(.init(word, style: style))
      // If the page is too narrow for both, only the word is kept.
      if line.columns > page.room { line.runs.removeFirst() }
      style.isBold = false
      if line.columns < page.room { line.runs.append(.init(" ")) }
    }
    let rest = max(0, page.room - line.columns)
    line.runs.append(.init(String(repeating: rule, count: rest), style: style))
    page.write(verbatim: line, continuation: .init(""))
  }

  private mutating func beginList(_ node: MarkdownNode) {
    page.beginBlock()
    let start = node.listStart
    let longest = start.map { "\($0 + max(0, node.childCount - 1))".count } ?? 0
    let isTight = node.isTight
    lists.append(
      List(number: start, delimiter: node.listDelimiter, digits: longest, isTight: isTight))
    page.open(isSpaced: !isTight)
  }

  private mutating func endList() {
    page.close()
    lists.removeLast()
  }

  private mutating func beginItem(isChecked: Bool?) {
    page.beginBlock()
    var marker = ""
    if let number = lists.last?.number {
      lists[lists.count - 1].number = number + 1
      marker = DisplayWidth.padded(
        "\(number)", to: lists[lists.count - 1].digits, alignment: .trailing)
      marker += lists[lists.count - 1].delimiter + " "
    }
    if let isChecked {
      marker += (isChecked ? glyphs.checked : glyphs.unchecked) + " "
    } else if marker.isEmpty {
      marker = glyphs.bullets[max(0, lists.count - 1) % glyphs.bullets.count] + " "
    }
    let columns = DisplayWidth.columns(of: marker)
    page.open(
      marker: .init(marker, style: isChecked == true ? styles.done : .plain),
      hanging: .init(String(repeating: " ", count: columns)))
  }

  private mutating func beginFootnote() {
    page.beginBlock()
    footnoteCount += 1
    page.open(
      marker: .init("[^\(footnoteCount)]: ", style: styles.aside), hanging: .init("  "),
      isSpaced: true)
  }

  private mutating func writeTable(
    _ node: MarkdownNode, _ kind: MarkdownNode.Kind, isBeginning: Bool
  ) {
    switch (kind, isBeginning) {
    case (.table, true):
      page.beginBlock()
      table = MarkdownTable(
        alignments: node.alignments, glyphs: glyphs, frame: styles.frame)
    case (.table, false):
      for line in table?.lines(width: page.room) ?? [] {
        page.write(verbatim: line, continuation: .init(""))
      }
      table = nil
      flush()
    case (.tableCell, false):
      endInlineHTML()
      row.append(inline.take())
    case (.tableHeader, true): look[.title] += 1
    case (.tableHeader, false), (.tableRow, false):
      if kind == .tableHeader { look[.title] -= 1 }
      table?.rows.append(row)
      row = []
    default: break
    }
  }
}

extension DocumentWriter {
  /// A document's addresses without duplicates, in the order of their numbers.
  struct LinkNotes {
    private(set) var links: [WebLink] = []
    private var numbers: [WebLink: Int] = [:]

    mutating func number(of link: WebLink) -> Int {
      if let number = numbers[link] { return number }
      links.append(link)
      numbers[link] = links.count
      return links.count
    }
  }
}
