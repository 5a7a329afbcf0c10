internal import IssueTracker
internal import StyledText

extension CommandSession {
  /// Opens a page in the web browser; where there is none that anybody would see, as in a session over ssh,
  /// the address goes to standard output instead.
  ///
  /// - Throws: ``Browser/Failure``, and ``OutputError`` when the output takes no more.
  func openPage(_ url: String, of server: GitHubServer) async throws {
    let browser = Browser(environment: environment)
    guard !browser.commands.isEmpty else { return try await printPage(url) }
    try await browser.open(url, of: server)
  }

  /// Writes the address of a page to standard output.
  func printPage(_ url: String) async throws {
    try await output.write("\(TerminalText(url))\n")
  }
}
