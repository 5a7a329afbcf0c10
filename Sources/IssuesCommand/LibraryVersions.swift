internal import CurlTransport
internal import IssueMirror
internal import IssueTracker
internal import TerminalMarkdown
internal import TerminalScreen

/// The versions of `issues --version --verbose`: most libraries are linked in, beyond the reach of the system's
/// updates.
enum LibraryVersions {
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
