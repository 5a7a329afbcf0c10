internal import StyledText

enum PlainText {
  /// Keeps line breaks and tabs, and shows other control characters as ``TerminalText`` does.
  ///
  /// Markdown's line breaks (<https://spec.commonmark.org/0.31.2/#line-ending>) become line feeds: browsers send CR LF.
  static func harmless(_ text: String) -> String {
    if let plain = withLineFeeds(text) { return plain }
    return everyLineHarmless(text)
  }

  /// The same with "> " before each line, as in a Markdown quotation, so that no line of an untrusted text can be
  /// mistaken for one of this program's. An empty text has no lines.
  static func quoted(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    return harmless(text).utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .map { "> \(Substring($0))" }.joined(separator: "\n")
  }

  /// Shows control characters as ``TerminalText`` does, and keeps everything else, also line breaks and tabs.
  static func withoutControls(_ text: String) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory == .control && !["\n", "\r", "\t"].contains(scalar)
    }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      shown.unicodeScalars.append(
        contentsOf: isControl(scalar)
          ? TerminalText(String(scalar)).string.unicodeScalars : String(scalar).unicodeScalars)
    }
  }

  /// Works for nearly every text; nil for others.
  private static func withLineFeeds(_ text: String) -> String? {
    let isASCII = text.utf8.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
    guard isASCII || text.unicodeScalars.allSatisfy(isHarmless) else { return nil }
    guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var followsCarriageReturn = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\r") {
        bytes.append(UInt8(ascii: "\n"))
      } else if byte != UInt8(ascii: "\n") || !followsCarriageReturn {
        bytes.append(byte)
      }
      followsCarriageReturn = byte == UInt8(ascii: "\r")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\t": true
    default: scalar.value >= 0x20 && !TerminalText.isConcealed(scalar)
    }
  }

  private static func everyLineHarmless(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
      .map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false)
          .map { TerminalText($0).string }
          .joined(separator: "\t")
      }
      .joined(separator: "\n")
  }
}

/// Rows for programs: cells separated by tabs, nothing cut.
///
/// ``TerminalText`` turns tabs and line breaks in cells into blanks, so all lines have the same number of tabs.
struct TSV: Sendable {
  /// The user may ask for them in a pipe (`--color always`, `CLICOLOR_FORCE`).
  var color = ColorMode.none

  func line(_ cells: [StyledLine]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "\t" }
      line += cell.rendered(in: color)
    }
    return line + "\n"
  }

  func page(_ rows: [[StyledLine]]) -> String {
    rows.reduce(into: "") { $0 += line($1) }
  }
}
