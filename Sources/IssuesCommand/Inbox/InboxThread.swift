internal import IssueTracker
internal import StyledText

/// A thread on the command line: its id, or its issue.
enum InboxThread: Hashable, CustomStringConvertible {
  case id(String)
  /// An issue; without a repository, of the repository of the clone.
  case issue(RepositoryName?, number: Int)

  init(_ word: String) throws {
    if !word.isEmpty, word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      self = .id(word)
      return
    }
    let issue = try IssueReference(parsing: word)
    self = .issue(issue.repository?.name, number: issue.number)
  }

  var isIssue: Bool { if case .issue = self { true } else { false } }

  var description: String {
    switch self {
    case .id(let id): id
    case .issue(let name, let number): "\(name.map { "\($0)" } ?? "")#\(number)"
    }
  }
}
