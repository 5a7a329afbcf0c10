internal import IssueOutbox
internal import IssueTracker

/// An issue on the server, or `new-1` in the outbox.
struct NamedIssue: Sendable, Hashable {
  let place: Place
  let target: IssueTarget

  /// The number; nil for an issue in the outbox.
  var number: Int? {
    if case .number(let number) = target { number } else { nil }
  }

  /// The word for the issue: `12`, or `new-1` for an issue in the outbox.
  var word: String {
    switch target {
    case .number(let number): "\(number)"
    case .pending(let id): "new-\(id)"
    }
  }
}

/// The issues on a command line: `12`, `#12`, `OWNER/REPO#12`, a URL, or `new-1`.
struct IssueArguments: Sendable, Hashable {
  private struct Word: Sendable, Hashable {
    var repository: RepositoryReference?
    var target: IssueTarget
  }

  private let words: [Word]
  private let repo: String?

  /// Parses arguments. A repository before the numbers applies to all of them.
  init(_ arguments: [String], repo: String?) throws {
    var arguments = arguments[...]
    var common: RepositoryReference?
    if let first = arguments.first, arguments.count > 1, first.contains("/"),
      (try? IssueReference(parsing: first)) == nil
    {
      common = try RepositoryReference(parsing: first)
      arguments.removeFirst()
    }
    self.repo = repo
    words = try arguments.map { argument in
      if let entry = OutboxEntry.ID(temporaryName: argument) {
        return Word(repository: common, target: .pending(entry))
      }
      let issue: IssueReference
      do throws(InvalidInput) {
        issue = try IssueReference(parsing: argument)
      } catch {
        guard argument.contains("/"), (try? RepositoryReference(parsing: argument)) != nil else {
          throw error
        }
        throw CommandFailure(
          .usage,
          "\(argument) is a repository: the numbers of issues come after it, as in '\(argument) 12'"
        )
      }
      return Word(repository: issue.repository ?? common, target: .number(issue.number))
    }
  }

  var isOne: Bool { words.count == 1 }

  /// Whether a word could be an issue, or the repository before its number.
  static func isPossible(_ word: String) -> Bool {
    OutboxEntry.ID(temporaryName: word) != nil || (try? IssueReference(parsing: word)) != nil
      || word.contains("/") && (try? RepositoryReference(parsing: word)) != nil
  }

  /// - Throws: The errors of ``CommandSession/place(of:apiURL:)``, and ``CommandFailure`` for a `new-1` that isn't in
  ///   the outbox.
  func issues(in session: CommandSession, apiURL: String?, outbox: Outbox?) async throws
    -> [NamedIssue]
  {
    var issues: [NamedIssue] = []
    for word in words {
      let issue: NamedIssue
      if case .pending(let id) = word.target {
        let entries = try await outbox?.entries() ?? []
        issue = try Self.created(by: entries.first { $0.id == id }, named: id)
      } else {
        let choice = try RepositoryChoice(word.repository, option: repo)
        issue = NamedIssue(
          place: try await session.place(of: choice, apiURL: apiURL), target: word.target)
      }
      if !issues.contains(issue) { issues.append(issue) }
    }
    return issues
  }

  private static func created(
    by entry: OutboxEntry?, named id: OutboxEntry.ID
  ) throws(CommandFailure) -> NamedIssue {
    guard let entry, case .createIssue = entry.change else {
      throw CommandFailure(
        .notFound, "there is no new-\(id) in the outbox\n'issues outbox' lists what is.")
    }
    let place = Place(name: entry.repository, server: entry.server)
    if let number = entry.answer?.number {
      return NamedIssue(place: place, target: .number(number))
    }
    return NamedIssue(place: place, target: .pending(id))
  }
}

extension OutboxEntry.ID {
  /// Reads a temporary name such as `new-1`.
  init?(temporaryName text: String) {
    guard text.hasPrefix("new-"), let id = Int64(text.dropFirst(4)), id > 0 else { return nil }
    self = id
  }
}
