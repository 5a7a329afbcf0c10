import GitHubAPI
import TestSupport
import TestTraits
import Testing

@testable import IssueMirror

@Suite("Similar issues", .tags(.heavy), .timeLimit(.minutes(5)))
struct SimilarIssuesTests {
  private typealias Item = SearchFixture.Item

  @Test("duplicates that share identifiers and frames, but few words, are among the first five")
  func recall() async throws {
    let corpus = DuplicateCorpus(
      seed: 7, others: runsFullTests ? 2_000 : 500, pairs: runsFullTests ? 40 : 15)
    let fixture = try await SearchFixture(corpus.items)
    var (found, foundByText, foundByWords) = (0, 0, 0)
    for (report, duplicate) in corpus.pairs {
      let byNumber = try await fixture.mirror.similarIssues(
        to: SimilarIssuesQuery(.issue(report)), in: fixture.repository, limit: 5)
      if byNumber.contains(where: { $0.issue.number == duplicate }) { found += 1 }
      let item = corpus.items[report - 1]
      let byText = try await fixture.mirror.similarIssues(
        to: SimilarIssuesQuery(.text("\(item.title)\n\n\(item.body ?? "")")),
        in: fixture.repository, limit: 6)
      if byText.contains(where: { $0.issue.number == duplicate }) { foundByText += 1 }
      // The alternative without the feature: a search for any of the first words.
      let words = "\(item.title) \(item.body ?? "")".split(separator: " ").prefix(10)
        .map { "\"\($0)\"" }.joined(separator: " OR ")
      let byWords = try await fixture.results(words, limit: 6)
      if byWords.contains(where: { $0.issue.number == duplicate }) { foundByWords += 1 }
    }
    let count = Double(corpus.pairs.count)
    #expect(Double(found) / count >= 0.9)
    #expect(Double(foundByText) / count >= 0.9)
    #expect(Double(foundByWords) / count < 0.3)
  }

  @Test("an issue isn't similar to itself, and only issues of the requested kind are returned")
  func selection() async throws {
    let text = "The linker crashes in RelocationTable::insert"
    let fixture = try await SearchFixture([
      Item(number: 1, title: text), Item(number: 2, title: text, state: "closed"),
      Item(number: 3, title: text, isPullRequest: true), Item(number: 4, title: "Something else"),
      Item(number: 5, title: "Nothing of it"),
    ])
    let other = try await SearchFixture.repository("c/d", id: 8, in: fixture.mirror)
    try await fixture.store([Item(number: 9, title: text)], of: other)
    func numbers(_ query: SimilarIssuesQuery) async throws -> Set<Int> {
      let found = try await fixture.mirror.similarIssues(
        to: query, in: fixture.repository, limit: 10)
      return Set(found.map(\.issue.number))
    }
    #expect(try await numbers(SimilarIssuesQuery(.issue(1))) == [2])
    #expect(
      try await numbers(SimilarIssuesQuery(.issue(1), includesPullRequests: true)) == [2, 3])
    #expect(try await numbers(SimilarIssuesQuery(.text(text))) == [1, 2])
    #expect(try await numbers(SimilarIssuesQuery(.text(text), state: .open)) == [1])
    #expect(try await numbers(SimilarIssuesQuery(.text(text), state: .closed)) == [2])
    #expect(try await numbers(SimilarIssuesQuery(.text(""))) == [])
    #expect(try await numbers(SimilarIssuesQuery(.text("  \n 🙂 0x00ff00ff 12345"))) == [])
  }

  @Test("a number that isn't mirrored is an error")
  func missing() async throws {
    let fixture = try await SearchFixture([Item(number: 1, title: "A crash")])
    await #expect {
      _ = try await fixture.mirror.similarIssues(
        to: SimilarIssuesQuery(.issue(2)), in: fixture.repository, limit: 5)
    } throws: { error in
      (error as? MirrorFailure)?.code == .notMirrored
    }
  }

  @Test("the score is 1 for equal text, less for partial matches, and lists the shared terms")
  func score() async throws {
    let body = "It stops in swift::TypeChecker::solve when the macro_expander runs."
    let fixture = try await SearchFixture([
      Item(number: 1, title: "Crash of the solver", body: body),
      Item(number: 2, title: "A question", body: "What does macro_expander do when it stops?"),
      Item(number: 3, title: "Docs", body: "Typos"),
    ])
    let found = try await fixture.mirror.similarIssues(
      to: SimilarIssuesQuery(.text(title: "Crash of the solver", body: body)),
      in: fixture.repository, limit: 5)
    #expect(found.map(\.issue.number) == [1, 2])
    let (first, second) = (try #require(found.first), try #require(found.last))
    #expect(first.score > 0.7 && first.score <= 1)
    #expect(second.score > 0 && second.score < 0.3)
    #expect(second.snippet.filter(\.isMatch).map(\.text).contains("macro_expander"))
  }

  @Test(
    "a name is compared as a whole, in any spelling",
    arguments: [
      ("getUserName", "getUserName"), ("Use `user_name`", "user_name is wrong"),
      ("std::vector fails", "at std::vector<int>"), ("Foo.swift:12:3: error", "in Foo.swift:99"),
      ("--enable-library-evolution", "-enable-library-evolution"),
      ("#3 0x0000dead a::b::c(int) + 12", "#9 0x0000beef a::b::c(int) + 99"),
      ("日本語の文字", "これは日本語です"),
    ])
  func names(_ text: String, _ same: String) async throws {
    // Each has the words, not the name.
    let words = [
      "get the name of a user", "user of a name", "a vector, not std", "swift and Foo, c and b, a",
      "evolution of a library to enable", "本日は語学",
    ]
    let items = words.enumerated().map { Item(number: $0.offset + 1, title: $0.element) }
    let fixture = try await SearchFixture(items + [Item(number: 100, title: same)])
    let found = try await fixture.mirror.similarIssues(
      to: SimilarIssuesQuery(.text(title: "", body: text)), in: fixture.repository, limit: 1)
    #expect(found.map(\.issue.number) == [100])
  }

  /// Made in the test: a report names each case.
  enum Hostility: CaseIterable {
    case millionWords, manyWords, manyNames, longName, longRow, marks, syntax, longCharacter

    var text: String {
      switch self {
      case .millionWords: String(repeating: "word ", count: 1_000_000)
      case .manyWords: (0..<200_000).map { "w\($0 % 5_000)x" }.joined(separator: " ")
      case .manyNames: (0..<50_000).map { "a::b\($0)::c" }.joined(separator: "\n")
      case .longName: String(repeating: "a.", count: 100_000)
      case .longRow: String(repeating: "日", count: 100_000)
      case .marks: String(repeating: "\u{301}", count: 100_000)
      case .syntax: "\" OR NEAR( * ^ {title} : -x \u{0} \u{1B}[31m"
      case .longCharacter: "e" + String(repeating: "\u{301}", count: 300_000) + "\nsolve"
      }
    }
  }

  @Test("the work for huge or hostile text is limited", arguments: Hostility.allCases)
  func hostile(_ hostility: Hostility) async throws {
    let text = hostility.text
    let terms = SimilarityTerms(title: "", body: text)
    #expect(terms.terms.count <= 4_000)
    #expect(terms.candidates(upTo: 600).count <= 600)
    #expect(terms.candidates(upTo: 600).allSatisfy { $0.tokens.count <= 100 })
    let fixture = try await SearchFixture(
      (1...50).map { Item(number: $0, title: "word \($0)", body: "w\($0)x a::b\($0)::c") })
    let found = try await fixture.mirror.similarIssues(
      to: SimilarIssuesQuery(.text(text)), in: fixture.repository, limit: 10)
    #expect(found.allSatisfy { (0...1).contains($0.score) })
  }

  @Test("frames at the end of a long report are compared")
  func end() async throws {
    let fixture = try await SearchFixture(
      (1...30).map { Item(number: $0, title: "Report \($0)") } + [
        Item(number: 31, title: "Crash", body: "4 swift::Lowering::emitClosure(int)")
      ])
    let log = (0..<40_000).map { "line \($0) ok" }.joined(separator: "\n")
    let found = try await fixture.mirror.similarIssues(
      to: SimilarIssuesQuery(.text("It fails\n\(log)\n17 swift::Lowering::emitClosure(int)")),
      in: fixture.repository, limit: 1)
    #expect(found.map(\.issue.number) == [31])
  }
}

/// Made-up issues, some of which are reported twice in other words.
struct DuplicateCorpus {
  var items: [SearchFixture.Item] = []
  /// The number of a second report, and that of the first.
  var pairs: [(report: Int, duplicate: Int)] = []

  private static let first = [
    "crash", "while", "compiling", "project", "with", "optimisation", "enabled", "fails", "after",
    "update", "release", "toolchain", "linux", "package", "module", "unexpectedly", "closure",
  ]
  private static let second = [
    "abort", "during", "build", "of", "my", "app", "in", "production", "mode", "stops", "since",
    "upgrading", "nightly", "compiler", "ubuntu", "dependency", "framework", "suddenly", "function",
  ]

  private var source: FuzzSource

  /// Each name is in dozens of issues: only several together tell that two reports are about the same.
  init(seed: UInt64, others: Int, pairs count: Int) {
    source = FuzzSource(seed: seed)
    for _ in 0..<others { add(Self.first + Self.second, names: names(3), frames: frames(4)) }
    for _ in 0..<count {
      let (names, frames) = (names(4), frames(5))
      add(Self.first, names: names, frames: frames)
      let original = items.count
      // Further issues come between the two.
      add(Self.first + Self.second, names: self.names(3), frames: self.frames(4))
      add(
        Self.second, names: Array(names.dropFirst()) + self.names(1),
        frames: Array(frames.dropLast(2)) + self.frames(2))
      pairs.append((items.count, original))
    }
  }

  private mutating func add(_ words: [String], names: [String], frames: [String]) {
    let name = names.joined(separator: "` and `")
    let stack = frames.enumerated().map { index, frame in
      "#\(index) 0x0000\(source.below(1 << 30)) \(frame)(swift::Expr*) + \(source.below(400))"
    }
    items.append(
      SearchFixture.Item(
        number: items.count + 1, title: sentence(words, 7),
        body: """
          \(sentence(words, 25)). \(sentence(words, 25)).

          It has to do with `\(name)`. \(sentence(words, 20)).

          ```
          \(stack.joined(separator: "\n"))
          ```
          \(sentence(words, 15)).
          """))
  }

  private mutating func sentence(_ words: [String], _ count: Int) -> String {
    (0..<count).map { _ in source.pick(words) }.joined(separator: " ")
  }

  private static let verbs = ["get", "make", "check", "emit", "lower", "visit", "resolve", "infer"]
  private static let nouns = [
    "Type", "Decl", "Closure", "Witness", "Module", "Scope", "Region", "Macro", "Table", "Pattern",
  ]

  private mutating func names(_ count: Int) -> [String] {
    (0..<count).map { _ in
      source.pick(Self.verbs) + source.pick(Self.nouns) + source.pick(Self.nouns)
    }
  }

  private mutating func frames(_ count: Int) -> [String] {
    (0..<count).map { _ in
      "swift::\(source.pick(Self.nouns))Checker::\(source.pick(Self.verbs))"
        + "\(source.pick(Self.nouns))"
    }
  }
}
