import GitHubAPI
import PlatformModules
import TestSupport
import TestTraits
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "A search with very many matches", .tags(.heavy),
  .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
  .timeLimit(.minutes(5)))
struct BoundedSearchTests {
  /// Of more than 32 repositories, a statement doesn't name the words.
  private static let repositories = 70
  private static let perRepository = 3
  private static let count = repositories * perRepository
  /// As if these few were very many.
  private static let bounds = PostgresSearch.Bounds(
    rankedPhrases: 5, newestTexts: 10, mostJoined: 20, mostSortedFirst: 40)

  private static func mirror() async throws -> (PostgresMirror, [MirroredRepository]) {
    let mirror = try await PostgresMirror(
      connecting: try await PostgresServer.running().address, schema: PostgresServer.newSchema())
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    var repositories: [MirroredRepository] = []
    for id in 1...Self.repositories {
      let repository = try await test.record(id: Int64(id), name: "a/b\(id)")
      let issues = (0..<Self.perRepository).map { index in
        // From the newest to the oldest, in another order than by their changes.
        let age = index * Self.repositories + id
        var issue = GitHub.Issue.numbered(
          index + 1, "Title", updated: 1_700_000_000 + age * 7 % Self.count)
        issue.createdAt = Date(timeIntervalSince1970: Double(1_600_000_000 - age))
        issue.body = age.isMultiple(of: 4) ? "a bad crash" : "a crash, bad"
        issue.commentsCount = age % 5
        issue.labels = age.isMultiple(of: 3) ? [GitHub.Label(name: "bug")] : []
        return issue
      }
      try await test.keep(issues, of: repository)
      try await test.keep([(1, IssueComment(id: Int64(id), body: "bad crash"))], of: repository)
      repositories.append(repository)
    }
    return (mirror, repositories)
  }

  private static func found(
    _ text: String, _ mirror: PostgresMirror, _ repositories: [MirroredRepository], limit: Int,
    bounds: PostgresSearch.Bounds
  ) async throws -> PostgresSearch.Found {
    let query = try SearchQuery(parsing: text)
    return try await mirror.reading { db in
      try PostgresSearch(query, in: repositories.map(\.id), bounds: bounds, db)
        .found(limit: limit, db)
    }
  }

  @Test(
    "a search with very many matches sorts as if it had compared all matches",
    arguments: [0, 1, 36, 68])
  func sorting(without: Int) async throws {
    let (mirror, all) = try await Self.mirror()
    let repositories = Array(all.dropFirst(without))
    let searches = [
      "crash", "crash -title", "crash label:bug", "bad in:comments", "hang", "\"bad crash\"",
    ]
    let orders = ["updated", "updated-asc", "created", "comments", "comments-asc"]
    let texts = searches.flatMap { words in orders.map { "\(words) sort:\($0)" } }
    let runs = texts.flatMap { text in [1, 7, 60].map { (text, $0) } }
    for (text, limit) in runs.sampled(every: 7) {
      let bounded = try await Self.found(
        text, mirror, repositories, limit: limit, bounds: Self.bounds)
      let whole = try await Self.found(
        text, mirror, repositories, limit: limit, bounds: PostgresSearch.Bounds())
      #expect(bounded.hits == whole.hits, "\(text) \(limit)")
      let keys = Set(repositories.map(\.id))
      #expect(bounded.hits.allSatisfy { keys.contains($0.repository) })
    }
  }

  @Test("a search with very many matches ranks the newest matches of a phrase")
  func phrases() async throws {
    let (mirror, repositories) = try await Self.mirror()
    let whole = try await Self.found(
      "\"bad crash\" in:body", mirror, repositories, limit: 300, bounds: PostgresSearch.Bounds())
    #expect(whole.hits.count == Self.count / 4)
    #expect(whole.isExhaustive)
    #expect(whole.count == Self.count / 4)
    let bounded = try await Self.found(
      "\"bad crash\" in:body", mirror, repositories, limit: 300, bounds: Self.bounds)
    #expect(!bounded.isExhaustive)
    #expect(bounded.count == nil)
    #expect((5..<Self.count / 4).contains(bounded.hits.count))
    // The age of a hit, from its repository and number.
    let places = Dictionary(uniqueKeysWithValues: repositories.map { ($0.id, Int($0.serverID)) })
    let ages = bounded.hits.compactMap { hit in
      places[hit.repository].map { (hit.number - 1) * Self.repositories + $0 }
    }
    #expect(ages.sorted() == (1...ages.count).map { $0 * 4 })
    // A phrase that no text has is searched for everywhere.
    let none = try await Self.found(
      "\"crash bad crash\"", mirror, repositories, limit: 300, bounds: Self.bounds)
    #expect(none.hits.isEmpty && none.isExhaustive)
  }

  @Test(
    "a search with very many matches ranks the newest matches of a prefix"
  )
  func prefixes() async throws {
    let (mirror, repositories) = try await Self.mirror()
    let searches = [
      "cra* in:body", "cra* label:bug in:body", "cra* label:bug is:open -title in:body",
      "ba* cr* in:title,body", "\"bad crash\" cra* in:body", "cre* in:body",
    ]
    for text in searches {
      var bounds = Self.bounds
      bounds.rankedCount = 12
      bounds.rankedPhrases = 12
      // There are fewer texts.
      bounds.newestTexts = 1_000
      let byIndex = try await Self.found(
        text, mirror, repositories, limit: 300, bounds: bounds)
      for (newest, most) in [(10, 10), (10, 40), (20, 200), (1, 1_000)] {
        (bounds.newestTexts, bounds.mostNewestTexts) = (newest, most)
        let found = try await Self.found(text, mirror, repositories, limit: 300, bounds: bounds)
        if text.contains("\"") {
          // Of phrases so many are enough.
          #expect(found.hits.count >= 12 && !found.isExhaustive, "\(text) \(newest) \(most)")
        } else {
          #expect(found.hits == byIndex.hits, "\(text) \(newest) \(most)")
          #expect(found.count == byIndex.count && found.isExhaustive == byIndex.isExhaustive)
        }
      }
    }
  }

  @Test(
    "a search with very many matches ranks older issues with the words in the title"
  )
  func titles() async throws {
    let (mirror, repositories) = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    var old = GitHub.Issue.numbered(100, "Crash")
    old.createdAt = Date(timeIntervalSince1970: 1_000_000_000)
    try await test.keep([old], of: repositories[0])
    var bounds = Self.bounds
    bounds.rankedCount = 12
    let found = try await Self.found(
      "crash in:title,body", mirror, repositories, limit: 5, bounds: bounds)
    #expect(found.hits.first?.number == 100)
    #expect(!found.isExhaustive)
    // Their titles are all the same.
    let titles = try await Self.found(
      "title in:title,body", mirror, repositories, limit: 5, bounds: bounds)
    #expect(titles.hits.count == 5 && titles.count == nil)
  }
}
