import IssueTracker
import Testing

@Suite("RepositoryRanking")
struct RepositoryRankingTests {
  /// The names in their order, with the matches in brackets.
  private func ranked(_ text: String, _ candidates: [RepositoryCandidate]) -> [String] {
    RepositoryRanking(for: text).predictions(of: candidates).map { prediction in
      var name = prediction.text
      for range in prediction.ranges.reversed() {
        name.replaceSubrange(range, with: "[\(prediction.text[range])]")
      }
      return name
    }
  }

  private func ranked(_ text: String, _ names: [String]) -> [String] {
    ranked(text, names.map { RepositoryCandidate(name: $0, source: .recent) })
  }

  @Test(
    "matches are ranked by name start, repository name, word start, and other positions",
    arguments: [
      (
        "swift", ["a/myswift", "b/my-swift", "c/swift", "swiftlang/x"],
        ["[swift]lang/x", "c/[swift]", "b/my-[swift]", "a/my[swift]"]
      ),
      (
        "apple/sw", ["apple/swift", "x/apple", "pineapple/sw"], ["[apple/sw]ift", "pine[apple/sw]"]
      ),
      (
        "nio", ["a/union", "apple/swift-nio", "a/b.nio", "a/NIO"],
        ["a/[NIO]", "apple/swift-[nio]", "a/b.[nio]", "a/u[nio]n"]
      ),
      ("tracker", ["b/issuetracker", "a/IssueTracker"], ["b/issue[tracker]", "a/Issue[Tracker]"]),
      ("/sw", ["apple/swift"], ["apple/[sw]ift"]),
      ("team/p", ["ghe.example.com/team/project"], ["ghe.example.com/[team/p]roject"]),
      ("ghe", ["ghe.example.com/team/project"], ["[ghe].example.com/team/project"]),
      ("proj", ["ghe.example.com/team/project"], ["ghe.example.com/team/[proj]ect"]),
      ("a/b", ["a/b"], ["[a/b]"]), ("a/bc", ["a/b"], []),
      ("apple nio", ["apple/swift-nio", "apple/union"], ["[apple]/swift-[nio]"]),
    ])
  func order(text: String, names: [String], expected: [String]) {
    #expect(ranked(text, names) == expected)
  }

  @Test("the best match within a name counts, even if it isn't the first")
  func bestPlace() {
    #expect(ranked("swift", ["xswift/swift"]) == ["xswift/[swift]"])
  }

  @Test("case is ignored, and ranges refer to the original name")
  func folded() {
    #expect(ranked("SWIFTLANG/s", ["SwiftLang/Swift"]) == ["[SwiftLang/S]wift"])
  }

  @Test("empty text matches every name in the given order")
  func empty() {
    #expect(ranked("", ["b/b", "a/a"]) == ["b/b", "a/a"])
  }

  @Test("equal matches are ordered by source: recent, own, and search")
  func sources() {
    let candidates = [
      RepositoryCandidate(name: "a/swift-1", source: .search),
      RepositoryCandidate(name: "a/swift-2", source: .own),
      RepositoryCandidate(name: "a/swift-3", source: .recent),
      RepositoryCandidate(name: "a/swift-4", source: .recent),
      RepositoryCandidate(name: "swift/a", source: .search),
    ]
    #expect(
      RepositoryRanking(for: "swift").predictions(of: candidates).map(\.text)
        == ["swift/a", "a/swift-3", "a/swift-4", "a/swift-2", "a/swift-1"])
  }

  @Test("a repeated name in any spelling is returned once, from its best source")
  func once() {
    let candidates = [
      RepositoryCandidate(name: "Apple/Swift", source: .search),
      RepositoryCandidate(name: "apple/swift", source: .recent),
      RepositoryCandidate(name: "apple/swift", source: .own),
    ]
    let predictions = RepositoryRanking(for: "app").predictions(of: candidates)
    #expect(predictions.map(\.text) == ["apple/swift"])
  }
}
