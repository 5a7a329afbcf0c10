internal import CurlTransport
internal import IssueMirror
internal import IssueTracker
internal import TerminalMarkdown
internal import TerminalScreen

/// The versions in `issues --version --verbose`. Most libraries are linked statically, so system updates don't update
/// them.
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
