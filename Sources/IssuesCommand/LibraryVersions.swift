internal import IssueMirror
internal import IssueTracker
internal import TerminalMarkdown
internal import TerminalScreen

/// What the program was built from: `issues --version --verbose`.
///
/// Most of it is linked into the program, where the system's updates don't reach it.
enum LibraryVersions {
  /// Returns a line for the program and one for each library.
  static func described() async -> String {
    let curl: String
    do {
      curl = try await CurlTransport.libraryVersion()
    } catch {
      curl = "libcurl: \(error)"
    }
    return """
      issues \(PackageVersion.current)
      Swift \(_SwiftStdlibVersion.current)
      SQLite \(Mirror.libraryVersion)
      \(Terminal.libraryVersion)
      cmark-gfm \(MarkdownRenderer.parserVersion)
      \(curl)
      """
  }
}
