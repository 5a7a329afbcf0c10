/// Rows of text as defined by [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180), safe to open in a spreadsheet.
///
/// ```swift
/// print(CSV.line(["number", "title"]), terminator: "")
/// ```
public enum CSV {
  /// The line of a row, including its CR and LF.
  ///
  /// A cell that would be a formula is preceded by an apostrophe, so that it stays text. Spreadsheets evaluate all
  /// formulas, even from untrusted sources, and some formulas send other cells to a server
  /// (<https://owasp.org/www-community/attacks/CSV_Injection>). Such cells begin with `=`, `+`, `-`, `@`, one of their
  /// full-width forms, a tab or a line break.
  ///
  /// In locales with decimal commas, spreadsheets separate cells at semicolons or tabs, and treat quotation marks as
  /// text. So the part of a cell after one of these, or after a line break, is treated as a cell too. Don't use this
  /// for data that must be read back unchanged.
  ///
  /// - Parameter cells: The values.
  /// - Returns: The cells, separated by commas and quoted if necessary.
  public static func line(_ cells: [String]) -> String {
    var line: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      var cell = cell
      cell.withUTF8 { unsafe append($0, to: &line) }
    }
    line += "\r\n".utf8
    return String(decoding: line, as: UTF8.self)
  }

  private static func append(_ cell: UnsafeBufferPointer<UInt8>, to line: inout [UInt8]) {
    // Some programs remove unquoted spaces at the ends.
    let isMarked =
      unsafe cell.first == 0x20 || cell.last == 0x20 || cell.contains(where: needsMarks)
    if isMarked { line.append(UInt8(ascii: "\"")) }
    if let first = unsafe cell.first, isBreak(first) { line.append(UInt8(ascii: "'")) }
    // Whether a program may interpret the next byte as the beginning of a cell.
    var isBeginning = true
    for index in cell.indices {
      let byte = unsafe cell[index]
      switch byte {
      case UInt8(ascii: ";"), 0x09, 0x0A, 0x0D: isBeginning = true
      case UInt8(ascii: "\""): line.append(byte)
      case 0x20: break
      default:
        if isBeginning, unsafe beginsFormula(cell[index...]) { line.append(UInt8(ascii: "'")) }
        isBeginning = false
      }
      line.append(byte)
    }
    if isMarked { line.append(UInt8(ascii: "\"")) }
  }

  private static func needsMarks(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\"")
      || isBreak(byte)
  }

  private static func isBreak(_ byte: UInt8) -> Bool {
    byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func beginsFormula(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    switch unsafe bytes.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): true
    case 0xEF: ["＝", "＋", "－", "＠"].contains { unsafe bytes.starts(with: $0.utf8) }
    default: false
    }
  }
}
