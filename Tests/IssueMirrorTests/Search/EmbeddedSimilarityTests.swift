import ConcurrencyPrimitives
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Similar issues with a model", .timeLimit(.minutes(5)))
struct EmbeddedSimilarityTests {
  /// A model that knows which words mean the same.
  private final class Model: Sendable {
    private static let meanings = [
      ["login", "authentication"], ["crash", "abort"], ["slow", "delay"], ["color", "palette"],
      ["docs", "manual"], ["tests", "checks"],
    ]

    let calls = Watched<[[String]]>([])

    var embedder: TextEmbedder {
      TextEmbedder(name: "model") { [calls] texts in
        calls.update { $0.append(texts) }
        return texts.map { text in
          Self.meanings.enumerated().map { place, words in
            0.1 * Float((text.utf8.count + place) % 3)
              + (words.contains { text.lowercased().contains($0) } ? 1 : 0)
          }
        }
      }
    }
  }

  private static func issue(_ number: Int, _ title: String, at time: Int = 1) -> GitHub.Issue {
    GitHub.Issue(
      id: Int64(number), number: number, title: title,
      updatedAt: Date(timeIntervalSince1970: Double(1_700_000_000 + time)))
  }

  private static let issues: [GitHub.Issue] =
    ["crash", "slow", "color", "docs", "tests"].enumerated().flatMap { place, word in
      (0..<4).map { issue(10 * place + $0 + 1, "The \(word) of part \($0)") }
    } + [issue(60, "Broken authentication")]

  @Test(
    "an issue without a common word is found by its meaning, and unrelated ones aren't",
    arguments: StoreEngine.all)
  func meaning(engine: StoreEngine) async throws {
    let (test, folder) = (try await engine.make(), try ScratchFolder())
    let repository = try await test.record()
    try await test.keep(Self.issues, of: repository)
    let query = SimilarIssuesQuery(.text(title: "Impossible login", body: ""))
    let words = try await test.store.similarIssues(to: query, in: repository, limit: 5)
    #expect(words.isEmpty)
    let similarity = EmbeddedSimilarity(
      embedder: Model().embedder, file: try VectorFile(path: folder["vectors.db"]))
    let found = try await similarity.similarIssues(
      to: query, in: repository, of: test.store, limit: 5)
    #expect(found.map(\.issue.number) == [60])
    #expect(found.allSatisfy { $0.score > 0.02 && $0.score < 1 })
    #expect(found.first?.title == [SnippetPart("Broken authentication")])
    let none = try await similarity.similarIssues(
      to: SimilarIssuesQuery(query.subject, state: .closed), in: repository, of: test.store,
      limit: 5)
    #expect(none.isEmpty)
  }

  @Test("a vector is computed once, again after a change, and removed with its issue")
  func vectors() async throws {
    let (test, folder, model) = (
      try await StoreEngine.all[0].make(), try ScratchFolder(), Model()
    )
    let repository = try await test.record()
    try await test.keep(Self.issues, of: repository)
    let file = try VectorFile(path: folder["vectors.db"])
    let similarity = EmbeddedSimilarity(embedder: model.embedder, file: file)
    func find(_ subject: SimilarIssuesQuery.Subject) async throws -> [Int] {
      try await similarity.similarIssues(
        to: SimilarIssuesQuery(subject), in: repository, of: test.store, limit: 5
      ).map(\.issue.number)
    }
    _ = try await find(.issue(60))
    #expect(model.calls.current.map(\.count) == [21])
    _ = try await find(.issue(1))
    #expect(model.calls.current.count == 1)
    try await test.keep([Self.issue(60, "Broken login", at: 2)], of: repository)
    #expect(try await find(.text(title: "Authentication", body: "")) == [60])
    #expect(model.calls.current.last == ["Broken login\n\n", "Authentication\n\n"])
    let asked = try await test.store.ticket(of: repository)
    _ = try await test.store.bury(
      60, .deleted, of: repository, at: StoreUnderTest.now, asked: asked)
    #expect(try await find(.text(title: "Authentication", body: "")) == [])
    let kept = try await file.entries(of: repository, model: "model")
    #expect(Set(kept.keys) == Set(Self.issues.map(\.number)).subtracting([60]))
  }

  @Test("after a failure of the model, the next call continues with the other issues")
  func continuation() async throws {
    struct Failure: Error {}
    let (test, folder, model) = (
      try await StoreEngine.all[0].make(), try ScratchFolder(), Model()
    )
    let repository = try await test.record()
    try await test.keep((1...1_500).map { Self.issue($0, "Slow start \($0)") }, of: repository)
    let file = try VectorFile(path: folder["vectors.db"])
    let failing = TextEmbedder(name: "model") { texts in
      guard texts.count == 1_000 else { throw Failure() }
      return try await model.embedder.vectors(texts)
    }
    let progress = Watched<[[Int]]>([])
    func find(_ embedder: TextEmbedder) async throws {
      _ = try await EmbeddedSimilarity(embedder: embedder, file: file).similarIssues(
        to: SimilarIssuesQuery(.issue(1)), in: repository, of: test.store, limit: 5
      ) { done, all in progress.update { $0.append([done, all]) } }
    }
    await #expect(throws: Failure.self) { try await find(failing) }
    try await find(model.embedder)
    #expect(model.calls.current.map(\.count) == [1_000, 500])
    #expect(progress.current == [[0, 1_500], [1_000, 1_500], [0, 500]])
  }

  @Test(
    "vectors of another length, and a file that isn't a database, are errors that name the file")
  func damage() async throws {
    let (test, folder) = (try await StoreEngine.all[0].make(), try ScratchFolder())
    let repository = try await test.record()
    try await test.keep(Self.issues, of: repository)
    let path = folder["vectors.db"]
    func find(_ length: Int, _ number: Int) async throws {
      let embedder = TextEmbedder(name: "model") {
        $0.map { _ in [Float](repeating: 1, count: length) }
      }
      _ = try await EmbeddedSimilarity(embedder: embedder, file: try VectorFile(path: path))
        .similarIssues(
          to: SimilarIssuesQuery(.text(title: "Login", body: "")), in: repository, of: test.store,
          limit: 5)
    }
    try await find(3, 1)
    await #expect {
      try await find(4, 2)
    } throws: {
      "\($0)".contains(path) && "\($0)".contains("different lengths")
    }
    try folder.write(
      Data("not a database, but long enough to be read as one".utf8), to: "vectors.db")
    #expect {
      _ = try VectorFile(path: path)
    } throws: {
      "\($0)".contains("The vectors in \(path) can't be used")
    }
  }

  @Test(
    "the probability grows with the cosine and with the words, and is defined for any number of issues"
  )
  func scores() {
    let cosines = Dictionary(uniqueKeysWithValues: (1...100).map { ($0, Double($0 % 7) / 10) })
    let all = EmbeddedSimilarity.scores(
      of: cosines.merging([200: 0.9, 201: 0.9]) { $1 }, [200: 0.5])
    #expect(all[200]! > all[201]! && all[201]! > all[6]!)
    #expect(all[200]! > 0.5 && all[6]! < 0.02)
    for count in 0...3 {
      let equal = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 0.5) })
      let scores = EmbeddedSimilarity.scores(of: equal, [:])
      #expect(scores.count == count && scores.values.allSatisfy { $0 < 0.1 })
    }
  }
}
