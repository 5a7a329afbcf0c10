internal import GitHubAPI
package import IssueMirror
internal import IssueTracker

/// What the list is to hold, as it was typed or chosen.
package enum ListQuery: Sendable, Hashable {
  /// Nothing was typed.
  case nothing
  /// What was typed has a slash and is no name yet, such as `apple/`: nothing is asked.
  case incomplete
  /// Repositories: those that the search finds.
  case repositories(String)
  /// The issues of a repository.
  case issues(RepositoryReference, IssueFilter)
  /// Issues of the mirror alone: those that the search finds, or without one those of the filter.
  case mirrored(RepositoryReference, IssueFilter, Search?)

  /// A search in the mirror of a repository.
  package struct Search: Sendable, Hashable {
    /// The search as it was typed.
    package let text: String
    /// Its meaning.
    package let query: SearchQuery

    /// Reads a search as it is typed into the filter.
    ///
    /// - Throws: ``GitHubAPI/InvalidInput`` for a text that is no search.
    package init(_ text: String) throws(InvalidInput) {
      self.text = text
      query = try SearchQuery(filtering: text)
    }
  }

  /// Reads what was typed: with a slash it is a repository's name or an address, without one words to
  /// search for.
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

  /// The issue that an address names, of those that are asked for; nil where it names none.
  package var issueNumber: Int? {
    if case .issues(let reference, _) = self { reference.issueNumber } else { nil }
  }

  /// How long nothing may be typed before it is asked for.
  ///
  /// The search for repositories is asked every 0.3 s at most: a pause of that length keeps to it, and the
  /// first letters of a name, which a throttle would let through at once, don't count against the few
  /// searches that a minute has.
  package var pause: Duration? {
    switch self {
    case .nothing, .incomplete: nil
    case .repositories: .milliseconds(300)
    case .issues: .milliseconds(500)
    case .mirrored: .zero
    }
  }
}
