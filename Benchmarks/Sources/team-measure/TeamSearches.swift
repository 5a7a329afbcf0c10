import BenchmarkCorpus
import IssueMirror
import IssueMirrorPostgres

/// Searches of the large mirror: the server's processor time, and the longest that a caller waited.
struct TeamSearches: Sendable {
  let database: TeamDatabase
  let schema: String

  private struct Times {
    var processor: [Double] = []
    var waiting: [Double] = []

    var late: Double { processor.percentile(0.95) }
    var text: String { "\(Row.short(late)) ms" }
  }

  func rows() async throws -> [Row] {
    let (mirrors, backends) = try await database.mirrors(1, schema)
    let mirror = mirrors[0]
    let all = try await mirror.repositories()
    var corpus = Corpus(seed: 99)
    let pairs = (0..<200).map { _ in "\(corpus.word()) \(corpus.word())" }
    func times(
      _ queries: some Sequence<String>, in repositories: [MirroredRepository], limit: Int = 30
    ) async throws -> Times {
      var times = Times()
      for text in queries {
        let query = try SearchQuery(parsing: text)
        let (time, start) = (try backends.time(), ContinuousClock.now)
        _ = try await mirror.find(query, in: repositories, limit: limit)
        times.waiting.append((ContinuousClock.now - start).milliseconds)
        times.processor.append((try backends.time() - time) * 1e3)
      }
      return times
    }
    // What is measured is searching, not reading the disk.
    _ = try await times(pairs, in: all)

    let organization = try await times(pairs, in: all)
    // A limit beyond what is ranked otherwise ranks all matches.
    let ranked = try await times(pairs, in: all, limit: 1_001)
    let facets = try await times(pairs.map { "is:open label:\"label 7\" \($0)" }, in: all)
    let author = try await times(pairs.map { "author:user7 \($0)" }, in: all)
    let single = try await times(pairs, in: [all[all.count / 2]])
    let phrase = try await times(pairs.prefix(100).map { "\"\($0)\"" }, in: all)
    let prefix = try await times(
      pairs.prefix(100).map { pair in
        let words = pair.split(separator: " ")
        return "\(words[0]) \(words[1].prefix(2))*"
      }, in: all)
    let filters = [
      "label:\"label 7\"", "author:user7", "-author:user7 label:\"label 3\"", "no:assignee",
    ]
    func filtered(_ order: String) async throws -> (all: Times, single: Times) {
      let queries = filters.flatMap { filter in
        (0..<10).map { _ in "is:open \(filter) sort:\(order)" }
      }
      return (
        try await times(queries, in: all), try await times(queries, in: [all[all.count / 2]])
      )
    }
    let (created, changed) = (try await filtered("created"), try await filtered("updated"))
    let without = try await times(
      (0..<100).map { _ in "\(corpus.word()) -\(corpus.word())" }, in: all)
    let updated = try await times(pairs.map { "sort:updated \($0)" }, in: all)

    let kind = "two words"
    func row(_ what: String, _ times: Times, atMost target: Double) -> Row {
      Row(
        what: "\(what): 95th percentile", here: times.text,
        peer: "\(Row.short(times.processor.median)) ms (median), "
          + "\(Row.short(times.waiting.max() ?? 0)) ms (the longest wait)",
        value: times.late, relation: .atMost, target: target, unit: " ms")
    }
    return [
      Row(
        what: "\(kind) in all repositories, the newest 1,000 ranked against all: 95th percentile",
        here: organization.text, peer: ranked.text, value: organization.late / ranked.late,
        relation: .atMost, target: 0.05, unit: "×"),
      Row(
        what: "\(kind), open ones with a label, against all: 95th percentile", here: facets.text,
        peer: organization.text, value: facets.late / organization.late, relation: .atMost,
        target: 1.5, unit: "×"),
      row("\(kind) in one repository", single, atMost: 20),
      row("\(kind) in all repositories", organization, atMost: 500),
      row("\(kind), open ones with a label", facets, atMost: 500),
      row("\(kind), an author's", author, atMost: 500),
      row("a phrase of \(kind)", phrase, atMost: 500),
      row("a word and the beginning of another", prefix, atMost: 500),
      row("\(kind), by the latest change", updated, atMost: 2_000),
      row("open ones by a property, by creation", created.all, atMost: 200),
      row("open ones by a property, by change", changed.all, atMost: 200),
      row("open ones of one repository by a property, by creation", created.single, atMost: 50),
      row("open ones of one repository by a property, by change", changed.single, atMost: 50),
      row("a word without another", without, atMost: 150),
    ]
  }
}
