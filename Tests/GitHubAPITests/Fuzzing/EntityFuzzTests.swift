import Foundation
import HTTPTargets
import SampleData
import TestSupport
import TestTraits
import Testing

@testable import GitHubAPI

@Suite("Fuzzed entities", .tags(.heavy), .timeLimit(.minutes(10)))
struct EntityFuzzTests {
  private static let words =
    GitHub.Issue.Field.allCases.map(\.rawValue) + GitHub.Repository.Field.allCases.map(\.rawValue)
    + GitHub.User.Field.allCases.map(\.rawValue) + Reactions.Kind.allCases.map(\.rawValue) + [
      "open", "closed", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.75+01:00",
      "0000-01-01T00:00:00Z",
      "#ff0000", "##", "name", "login", "assignee", "merged_at", "ghost", "null", "\"", "{", "}",
      ":",
    ]

  /// The samples, and what GitHub was seen to answer, where the recordings are here.
  private static let samples: [[UInt8]] =
    [
      SampleData.issues, SampleData.repository, SampleData.repositories, SampleData.user,
      SampleData.rateLimit,
    ] + recorded

  private static let recorded: [[UInt8]] =
    (try? RecordedExchanges.files().flatMap { try RecordedExchanges(file: $0).exchanges })?
    .filter { $0.status == 200 && $0.body.utf8.count < 20_000 }
    .map { Array($0.body.utf8) } ?? []

  /// The samples as trees, and each of the values in a list of them.
  private static let trees: [FuzzJSON] = samples.compactMap { try? FuzzJSON($0) }.flatMap { tree in
    guard case .array(let values) = tree else { return [tree] }
    return [.array(Array(values.prefix(3)))] + values.prefix(10)
  }

  /// Decodes, encodes and decodes again: what was understood must stay.
  private static func verify<Entity: Codable & Equatable>(
    _ type: Entity.Type, _ body: [UInt8]
  ) throws {
    let shown = "\(type) of \(String(decoding: body, as: UTF8.self).debugDescription)"
    let entity: Entity
    do {
      entity = try GitHubJSON.decode(type, from: Data(body))
    } catch is DecodingError {
      return
    }
    let encoded = try GitHubJSON.encoder().encode(entity)
    let again = try GitHubJSON.decode(type, from: encoded)
    // Fractions of a second aren't written, so the first time two values may differ in these.
    let second = try GitHubJSON.encoder().encode(again)
    try check(second == encoded, shown)
    let third = try GitHubJSON.decode(type, from: second)
    try check(third == again, shown)
    if !String(decoding: body, as: UTF8.self).contains(".") {
      try check(again == entity, shown)
    }
  }

  private static func verifyAll(_ body: [UInt8]) throws {
    try verify(GitHub.Issue.self, body)
    try verify([GitHub.Issue].self, body)
    try verify(GitHub.Repository.self, body)
    try verify([GitHub.Repository].self, body)
    try verify(GitHub.User.self, body)
    try verify(IssueComment.self, body)
    try verify([IssueComment].self, body)
    try verify(RateLimitStatus.self, body)
    _ = GitHubErrorBody(Data(body))
    _ = try? GitHubJSON.decode(SearchResults<GitHub.Issue>.self, from: Data(body))
  }

  @Test("entities decoded from changed values survive encoding and decoding")
  func values() {
    let failure = FuzzTest("changed values", iterations: 100).run { source in
      try Self.verifyAll(source.mutation(ofJSON: Self.trees, words: Self.words))
    }
    #expect(failure == nil)
  }

  @Test("entities decoded from changed bytes survive encoding and decoding")
  func bytes() {
    let failure = FuzzTest("changed bytes", iterations: 100).run { source in
      let tree = source.pick(Self.trees)
      let good = tree.text(using: &source)
      try Self.verifyAll(source.mutation(of: [good], words: Self.words))
    }
    #expect(failure == nil)
  }

  @Test("entities decoded from a response truncated anywhere survive encoding and decoding")
  func truncated() {
    let failure = FuzzTest("truncated", iterations: 100).run { source in
      let good = source.pick(Self.samples)
      try Self.verifyAll(Array(good.prefix(source.below(good.count + 1))))
    }
    #expect(failure == nil)
  }

  @Test("any broken page is decoded or throws a decoding error")
  func pages() {
    let failure = FuzzTest("broken pages", iterations: 100).run { source in
      let body = source.mutation(of: Self.samples, words: Self.words)
      let response = TargetResponse(
        request: TargetRequest(url: "https://api.github.com/x"), status: .ok, body: Data(body))
      do throws(NetworkError) {
        let issues: [GitHub.Issue] = try response.decode(using: GitHubJSON.decoder())
        _ = IssueFilter(state: .all).sorted(issues.filter(IssueFilter().matches))
      } catch {
        try check(error.code == .decoding, "\(error)")
      }
    }
    #expect(failure == nil)
  }

  @Test(
    "a label's color never begins with a number sign",
    arguments: ["#", "##", "#\u{301}"])
  func colors(prefix: String) throws {
    let json = Data(#"{"name":"bug","color":"\#(prefix)fc2929"}"#.utf8)
    let label = try GitHubJSON.decode(GitHub.Label.self, from: json)
    #expect(label.color?.unicodeScalars.contains("#") == false)
    let encoded = try GitHubJSON.encoder().encode(label)
    #expect(try GitHubJSON.decode(GitHub.Label.self, from: encoded) == label)
  }
}
