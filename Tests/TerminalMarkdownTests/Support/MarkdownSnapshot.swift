import PlatformModules
import StyledText
import Testing

/// Expected renderings, in files beside the tests.
///
/// `ISSUES_RECORD_SNAPSHOTS=1` in the environment rewrites the files. Read the difference.
enum MarkdownSnapshot {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Snapshots")

  /// A document, by name.
  static func document(_ name: String) throws -> String {
    String(
      decoding: try Data(contentsOf: folder.appending(path: "\(name).md")), as: UTF8.self)
  }

  /// Compares lines with a file, which has `␛` for escape characters.
  static func expect(
    _ lines: [StyledLine], in mode: ColorMode = .none, links: Bool = false, named name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = lines.map { $0.rendered(in: mode, links: links) + "\n" }.joined()
      .replacing("\u{1B}", with: "␛")
    let file = folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["ISSUES_RECORD_SNAPSHOTS"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == expected, sourceLocation: sourceLocation)
  }
}
