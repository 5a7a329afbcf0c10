/// Rows of text as [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180) has them, made for whatever opens them.
///
/// ```swift
/// print(CSV.line(["number", "title"]), terminator: "")
/// ```
public enum CSV {
  /// The line of a row, with its CR and LF.
  ///
  /// A cell that begins as a formula does gets an apostrophe before it, and so stays text: spreadsheets
  /// calculate what stands in a cell, whoever wrote it, and some formulas send other cells away
  /// (<https://owasp.org/www-community/attacks/CSV_Injection>). Those are cells that begin with `=`, `+`, `-`,
  /// `@`, one of their full-width forms, a tab or a line break. What is to be read back as it was doesn't
  /// go through here.
  ///
  /// - Parameter cells: The values.
  /// - Returns: The cells between commas, with quotation marks where they can't do without.
  public static func line(_ cells: [String]) -> String {
    cells.map { quoted(harmless($0)) }.joined(separator: ",") + "\r\n"
  }

  private static func harmless(_ cell: String) -> String {
    switch cell.unicodeScalars.first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": "'\(cell)"
    default: cell
    }
  }

  private static func quoted(_ cell: String) -> String {
    let needsMarks = cell.utf8.contains { byte in
      [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(byte)
    }
    // Blanks at its ends belong to a cell; some readers take them away where there are no marks.
    let isPadded = cell.first == " " || cell.last == " "
    guard needsMarks || isPadded else { return cell }
    var quoted = "\""
    for scalar in cell.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
