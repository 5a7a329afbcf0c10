import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("The token estimate")
struct TokenEstimateTests {
  /// Texts with what real tokenizers make of them: `Scripts/judge-tokens --record` counts.
  private struct Sample: Decodable {
    var name: String
    var text: String
    var counts: [String: Int]
  }

  private static func samples() throws -> [Sample] {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Commands/Snapshots/token-counts.json")
    return try JSONDecoder().decode([Sample].self, from: Data(contentsOf: url))
  }

  @Test("the estimate is between 95% and 145% of the highest tokenizer count")
  func conservative() throws {
    let samples = try Self.samples()
    #expect(samples.count >= 10)
    for sample in samples {
      let estimate = Double(TokenEstimate.tokens(sample.text))
      let dearest = Double(try #require(sample.counts.values.max(), "\(sample.name)"))
      #expect(estimate >= dearest * 0.95, "\(sample.name): \(estimate) for \(dearest)")
      #expect(estimate <= dearest * 1.45, "\(sample.name): \(estimate) for \(dearest)")
    }
  }

  @Test("a prefix is the longest one within its token limit")
  func prefix() throws {
    for sample in try Self.samples() {
      for most in [0, 1, 7, 50, 1_000_000] {
        let prefix = TokenEstimate.prefix(sample.text, upTo: most)
        #expect(TokenEstimate.tokens(String(prefix)) <= most)
        #expect(sample.text.unicodeScalars.starts(with: prefix.unicodeScalars))
        if most > 10_000 { #expect(prefix.endIndex == sample.text.endIndex) }
      }
    }
    #expect(TokenEstimate.prefix("one two three", upTo: 2) == "one ")
  }

  @Test("empty text has no tokens")
  func nothing() {
    #expect(TokenEstimate.tokens("") == 0)
  }
}
