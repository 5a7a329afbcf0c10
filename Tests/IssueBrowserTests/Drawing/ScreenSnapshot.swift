import PlatformModules
import StyledText
import TerminalScreen
import Testing

/// Expected pictures, in files beside the tests.
///
/// `ISSUES_RECORD_SNAPSHOTS=1` in the environment rewrites the files. Read the difference.
enum ScreenSnapshot {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots")

  private static var isRecording: Bool {
    ProcessInfo.processInfo.environment["ISSUES_RECORD_SNAPSHOTS"] == "1"
  }

  /// Compares the text of a picture with a file, with `▏` before the cursor's cell.
  static func expect(
    _ canvas: Canvas, named name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(canvas.textWithCursor + "\n", named: name, sourceLocation: sourceLocation)
  }

  /// Compares the text, and below it the styles: a letter for each cell, and what the letters mean.
  static func expectStyled(
    _ canvas: Canvas, named name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = canvas.textWithCursor + "\n\n" + canvas.textOfStyles + "\n"
    try expect(text, named: name, sourceLocation: sourceLocation)
  }

  private static func expect(
    _ text: String, named name: String, sourceLocation: SourceLocation
  ) throws {
    let file = folder.appending(path: "\(name).txt")
    if isRecording { try Data(text.utf8).write(to: file) }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == expected, sourceLocation: sourceLocation)
  }
}

extension Canvas {
  /// A letter for the style of each cell, `.` for plain ones, and then the meaning of the letters.
  fileprivate var textOfStyles: String {
    var letters: [Style: Character] = [.plain: "."]
    var meanings: [String] = []
    let names = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    let rows = (0..<size.rows).map { row in
      var line = ""
      for cell in self[row: row] {
        if letters[cell.style] == nil {
          let letter = names[min(meanings.count, names.count - 1)]
          letters[cell.style] = letter
          meanings.append("\(letter) \(cell.style.words)")
        }
        line.append(letters[cell.style] ?? "?")
      }
      while line.last == "." { line.removeLast() }
      return line
    }
    return (rows + [""] + meanings).joined(separator: "\n")
  }

  /// The text of the window with the cursor in it.
  fileprivate var textWithCursor: String {
    (0..<size.rows).map { row in
      var line = ""
      for (column, cell) in self[row: row].enumerated() {
        if let cursor, cursor == (column, row) { line += "▏" }
        line += cell.text
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    .joined(separator: "\n")
  }

  /// The styles of the cells that show the first occurrence of an ASCII text in a row.
  func styles(of text: String, row: Int) -> [Canvas.Cell]? {
    let cells = Array(self[row: row])
    let wanted = text.map(String.init)
    guard
      let start = cells.indices.first(where: { index in
        cells[index...].prefix(wanted.count).map(\.text) == wanted
      })
    else { return nil }
    return Array(cells[start..<start + wanted.count])
  }
}

extension Style {
  /// As in a theme's file.
  fileprivate var words: String {
    var words: [String] = []
    if isBold { words.append("bold") }
    if isFaint { words.append("faint") }
    if isItalic { words.append("italic") }
    if isUnderlined { words.append("underline") }
    if isReversed { words.append("reverse") }
    if foreground != .standard || words.isEmpty { words.append(foreground.word) }
    if background != .standard { words.append("on \(background.word)") }
    return words.joined(separator: " ")
  }
}

extension Style.Paint {
  fileprivate var word: String {
    guard case .exact(let color) = self else { return self == .standard ? "default" : "\(self)" }
    let value = Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
    return "#\(String(value | 0x100_0000, radix: 16).dropFirst())"
  }
}
