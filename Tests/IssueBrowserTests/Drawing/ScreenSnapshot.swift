import TerminalScreen
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    let text = canvas.textWithCursor + "\n"
    let file = folder.appending(path: "\(name).txt")
    if isRecording { try Data(text.utf8).write(to: file) }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == expected, sourceLocation: sourceLocation)
  }
}

extension Canvas {
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
