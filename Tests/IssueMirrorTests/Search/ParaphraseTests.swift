import GitHubAPI
import PlatformModules
import TestSupport
import TestTraits
import Testing

@testable import IssueMirror

/// Reports that repeat recorded issues in other words, written without knowledge of the ranking. Its constants were
/// fitted to `tuning.json`, and nothing was fitted to `judged.json`.
@Suite(
  "Paraphrases of recorded issues",
  .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"),
  .timeLimit(.minutes(5)))
struct ParaphraseTests {
  struct Paraphrases: Decodable {
    struct Report: Decodable {
      var number: Int?
      var also: [Int]?
      var title: String
      var body: String
    }

    var reports: [Report]
    var unrelated: [Report]

    init(_ name: String) throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
      let data = try Data(contentsOf: folder.appending(path: "Paraphrases/\(name).json"))
      self = try JSONDecoder().decode(Self.self, from: data)
    }
  }

  /// A store with the recorded issues.
  private static func filled(
    _ engine: StoreEngine
  ) async throws -> (StoreUnderTest, MirroredRepository) {
    let test = try await engine.make()
    let repository = try await test.record()
    let recorded = try RecordedExchanges(file: "issues-02-closed-16-pages-2019.json")
    for exchange in recorded.exchanges {
      let page = try FeedPage(Data(exchange.body.utf8), of: .items)
      _ = try await test.store.store(page, of: repository, sweep: nil, at: StoreUnderTest.now)
    }
    return (test, repository)
  }

  private static func found(
    _ report: Paraphrases.Report, _ test: StoreUnderTest, _ repository: MirroredRepository
  ) async throws -> [SearchResult] {
    try await test.store.similarIssues(
      to: SimilarIssuesQuery(.text(title: report.title, body: report.body)), in: repository,
      limit: 10)
  }

  /// Plain BM25 over the words of a report has a mean reciprocal rank of 0.65 and 0.66, and finds 22 and 26 issues among
  /// the first five.
  @Test(
    "the issue that a report repeats is usually the first, and nearly always among the first five",
    arguments: [("tuning", 0.82, 27), ("judged", 0.75, 27)])
  func ranking(_ set: String, _ leastRank: Double, _ leastFirstFive: Int) async throws {
    let (test, repository) = try await Self.filled(StoreEngine.all[0])
    var (reciprocals, firstFive) = (0.0, 0)
    let reports = try Paraphrases(set).reports
    for report in reports {
      let same = Set([report.number].compactMap(\.self) + (report.also ?? []))
      let found = try await Self.found(report, test, repository)
      guard let place = found.firstIndex(where: { same.contains($0.issue.number) }) else {
        continue
      }
      reciprocals += 1 / Double(place + 1)
      if place < 5 { firstFive += 1 }
    }
    #expect(reciprocals / Double(reports.count) >= leastRank)
    #expect(firstFive >= leastFirstFive)
  }

  @Test("an unrelated report has a low score or none", arguments: ["tuning", "judged"])
  func unrelated(_ set: String) async throws {
    let (test, repository) = try await Self.filled(StoreEngine.all[0])
    for report in try Paraphrases(set).unrelated {
      let found = try await Self.found(report, test, repository)
      #expect(found.allSatisfy { $0.score < 0.15 }, "\(report.title) \(found.map(\.score))")
    }
  }

  @Test("both engines return the same issues with the same scores")
  func engines() async throws {
    let paraphrases = try Paraphrases("tuning")
    var results: [[[String]]] = []
    for engine in StoreEngine.all {
      let (test, repository) = try await Self.filled(engine)
      var rows: [[String]] = []
      for report in paraphrases.reports {
        rows.append(
          try await Self.found(report, test, repository).map { "\($0.issue.number) \($0.score)" })
      }
      results.append(rows)
    }
    for other in results.dropFirst() {
      for (report, (one, two)) in zip(paraphrases.reports, zip(results[0], other)) {
        #expect(one == two, "\(report.title)")
      }
    }
  }
}
