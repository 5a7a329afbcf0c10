internal import GitHubAPI
internal import PlatformModules

/// Finds similar issues by their words, and by the vectors of a model.
///
/// A model's cosines have no common scale, so the measure is how far an issue's cosine stands out: its distance from the
/// repository's mean in standard deviations, less the largest distance that is expected among so many unrelated texts. A
/// logistic model combines this with the probability according to the words. Its constants were fitted to
/// all-MiniLM-L6-v2 and the paraphrases to which ``SimilarityRanking`` was fitted. On other paraphrases the mean
/// reciprocal rank is 0.89. It is 0.78 with the words alone, 0.81 with the vectors alone, and 0.85 with reciprocal rank
/// fusion (Cormack, Clarke, Büttcher, 2009), which has no scores that could be compared with a limit.
package struct EmbeddedSimilarity: Sendable {
  /// The texts for one call of a model, after which their vectors are stored.
  private static let batch = 1_000
  /// The probability according to the words for an issue that they don't find.
  private static let leastProbability = 0.005

  private let embedder: TextEmbedder
  private let file: VectorFile

  package init(embedder: TextEmbedder, file: VectorFile) {
    self.embedder = embedder
    self.file = file
  }

  /// The issues that are most similar, the best first, as ``IssueReader/similarIssues(to:in:limit:)`` returns them.
  ///
  /// The first call computes the vectors of all issues, and reports how many there are and how many are done. Later
  /// calls compute those of changed issues. After an interruption, the next call continues.
  package func similarIssues(
    to query: SimilarIssuesQuery, in repository: MirroredRepository, of mirror: any IssueReader,
    limit: Int, progress: @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) async throws -> [SearchResult] {
    var known = Dictionary(
      try await mirror.similarIssues(
        to: query, in: repository, limit: SimilarityRanking.mostCandidates
      ).map { ($0.issue.number, $0) }, uniquingKeysWith: { first, _ in first })
    var subject: (number: Int?, text: String?) = (nil, nil)
    switch query.subject {
    case .issue(let number): subject.number = number
    case .text(let title, let body): subject.text = TextEmbedder.text(title: title, body: body)
    }
    let all = try await Self.issues(of: repository, in: mirror)
    let issues = all.filter {
      query.includesPullRequests || !$0.isPullRequest || $0.number == subject.number
    }
    try await file.removeAll(except: Set(all.map(\.number)), of: repository)
    var (vectors, own) = try await vectors(
      of: issues, and: subject.text, repository, mirror, progress)
    if let number = subject.number { own = vectors.removeValue(forKey: number) }
    for issue in issues where query.state != .all && issue.state.rawValue != query.state.rawValue {
      vectors[issue.number] = nil
    }
    let cosines = vectors.mapValues { own?.cosine($0) ?? 0 }
    let scores = Self.scores(of: cosines, known.mapValues(\.score))
      .filter { $0.value >= SimilarityRanking.leastScore }
      .sorted { ($0.value, $0.key) > ($1.value, $1.key) }
    let snippet = Snippet(matcher: TextMatcher(SearchPhrases(anyOf: [])))
    var results: [SearchResult] = []
    for (number, score) in scores.prefix(max(limit, 0)) {
      if known[number] == nil, let sent = try await mirror.sentIssue(number, of: repository) {
        known[number] = SearchResult(
          repository: repository, issue: sent.entity, json: sent.json,
          title: snippet.whole(sent.entity.title),
          snippet: snippet.best(of: sent.entity.body ?? ""),
          isComment: false, score: score)
      }
      known[number]?.score = score
      if let result = known[number] { results.append(result) }
    }
    return results
  }

  /// The probabilities that issues report the same, by their cosines and by the probabilities according to the words.
  static func scores(
    of cosines: [Int: Double], _ probabilities: [Int: Double]
  ) -> [Int: Double] {
    let count = Double(max(cosines.count, 1))
    let mean = cosines.values.reduce(0, +) / count
    let variance = cosines.values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    let deviation = max(variance.squareRoot(), .leastNormalMagnitude)
    let expected = (2 * log(count)).squareRoot()
    return Dictionary(
      uniqueKeysWithValues: cosines.map { number, cosine in
        let words = min(max(probabilities[number] ?? 0, Self.leastProbability), 0.999)
        let distance = (cosine - mean) / deviation - expected
        return (number, 1 / (1 + exp(-(1 + 0.83 * log(words / (1 - words)) + 1.7 * distance))))
      })
  }

  /// All issues and pull requests, without their texts.
  private static func issues(
    of repository: MirroredRepository, in mirror: any IssueReader
  ) async throws -> [GitHub.Issue] {
    let list = MirrorList(
      repository: repository, filter: IssueFilter(state: .all), includesPullRequests: true)
    var issues: [GitHub.Issue] = []
    for try await page in mirror.rows(of: list, pageSize: 1_000, withAssignees: false) {
      issues += page
    }
    return issues
  }

  /// The vectors by their issues' numbers, and the vector of another text.
  private func vectors(
    of issues: [GitHub.Issue], and text: String?, _ repository: MirroredRepository,
    _ mirror: any IssueReader, _ progress: (Int, Int) -> Void
  ) async throws -> ([Int: UnitVector], ofText: UnitVector?) {
    var entries = try await file.entries(of: repository, model: embedder.name)
    var waiting = issues.filter { entries[$0.number]?.updated != $0.updatedAt?.seconds ?? 0 }[...]
    let all = waiting.count
    var ofText: UnitVector?
    while !waiting.isEmpty || text != nil && ofText == nil {
      try Task.checkCancellation()
      progress(all - waiting.count, all)
      let batch = waiting.prefix(Self.batch)
      waiting = waiting.dropFirst(Self.batch)
      var texts: [String] = []
      for issue in batch {
        let body = try await mirror.issue(issue.number, of: repository)?.body
        texts.append(TextEmbedder.text(title: issue.title, body: body ?? ""))
      }
      if let text, ofText == nil { texts.append(text) }
      let vectors = try await embedder.vectors(texts).map(UnitVector.init)
      if text != nil, ofText == nil { ofText = vectors.last }
      let new = zip(batch, vectors).map {
        VectorFile.Entry(number: $0.number, updated: $0.updatedAt?.seconds ?? 0, vector: $1)
      }
      try await file.store(new, of: repository, model: embedder.name)
      for entry in new { entries[entry.number] = entry }
    }
    try file.check(Array(entries.values.map(\.vector)) + [ofText].compactMap(\.self))
    let numbers = Set(issues.map(\.number))
    return (entries.filter { numbers.contains($0.key) }.mapValues(\.vector), ofText)
  }
}
