/// How much work a document makes at most, found out without parsing it.
///
/// The parser (cmark-gfm 0.29.0.gfm.6) takes time in proportion to the length of a document, but quadratic time for a
/// few things that nobody writes: nested containers, tables that are padded to the width of their first row,
/// definitions that are copied to each use, searches for missing ends, and those of CVE-2023-22483, CVE-2023-22486 and
/// CVE-2023-37463: paragraphs that are read again as a table's titles at each row of dashes in them, and signs of
/// emphasis and images that each link after them goes through. This counts their factors, line by line.
///
/// Anything else that is slow runs on a thread that nobody waits for: see ``ParsingThread``.
struct ParsingCost {
  /// The most that is parsed: some tenths of a second.
  private static let bearable = 1 << 26
  /// What a step through a container costs, in looks at a character.
  private static let containerWeight = 32
  /// What a cell of a table costs, in looks at a character.
  private static let cellWeight = 128
  /// What a step along the list of open signs costs, in looks at a character.
  private static let signWeight = 4
  /// What a character of a row of titles costs, in looks at a character: cells are made of it.
  private static let titleWeight = 8

  /// The most mail addresses that are parsed: the parser keeps 6 KiB of each as long as the tree is there.
  private static let maximumMails = 1 << 12

  /// What was found since the last blank line.
  private struct Paragraph {
    var length = 0
    /// Beginnings of declarations, instructions and CDATA, which ends are looked for of.
    var openers = 0
    /// Whether a line begins as a definition does, and whether a label ends as one's does.
    var hasDefinition = (beginning: false, end: false)
    var columns = 0
    var rows = 0
    /// Signs of emphasis and beginnings of images, which may be open still.
    var signs = 0
  }

  private var total = 0
  private var lines = 0
  private var depth = 0
  private var brackets = 0
  private var definitions = 0
  private var mails = 0
  private var paragraph = Paragraph()

  /// Whether the document can be parsed in reasonable time.
  private(set) var isBearable = true

  init(of bytes: some Sequence<UInt8>) {
    var line: [UInt8] = []
    for byte in bytes {
      if byte == 0x0A || byte == 0x0D {
        add(line)
        line.removeAll(keepingCapacity: true)
      } else {
        line.append(byte)
      }
    }
    add(line)
    endParagraph()
    total += Self.containerWeight * depth * max(lines, depth)
    total += definitions * brackets
    isBearable = total <= Self.bearable && mails <= Self.maximumMails
  }

  private mutating func add(_ line: [UInt8]) {
    lines += 1
    let begin = addContainers(of: line)
    if isBlank(line) { return endParagraph() }
    if begin < line.count {
      if line[begin] == 0x5B { paragraph.hasDefinition.beginning = true }
      // It may be the row below a table's titles, which all that stands before it may be.
      if line[begin...].allSatisfy(Self.isOfDelimiterRow) {
        total += Self.titleWeight * paragraph.length
      }
    }
    paragraph.length += line.count + 1
    paragraph.rows += 1
    addCharacters(of: line)
  }

  private static func isOfDelimiterRow(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "|"), 0x20, 0x09, 0x0B, 0x0C: true
    default: false
    }
  }

  /// Whether a line ends paragraphs: it is empty, but for signs of quotations.
  ///
  /// A bullet with nothing behind it doesn't, and neither does what is indented like code.
  private func isBlank(_ line: [UInt8]) -> Bool {
    var indent = 0
    for byte in line {
      switch byte {
      case 0x20: indent += 1
      case 0x09: indent += 4
      case UInt8(ascii: ">") where indent < 4: indent = 0
      default: return false
      }
    }
    return true
  }

  /// Counts the bullets, numbers and signs of quotations that a line begins with.
  ///
  /// - Returns: The index of what stands behind them.
  private mutating func addContainers(of line: [UInt8]) -> Int {
    var index = 0
    var markers = 0
    var blanks = 0
    while index < line.count {
      switch line[index] {
      case 0x20, 0x09:
        blanks += 1
        index += 1
        continue
      case UInt8(ascii: ">"): index += 1
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
        guard isBlank(line, index + 1) else { return index }
        index += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let end = line[index...].firstIndex { !(0x30...0x39).contains($0) } ?? line.count
        guard end < line.count, line[end] == 0x2E || line[end] == 0x29, isBlank(line, end + 1)
        else { return index }
        index = end + 1
      default: return index
      }
      markers += 1
      // Items are nested by their indents too.
      depth = max(depth, markers + blanks / 2)
    }
    return index
  }

  private func isBlank(_ line: [UInt8], _ index: Int) -> Bool {
    index >= line.count || line[index] == 0x20 || line[index] == 0x09
  }

  private mutating func addCharacters(of line: [UInt8]) {
    var pipes = 0
    var isDelimiterRow = true
    var word = 0
    var closers = 0
    // From one blank to the next, and the addresses in it that may be links: each is looked for an end of.
    var span = 0
    var addresses = 0
    var last: UInt8 = 0
    for byte in line {
      word += 1
      span += 1
      if Self.isOfAddress(byte, after: last) { addresses += 1 }
      if byte == UInt8(ascii: "@"), Self.mayEndName(last) { mails += 1 }
      if byte != last, Self.isSign(byte) { paragraph.signs += 1 }
      switch byte {
      case 0x20, 0x09:
        total += closers * word + addresses * span
        (word, closers, span, addresses) = (0, 0, 0, 0)
      case UInt8(ascii: "<"):
        total += closers * word
        (word, closers) = (0, 0)
        isDelimiterRow = false
      case UInt8(ascii: "|"): pipes += 1
      case UInt8(ascii: ")"): closers += 1
      case UInt8(ascii: "["):
        brackets += 1
        if last == UInt8(ascii: "!") { paragraph.signs += 1 }
        isDelimiterRow = false
      case UInt8(ascii: "]"):
        total += Self.signWeight * paragraph.signs
        isDelimiterRow = false
        closers = 0
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        if last == UInt8(ascii: "<") { paragraph.openers += 1 }
        isDelimiterRow = false
      case UInt8(ascii: "."), UInt8(ascii: "*"), UInt8(ascii: ":"), UInt8(ascii: "-"),
        UInt8(ascii: ">"), UInt8(ascii: "+"), 0x30...0x39:
        // What may stand in the row below the titles of a table. The ends of an address may be of dots,
        // colons and stars as well, among which brackets are counted.
        if byte != 0x2E, byte != 0x2A, byte != 0x3A { closers = 0 }
        if byte == 0x3A, last == UInt8(ascii: "]") { paragraph.hasDefinition.end = true }
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "_"), UInt8(ascii: "~"),
        UInt8(ascii: "'"), UInt8(ascii: "\""):
        isDelimiterRow = false
      default:
        isDelimiterRow = false
        closers = 0
      }
      last = byte
    }
    total += closers * word + addresses * span
    if isDelimiterRow, pipes > paragraph.columns { paragraph.columns = pipes }
  }

  /// Whether an address may have begun: `www.`, `https://` or `me@`.
  private static func isOfAddress(_ byte: UInt8, after last: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "@"): true
    case UInt8(ascii: "."): last | 0x20 == UInt8(ascii: "w")
    case UInt8(ascii: "/"): last == UInt8(ascii: ":")
    default: false
    }
  }

  /// Whether the name of a mail address may end in a character: before that of a person who is mentioned is none.
  private static func mayEndName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Whether a run of the character may begin or end emphasis.
  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
  }

  private mutating func endParagraph() {
    total += paragraph.openers * paragraph.length
    let columns = paragraph.columns
    if columns > 0 { total += Self.cellWeight * columns * max(columns, paragraph.rows) }
    if paragraph.hasDefinition == (true, true) { definitions = max(definitions, paragraph.length) }
    paragraph = Paragraph()
  }
}
