internal import GitHubAPI
package import IssueMirror
internal import IssueTracker

package enum ListQuery: Sendable, Hashable {
  case nothing
  /// A name without its second half, such as `apple/`. No request is made for it.
  case incomplete
  case repositories(String)
  case issues(RepositoryReference, IssueFilter)
  /// The user's notifications.
  case inbox
  /// Issues that a search finds, in the mirror or on the server.
  case searched(ListScope, Search)

  /// The list of issues by a filter in the syntax of GitHub's search.
  ///
  /// - Throws: ``InvalidInput`` if neither a list nor a search supports the filter.
  package static func filtered(
    _ text: String, in scope: ListScope
  ) throws(InvalidInput) -> ListQuery {
    // A list is preferred, because it is complete and needs less work on the server.
    if let reference = scope.reference, let filter = try? IssueFilter(query: text) {
      return .issues(reference, filter)
    }
    return .searched(scope, try Search(text))
  }

  /// The repositories of a list of issues; nil for other queries.
  package var scope: ListScope? {
    switch self {
    case .issues(let reference, _): .repository(reference)
    case .searched(let scope, _): scope
    case .nothing, .incomplete, .repositories, .inbox: nil
    }
  }

  /// The only repository of the query; nil if there may be several.
  package var reference: RepositoryReference? { scope?.reference }

  /// The filter in the syntax that ``filtered(_:in:)`` reads.
  package var filterText: String? {
    switch self {
    case .issues(_, let filter): filter.query
    case .searched(_, let search): search.text
    case .nothing, .incomplete, .repositories, .inbox: nil
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
    case .inbox: .zero
    case .repositories: .milliseconds(300)
    case .issues, .searched: .milliseconds(500)
    }
  }
}
