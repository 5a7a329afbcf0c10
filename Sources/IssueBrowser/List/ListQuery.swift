internal import GitHubAPI
package import IssueMirror
internal import IssueTracker

package enum ListQuery: Sendable, Hashable {
  case nothing
  /// A name without its second half, such as `apple/`. No request is made for it.
  case incomplete
  case repositories(String)
  case issues(RepositoryReference, IssueFilter)
  /// Issues that a search finds, in the mirror or on the server.
  case searched(RepositoryReference, Search)

  /// The list of a repository's issues by a filter in the syntax of GitHub's search.
  ///
  /// - Throws: ``InvalidInput`` if neither a list nor a search supports the filter.
  package static func filtered(
    _ text: String, of reference: RepositoryReference
  ) throws(InvalidInput) -> ListQuery {
    // A list is preferred, because it is complete and needs less work on the server.
    if let filter = try? IssueFilter(query: text) { return .issues(reference, filter) }
    return .searched(reference, try Search(text))
  }

  /// The repository of the query.
  package var reference: RepositoryReference? {
    switch self {
    case .issues(let reference, _), .searched(let reference, _): reference
    case .nothing, .incomplete, .repositories: nil
    }
  }

  /// The filter in the syntax that ``filtered(_:of:)`` reads.
  package var filterText: String? {
    switch self {
    case .issues(_, let filter): filter.query
    case .searched(_, let search): search.text
    case .nothing, .incomplete, .repositories: nil
    }
  }

  /// Reads the text of the search bar. Text with a slash is the name of a repository, an issue such as
  /// `apple/swift#42`, or a URL; any other text is a search.
  package init(_ text: String) {
    let words = text.split { $0.isWhitespace }
    guard !words.isEmpty else {
      self = .nothing
      return
    }
    guard !Self.isCommand(String(words[0])) || words.count > 1 else {
      self = .incomplete
      return
    }
    guard text.contains("/") else {
      self = .repositories(words.joined(separator: " "))
      return
    }
    guard words.count == 1, let reference = Self.reference(String(words[0])) else {
      self = .incomplete
      return
    }
    self = .issues(reference, IssueFilter())
  }

  /// A name or a URL, with the issue number if it is already typed.
  private static func reference(_ word: String) -> RepositoryReference? {
    if let issue = try? IssueReference(parsing: word), let place = issue.repository {
      return RepositoryReference(host: place.host, name: place.name, issueNumber: issue.number)
    }
    return try? RepositoryReference(parsing: word.hasSuffix("#") ? String(word.dropLast()) : word)
  }

  /// The issue of a typed or pasted `#42`, `:42`, `apple/swift#42` or URL; nil for any other text. An issue without a
  /// repository belongs to the list's repository.
  static func issue(_ text: String) -> IssueReference? {
    let word = text.split { $0.isWhitespace }
    guard word.count == 1, let word = word.first else { return nil }
    let text = word.first == ":" ? "#\(word.dropFirst())" : String(word)
    // Digits alone are a search.
    return text.contains { $0 == "#" || $0 == "/" } ? try? IssueReference(parsing: text) : nil
  }

  /// Whether text is a `#` or `:`, optionally followed by digits. It names an issue of the list's repository.
  package static func isNumber(_ text: some StringProtocol) -> Bool {
    (text.first == "#" || text.first == ":")
      && text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Whether text is a number, or a command such as `:q`. It has no effect until it is entered.
  static func isCommand(_ text: String) -> Bool { text.first == ":" || isNumber(text) }

  /// The time to wait after the last key before a request; nil for no request. A throttle would instead use up GitHub's
  /// few searches per minute on the first letters of a name.
  package var pause: Duration? {
    switch self {
    case .nothing, .incomplete: nil
    case .repositories: .milliseconds(300)
    case .issues, .searched: .milliseconds(500)
    }
  }
}
