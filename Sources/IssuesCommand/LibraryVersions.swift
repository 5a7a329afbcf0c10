internal import IssueMirror
internal import IssueTracker
internal import TerminalMarkdown
internal import TerminalScreen

/// The versions of `issues --version --verbose`.
///
/// Most libraries are linked into the program, where the system's updates don't reach them.
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
