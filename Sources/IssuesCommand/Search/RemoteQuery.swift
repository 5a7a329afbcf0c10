internal import GitHubAPI

/// What is searched for on GitHub, in the words of GitHub's own search.
///
/// They go there as they were typed: GitHub's language has more words than this package knows, and gets new ones.
struct RemoteQuery: Hashable, Sendable {
  /// The words as they were typed.
  let text: String

  /// Joins the arguments of a command line.
  init(_ arguments: [String]) {
    // A blank may have been put before what begins with a minus: see ``SearchCommand/readable(_:)``.
    text = arguments.map { String($0.drop { $0.isWhitespace }) }.filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// Whether the search says itself where to look.
  var namesPlace: Bool { QueryWord.namesPlace(text) }

  /// The search, in some repositories.
  ///
  /// What holds the repositories to one side of an `OR` is put in parentheses, and so are the repositories:
  /// <https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/filtering-and-searching-issues-and-pull-requests#using-boolean-operators>
  func text(in names: [RepositoryName]) -> String {
    guard !names.isEmpty else { return text }
    let places = names.map { "repo:\($0)" }.joined(separator: " OR ")
    return [
      QueryWord.hasAlternatives(text) ? "(\(text))" : text,
      names.count > 1 ? "(\(places))" : places,
    ].joined(separator: " ")
  }
}
