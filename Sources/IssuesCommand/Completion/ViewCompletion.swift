internal import IssueBrowser

/// Completes the names of views, such as `@triage`. No server is asked.
enum ViewCompletion {
  /// Completes nothing else.
  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    guard prefix.first == "@", let file = ConfigurationFile(environment: World.current.environment),
      let text = try? file.text()
    else { return [] }
    // A view is valid even if another setting isn't.
    return ConfigurationReader.read(text).configuration.views
      .filter { "@\($0.name)".hasPrefix(prefix) }
      .compactMap { ShellCandidate("@\($0.name)", detail: $0.query) }
      .map(\.line)
  }

  /// Completes the names of repositories as well.
  @Sendable static func candidatesOrNames(
    words: [String], index: Int, prefix: String
  ) async -> [String] {
    prefix.first == "@"
      ? await candidates(words: words, index: index, prefix: prefix)
      : await NameCompletion.candidates(words: words, index: index, prefix: prefix)
  }
}
