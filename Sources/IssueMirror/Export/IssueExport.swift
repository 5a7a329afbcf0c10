internal import GRDB
public import IssueTracker

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the mirror keeps of a repository's issues, page by page, all of it as it was at one moment: the very
/// bytes that the server sent.
///
/// ```swift
/// for try await page in mirror.export(of: repository, filter: IssueFilter(state: .all)) {
///   for entry in page { print(entry.number, entry.json.count) }
/// }
/// ```
///
/// While it is read, whoever writes to the mirror goes on writing; no more than a page of it is in memory.
public struct IssueExport: AsyncSequence, Sendable {
  /// An issue or a pull request.
  public struct Entry: Sendable {
    /// Its number.
    public let number: Int
    /// The object that the server sent.
    public let json: Data
    /// Those of its comments, the oldest first; nil where they aren't wanted.
    public let comments: [Data]?

    /// The issue.
    ///
    /// - Throws: ``MirrorFailure`` when it can't be read.
    public func issue() throws -> Issue {
      try Mirror.decode(Issue.self, json, "issue \(number)")
    }

    /// The issue's cells in an ``IssueTable``, in a fraction of the time in which it is decoded.
    ///
    /// - Throws: ``MirrorFailure`` when it can't be read.
    public func cells() throws -> [String] {
      guard let entry = try? FeedPage.Entry(item: json), let issue = entry.exported else {
        return IssueTable.row(of: try issue())
      }
      return IssueTable.row(of: issue)
    }

    /// The comments; none where they aren't wanted.
    ///
    /// - Throws: ``MirrorFailure`` when one can't be read.
    public func decodedComments() throws -> [IssueComment] {
      try (comments ?? []).map {
        try Mirror.decode(IssueComment.self, $0, "a comment on issue \(number)")
      }
    }
  }

  /// A page.
  public typealias Element = [Entry]
  /// What reading can throw.
  public typealias Failure = MirrorFailure

  /// How many entries a page has.
  static let pageSize = 200

  let mirror: Mirror
  let repository: MirroredRepository
  let filter: IssueFilter
  let includesPullRequests: Bool
  let includesComments: Bool

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(export: self) }

  /// Reads page after page.
  public struct Iterator: AsyncIteratorProtocol {
    private enum State {
      case unread
      /// What is left is read in a snapshot.
      case reading(DatabaseSnapshot, ArraySlice<Int64>)
      case ended
    }

    private let export: IssueExport
    private var state = State.unread

    init(export: IssueExport) {
      self.export = export
    }

    /// Returns the next page, or nil after the last, and after an error.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(MirrorFailure) -> [Entry]? {
      do {
        while let (snapshot, keys) = try await Self.remaining(state, of: export) {
          state = .reading(snapshot, keys.dropFirst(IssueExport.pageSize))
          let (export, page) = (export, Array(keys.prefix(IssueExport.pageSize)))
          let entries = try await snapshot.read { db in try export.entries(of: page, db) }
          // A filter may name what was removed meanwhile.
          if !entries.isEmpty { return entries }
        }
        state = .ended
        return nil
      } catch {
        state = .ended
        throw MirrorFailure(any: error, at: export.mirror.path)
      }
    }

    /// The keys that are left, and where to read them; nil when there are none.
    private static func remaining(
      _ state: State, of export: IssueExport
    ) async throws -> (DatabaseSnapshot, ArraySlice<Int64>)? {
      switch state {
      case .unread:
        let database = export.mirror.database
        // On a thread that may wait.
        let snapshot = try await database.read { _ in try database.makeSnapshot() }
        let keys = try await snapshot.read { db in try export.keys(db) }
        return keys.isEmpty ? nil : (snapshot, keys[...])
      case .reading(let snapshot, let keys): return keys.isEmpty ? nil : (snapshot, keys)
      case .ended: return nil
      }
    }
  }

  /// The keys of what is exported, in order.
  private func keys(_ db: Database) throws -> [Int64] {
    let selection = try IssueSelection(
      filter, of: repository, includesPullRequests: includesPullRequests, db)
    return try Int64.fetchAll(db, sql: selection.sql, arguments: selection.arguments)
  }

  private func entries(of keys: [Int64], _ db: Database) throws -> [Entry] {
    let marks = databaseQuestionMarks(count: keys.count)
    let rows = try Row.fetchAll(
      db, sql: "SELECT key, number, json FROM item WHERE key IN (\(marks))",
      arguments: StatementArguments(keys))
    let items = Dictionary(
      uniqueKeysWithValues: try rows.map { row -> (Int64, (number: Int, json: Data)) in
        (try row.value(0), (try row.value(1), try row.value(2)))
      })
    let comments = includesComments ? try comments(on: items.values.map(\.number), db) : [:]
    return keys.compactMap { key in
      items[key].map { item in
        Entry(
          number: item.number, json: item.json,
          comments: includesComments ? comments[item.number] ?? [] : nil)
      }
    }
  }

  private func comments(on numbers: [Int], _ db: Database) throws -> [Int: [Data]] {
    let marks = databaseQuestionMarks(count: numbers.count)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT number, json FROM comment WHERE repository = ? AND number IN (\(marks))
        ORDER BY number, created_at, id
        """, arguments: [repository.id] + StatementArguments(numbers))
    var comments: [Int: [Data]] = [:]
    while let row = try rows.next() {
      comments[try row.value(0), default: []].append(try row.value(1))
    }
    return comments
  }
}

extension FeedPage.Entry {
  /// What an ``IssueTable`` has of the item; nil where that isn't all here.
  fileprivate var exported: Issue? {
    guard let item, !item.isAbridged else { return nil }
    return Issue(
      id: id, number: number, title: item.title, body: body,
      state: IssueState(rawValue: item.state),
      stateReason: item.stateReason.map(StateReason.init(rawValue:)),
      user: author.map { User(login: $0.login) }, labels: item.labels.map { Label(name: $0.name) },
      assignees: item.assignees.map { User(login: $0.login) },
      milestone: item.milestone.map { Milestone(title: $0.title) },
      commentsCount: item.commentsCount, createdAt: createdAt.map(Self.date),
      updatedAt: Self.date(updatedAt), closedAt: item.closedAt.map(Self.date),
      htmlURL: item.htmlURL, pullRequest: item.isPullRequest ? PullRequestLink() : nil)
  }

  private static func date(_ seconds: Int) -> Date {
    Date(timeIntervalSince1970: TimeInterval(seconds))
  }
}

extension Mirror {
  /// Everything that is kept of a repository's issues, to be read page by page: see ``IssueExport``.
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - filter: Which issues, in which order.
  ///   - includesPullRequests: Whether pull requests are given too.
  ///   - includesComments: Whether each comes with its comments.
  /// - Returns: The pages; nothing is read before the first is.
  public func export(
    of repository: MirroredRepository, filter: IssueFilter = IssueFilter(),
    includesPullRequests: Bool = false, includesComments: Bool = false
  ) -> IssueExport {
    IssueExport(
      mirror: self, repository: repository, filter: filter,
      includesPullRequests: includesPullRequests, includesComments: includesComments)
  }
}
