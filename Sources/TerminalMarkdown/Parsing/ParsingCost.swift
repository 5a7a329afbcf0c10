/// An upper bound for the work of parsing a document, computed without parsing it.
///
/// cmark-gfm 0.29.0.gfm.6 takes linear time, but quadratic time in a few unusual cases: nested containers, tables
/// padded to the width of their first row, definitions copied to each use, searches for missing ends, and the causes of
/// CVE-2023-22483, CVE-2023-22486 and CVE-2023-37463. In these, each row of dashes rereads the preceding paragraph as a
/// table's titles, and each later link goes through the open delimiters of emphasis and images. This type counts the
/// factors line by line. Other slow documents run into the limit of ``ParsingThread``.
struct ParsingCost {
  /// The maximum cost: some tenths of a second.
  private static let bearable = 1 << 26
  /// The weight of a step through a container. The unit of weights is the inspection of one character.
  private static let containerWeight = 32
  private static let cellWeight = 128
  /// The weight of a step through the list of open delimiters.
  private static let signWeight = 4
  /// The weight of a character in a row of titles, from which cells are made.
  private static let titleWeight = 8

  /// The maximum number of mail addresses: the parser keeps 6 KiB for each while the tree exists.
  private static let maximumMails = 1 << 12

  /// The counts since the last empty line.
  private struct Paragraph {
    var length = 0
    /// The number of openings of declarations, instructions and CDATA sections. The parser searches for their ends.
    var openers = 0
    /// Whether a line begins like a definition, and whether any label ends like a definition's.
    var hasDefinition = (beginning: false, end: false)
    var columns = 0
    var rows = 0
    /// The number of delimiters of emphasis and images that may still be open.
    var signs = 0
  }

  private var total = 0
  private var lines = 0
  private var depth = 0
  private var brackets = 0
  private var definitions = 0
  private var mails = 0
  private var paragraph = Paragraph()

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
      // This may be the row below a table's titles, and everything before it may be the titles.
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

  /// Whether a line ends a paragraph: it is empty except for quotation markers that aren't indented like code.
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

  /// Counts the bullets, numbers and quotation markers at the beginning of a line. Returns the index after them.
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
      // Items are also nested by indents.
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
    // The length since the last space, and the number of possible addresses in it: the parser searches for the end of
    // each.
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
        // These characters may appear in a table's delimiter row. A period, a colon or an asterisk may also end a
        // URL, and the parser counts the brackets in URLs.
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

  /// Whether an address may begin here: `www.`, `https://` or `me@`.
  private static func isOfAddress(_ byte: UInt8, after last: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "@"): true
    case UInt8(ascii: "."): last | 0x20 == UInt8(ascii: "w")
    case UInt8(ascii: "/"): last == UInt8(ascii: ":")
    default: false
    }
  }

  /// Whether a mail address's name may end here. The `@` of a mention has no name before it.
  private static func mayEndName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

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
