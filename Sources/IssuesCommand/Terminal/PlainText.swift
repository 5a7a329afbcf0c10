internal import StyledText

enum PlainText {
  /// The text with line breaks and tabs, and with other control characters as ``TerminalText`` shows them.
  ///
  /// Markdown's line breaks (<https://spec.commonmark.org/0.31.2/#line-ending>) become line feeds, because browsers
  /// send CRLF.
  static func harmless(_ text: String) -> String {
    if let plain = withLineFeeds(text) { return plain }
    return everyLineHarmless(text)
  }

  /// The same text with "> " before each line, as in a Markdown quotation, so that no line of untrusted text can be
  /// mistaken for a line of this program. Empty text has no lines.
  static func quoted(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    return harmless(text).utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .map { "> \(Substring($0))" }.joined(separator: "\n")
  }

  /// The text with control characters as ``TerminalText`` shows them. Everything else is kept, including line breaks
  /// and tabs.
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

  /// A fast version that works for nearly all text; nil for other text.
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

/// Rows for programs: cells separated by tabs. Nothing is cut.
///
/// ``TerminalText`` replaces tabs and line breaks in cells with spaces, so all lines have the same number of tabs.
struct TSV: Sendable {
  /// The colors. The user may request them in a pipe (`--color always`, `CLICOLOR_FORCE`).
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
