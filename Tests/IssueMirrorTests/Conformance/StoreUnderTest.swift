import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport
import Testing

/// An engine whose stores have to pass the suites of this folder.
struct StoreEngine: Sendable, CustomTestStringConvertible {
  let name: String
  /// Makes an empty store.
  let make: @Sendable () async throws -> StoreUnderTest

  var testDescription: String { name }

  static let all =
    [
      StoreEngine(name: "SQLite") {
        let folder = try ScratchFolder()
        let path = folder["mirror.db"]
        return StoreUnderTest(store: try Mirror(path: path), keeping: folder) {
          try Mirror(path: path)
        }
      }
    ]
    + (PostgresServer.isInstalled
      ? [StoreEngine(name: "PostgreSQL") { try await PostgresServer.makeStore() }] : [])

  /// Also PostgreSQL behind a pooler, which gives each transaction another connection.
  static let withPooler =
    all
    + (PgBouncer.isInstalled
      ? [
        StoreEngine(name: "PgBouncer") {
          try await PostgresServer.makeStore(
            address: PgBouncer.running(.transaction).address)
        }
      ] : [])
}

/// A store, and what tests do to it.
struct StoreUnderTest: Sendable {
  let store: any IssueStore
  /// Another connection to the same store, as another process has it.
  let another: @Sendable () async throws -> any IssueStore
  private let resource: any Sendable

  /// When things happen where it doesn't matter.
  static let now = TestMirror.now

  init(
    store: any IssueStore, keeping resource: any Sendable,
    another: @escaping @Sendable () async throws -> any IssueStore
  ) {
    self.store = store
    self.resource = resource
    self.another = another
  }

  /// Makes a repository known.
  func record(
    id: Int64 = 1, name: String = "swiftlang/swift", openCount: Int? = nil,
    under former: RepositoryName? = nil, at seen: Date = now
  ) async throws -> MirroredRepository {
    let repository = GitHub.Repository(id: id, fullName: name, openIssuesCount: openCount)
    return try await store.record(
      repository, json: try GitHubJSON.encoder().encode(repository), on: "github.com",
      under: former, at: seen)
  }

  /// Stores issues as a page of them.
  @discardableResult
  func keep(
    _ issues: [GitHub.Issue], of repository: MirroredRepository, asked: FeedPage.Asked? = nil,
    sweep: Sweep? = nil, at seen: Date = now
  ) async throws -> SyncReport.Counts {
    var page = try TestMirror.page(issues)
    if let asked { page.note(asked) }
    return try await store.store(page, of: repository, sweep: sweep, at: seen).counts
  }

  /// Stores comments as a page of them.
  @discardableResult
  func keep(
    _ comments: [(number: Int, comment: IssueComment)], of repository: MirroredRepository,
    asked: FeedPage.Asked? = nil
  ) async throws -> SyncReport.Counts {
    var page = try TestMirror.comments(comments)
    if let asked { page.note(asked) }
    return try await store.store(page, of: repository, sweep: nil, at: Self.now).counts
  }

  /// The titles of what is kept, by number.
  func titles(of repository: MirroredRepository) async throws -> [Int: String] {
    let issues = try await store.sentIssues(
      of: repository, filter: IssueFilter(state: .all), limit: nil, includesPullRequests: true)
    return Dictionary(uniqueKeysWithValues: issues.map { ($0.entity.number, $0.entity.title) })
  }

  /// The numbers that a search finds, in its order.
  func found(_ text: String, in repository: MirroredRepository) async throws -> [Int] {
    let listing = try await store.find(
      SearchQuery(parsing: text), in: [repository], limit: 1_000)
    return try await store.results(0..<listing.resultsCount, of: listing).map(\.issue.number)
  }
}
