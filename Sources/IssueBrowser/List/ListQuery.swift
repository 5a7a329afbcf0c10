internal import GitHubAPI
package import IssueMirror
internal import IssueTracker

package enum ListQuery: Sendable, Hashable {
  case nothing
  /// A name without its second half, such as `apple/`. No request is made.
  case incomplete
  case repositories(String)
  case issues(RepositoryReference, IssueFilter)
  /// Issues from the mirror alone, by a search or by the filter.
  case mirrored(RepositoryReference, IssueFilter, Search?)

  package struct Search: Sendable, Hashable {
    package let text: String
    package let query: SearchQuery

    package init(_ text: String) throws(InvalidInput) {
      self.text = text
      query = try SearchQuery(filtering: text)
    }
  }

  /// With a slash, a text is a repository's name or an address; without, words to search for.
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

  package var issueNumber: Int? {
    if case .issues(let reference, _) = self { reference.issueNumber } else { nil }
  }

  /// How long typing must rest before a request; nil for no request. A throttle would spend GitHub's few searches a
  /// minute on the first letters of a name.
  package var pause: Duration? {
    switch self {
    case .nothing, .incomplete: nil
    case .repositories: .milliseconds(300)
    case .issues: .milliseconds(500)
    case .mirrored: .zero
    }
  }
}
