internal import IssueBrowser

/// Completes the names of views, such as `@triage`. It doesn't send requests.
enum ViewCompletion {
  /// Completes only views.
  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    guard prefix.first == "@", let file = ConfigurationFile(environment: World.current.environment),
      let text = try? file.text()
    else { return [] }
    // A view is valid even if another setting is invalid.
    return ConfigurationReader.read(text).configuration.views
      .filter { "@\($0.name)".hasPrefix(prefix) }
      .compactMap { ShellCandidate("@\($0.name)", detail: $0.query) }
      .map(\.line)
  }

  /// Completes views and the names of repositories.
  @Sendable static func candidatesOrNames(
    words: [String], index: Int, prefix: String
  ) async -> [String] {
    prefix.first == "@"
      ? await candidates(words: words, index: index, prefix: prefix)
      : await NameCompletion.candidates(words: words, index: index, prefix: prefix)
  }
}
