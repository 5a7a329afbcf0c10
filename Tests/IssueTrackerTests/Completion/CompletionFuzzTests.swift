import IssueTracker
import TestSupport
import TestTraits
import Testing

@Suite("Fuzzed completion", .tags(.heavy), .timeLimit(.minutes(10)))
struct CompletionFuzzTests {
  @Test("a history entry survives writing and parsing")
  func entries() {
    let failure = FuzzTest("history", iterations: 300).run { source in
      let line = source.mutation(
        of: ["apple/swift", "ghe.example.com/a/b", "127.0.0.1:80/a/b", "[::1]:80/a/b"],
        words: ["/", "..", ".git", ":", "@", "\r", "\u{301}", "%2e"], upTo: 200)
      guard let entry = RepositoryHistory.Entry(line) else { return }
      let again = entry.description
      try check(RepositoryHistory.Entry(again) == entry, line.debugDescription)
      try check(again.utf8.allSatisfy { (0x21...0x7E).contains($0) }, line.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("the matches of a prediction are nonempty, ordered ranges of its name")
  func matches() {
    let failure = FuzzTest("matches", iterations: 300).run { source in
      let corpus = ["apple/swift", "ghe.example.com/team/project", "İ/ﬁ-ß", "a/b"]
      let words = ["/", "-", "\u{301}", "ﬁ", "İ", "ß"]
      let name = source.mutation(of: corpus, words: words, upTo: 60)
      let text = source.mutation(of: ["app", "sw", "team/p", "i"], words: words, upTo: 10)
      let predictions = RepositoryRanking(for: text).predictions(of: [
        RepositoryCandidate(name: name, source: .own)
      ])
      for prediction in predictions {
        try check(prediction.text == name, name.debugDescription)
        var end = name.startIndex
        for range in prediction.ranges {
          try check(
            range.lowerBound >= end && !range.isEmpty && range.upperBound <= name.endIndex,
            "\(text.debugDescription) in \(name.debugDescription)")
          end = range.upperBound
        }
      }
    }
    #expect(failure == nil)
  }
}
