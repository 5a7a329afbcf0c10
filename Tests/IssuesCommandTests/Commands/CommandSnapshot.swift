import PlatformModules
import Testing

/// Output as it is meant to look, in files beside the tests.
///
/// `ISSUES_RECORD_SNAPSHOTS=1` in the environment writes the files anew; read the difference.
enum CommandSnapshot {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots")

  /// Whether the files are written anew.
  static var isRecording: Bool {
    ProcessInfo.processInfo.environment["ISSUES_RECORD_SNAPSHOTS"] == "1"
  }

  /// Compares text with a file, in which escape characters are shown as `␛`.
  static func expect(
    _ text: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let visible = text.replacing("\u{1B}", with: "␛")
    if isRecording { try Data(visible.utf8).write(to: folder.appending(path: name)) }
    let expected = try Self.text(named: name)
    #expect(visible == expected, sourceLocation: sourceLocation)
  }

  /// Reads a file.
  static func text(named name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }
}
