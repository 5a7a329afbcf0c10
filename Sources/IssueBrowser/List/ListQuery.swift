internal import GitHubAPI
package import IssueMirror
internal import IssueTracker

package enum ListQuery: Sendable, Hashable {
  case nothing
  /// An incomplete name with a slash, such as `apple/`. Nobody is asked.
  case incomplete
  case repositories(String)
  case issues(RepositoryReference, IssueFilter)
  /// Issues of the mirror alone: those that the search finds, or without one those of the filter.
  case mirrored(RepositoryReference, IssueFilter, Search?)

  package struct Search: Sendable, Hashable {
    package let text: String
    package let query: SearchQuery

    /// Reads a search as it is typed into the filter.
    ///
    /// - Throws: ``GitHubAPI/InvalidInput`` for a text that is no search.
    package init(_ text: String) throws(InvalidInput) {
      self.text = text
      query = try SearchQuery(filtering: text)
    }
  }

  /// Reads a text: with a slash it is a repository's name or an address, without a slash words to search for.
  package init(_ text: String) {
    let words = text.split { $0.isWhitespace }
    guard !words.isEmpty else {
      self = .nothing
      return
    }
    guard text.contains("/") else {
      self = .repositories(words.joined(separator: " "))
      return
    }
    guard words.count == 1, let reference = try? RepositoryReference(parsing: String(words[0]))
    else {
      self = .incomplete
      return
    }
    self = .issues(reference, IssueFilter())
  }

  /// The number of the issue in a typed address; nil for none.
  package var issueNumber: Int? {
    if case .issues(let reference, _) = self { reference.issueNumber } else { nil }
  }

  /// The pause in typing before the server is asked; nil if nobody is asked.
  ///
  /// A pause, not a throttle: the first letters of a name would count against the few searches that GitHub allows
  /// a minute.
  package var pause: Duration? {
    switch self {
    case .nothing, .incomplete: nil
    case .repositories: .milliseconds(300)
    case .issues: .milliseconds(500)
    case .mirrored: .zero
    }
  }
}
