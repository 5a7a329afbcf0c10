internal import StyledText

/// Writes a document in the order of its tree.
struct DocumentWriter {
  private struct List {
    /// The next item's number; nil for bullets.
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
  /// The outermost first.
  var links: [OpenLink] = []
  var notes = LinkNotes()
  var html = HTMLState()

  private var lists: [List] = []
  private var table: MarkdownTable?
  private var row: [[StyledLine]] = []
  private var footnoteCount = 0

  init(renderer: MarkdownRenderer) {
    self.renderer = renderer
    glyphs = renderer.isUnicode ? .unicode : .ascii
    references = TextReferences(
      repositoryURL: renderer.repositoryURL, showsEmoji: renderer.isUnicode)
    page = BlockWriter(width: renderer.width)
  }

  mutating func write(_ node: MarkdownNode, isBeginning: Bool) {
    let kind = node.kind
    switch kind {
    case .document, .unknown: break
    case .paragraph:
      isBeginning ? page.beginBlock() : writeInline()
    case .heading:
      isBeginning ? beginHeading(level: node.headingLevel) : endHeading()
    case .thematicBreak: writeRule()
    case .codeBlock: writeCode(node.literal, language: node.language)
    case .htmlBlock: writeHTMLBlock(node.literal)
    case .blockQuote:
      isBeginning ? beginQuote() : page.close()
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
        marker: .init(label, style: .faint),
        hanging: .init(String(repeating: " ", count: label.count)), isSpaced: false)
      page.write(StyledLine(runs: [.init(link.url, style: .faint)]))
      page.close()
    }
    return page.lines
  }

  mutating func writeInline() {
    endInlineHTML()
    flush()
  }

  /// Writes the gathered text as a paragraph.
  mutating func flush() {
    let lines = inline.take()
    if !lines.isEmpty { page.beginBlock() }
    for line in lines { page.write(line) }
  }

  mutating func writeRule() {
    page.beginBlock()
    let rule = String(repeating: glyphs.rule, count: page.room)
    page.write(StyledLine(rule, style: .faint))
  }

  mutating func beginHeading(level: Int) {
    page.beginBlock()
    let sign = String(repeating: "#", count: level) + " "
    page.open(
      marker: .init(sign, style: .headingSign),
      hanging: .init(String(repeating: " ", count: sign.count)))
    look[.heading] += 1
  }

  mutating func endHeading() {
    writeInline()
    look[.heading] -= 1
    page.close()
  }

  private mutating func beginQuote() {
    page.beginBlock()
    page.open(hanging: .init("\(glyphs.bar) ", style: .faint), isSpaced: true)
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
      marker: .init(marker), hanging: .init(String(repeating: " ", count: columns)))
  }

  private mutating func beginFootnote() {
    page.beginBlock()
    footnoteCount += 1
    page.open(
      marker: .init("[^\(footnoteCount)]: ", style: .faint), hanging: .init("  "), isSpaced: true)
  }

  private mutating func writeTable(
    _ node: MarkdownNode, _ kind: MarkdownNode.Kind, isBeginning: Bool
  ) {
    switch (kind, isBeginning) {
    case (.table, true):
      page.beginBlock()
      table = MarkdownTable(alignments: node.alignments, glyphs: glyphs)
    case (.table, false):
      for line in table?.lines(width: page.room) ?? [] {
        page.write(verbatim: line, continuation: .init(""))
      }
      table = nil
    case (.tableCell, false):
      endInlineHTML()
      row.append(inline.take())
    case (.tableHeader, true): look[.heading] += 1
    case (.tableHeader, false), (.tableRow, false):
      if kind == .tableHeader { look[.heading] -= 1 }
      table?.rows.append(row)
      row = []
    default: break
    }
  }
}

extension DocumentWriter {
  /// A document's addresses, each once, in the order of their numbers.
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

extension DocumentWriter {
  private static let tabWidth = 4

  /// Writes code between two rules, the first with the language. No indent and no frame, so that it can be copied.
  mutating func writeCode(_ code: String, language: String) {
    page.beginBlock()
    let mark = StyledLine.Run("\(glyphs.continuation) ", style: .faint)
    var lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    let texts = lines.map { StyledLine(Self.expandingTabs($0), style: .code) }
    let room = page.room
    let longest = texts.reduce(0) { max($0, min(room, $1.columns)) }
    let label = language.isEmpty ? "" : " \(TerminalText(language).string) "
    let top = DisplayWidth.prefix(of: "\(glyphs.topCorner)\(glyphs.rule)\(label)", within: room)
    let width = min(room, max(longest, DisplayWidth.columns(of: top) + 2, 16))
    let fill = width - DisplayWidth.columns(of: top)
    write(rule: top + String(repeating: glyphs.rule, count: fill))
    for text in texts { page.write(verbatim: text, continuation: mark) }
    write(rule: glyphs.bottomCorner + String(repeating: glyphs.rule, count: width - 1))
  }

  private mutating func write(rule: String) {
    page.write(verbatim: StyledLine(rule, style: .faint), continuation: .init(""))
  }

  /// Blanks replace tabs, which never reach a terminal.
  private static func expandingTabs(_ line: Substring) -> String {
    guard line.utf8.contains(0x09) else { return String(line) }
    var result = ""
    var column = 0
    for character in line {
      if character == "\t" {
        let blanks = tabWidth - column % tabWidth
        result += String(repeating: " ", count: blanks)
        column += blanks
      } else {
        result.append(character)
        column += DisplayWidth.columns(of: character)
      }
    }
    return result
  }
}
