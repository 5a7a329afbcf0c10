import Foundation
import GitHubAPI
import Testing

@Suite("The outcome of a search for issues")
struct IssueSearchOutcomeTests {
  private func results(_ members: String) throws -> SearchResults<GitHub.Issue> {
    try JSONDecoder().decode(
      SearchResults<GitHub.Issue>.self, from: Data(#"{"items":[]\#(members)}"#.utf8))
  }

  @Test("the kind that was carried out is decoded, with the reasons for a fallback")
  func decoding() throws {
    #expect(try results(#","search_type":"semantic""#).outcome == IssueSearchOutcome(.semantic))
    let fallback = try results(
      #","search_type":"lexical","lexical_fallback_reason":["quoted_text"]"#)
    #expect(fallback.outcome == IssueSearchOutcome(.lexical, fallbackReasons: ["quoted_text"]))
    let again = try JSONDecoder().decode(
      SearchResults<GitHub.Issue>.self, from: JSONEncoder().encode(fallback))
    #expect(again.outcome == fallback.outcome)
  }

  @Test(
    "a server that doesn't say it, or says something unknown, has no outcome",
    arguments: ["", #","search_type":null"#, #","search_type":"telepathic""#, #","search_type":1"#])
  func unknown(members: String) throws {
    #expect(try results(members).outcome == nil)
  }

  @Test("a search by meaning has a quota of its own")
  func quota() {
    let url = "https://api.github.com/search/issues?q=search_type%3Dx&advanced_search=true"
    #expect(RateLimitResource.name(of: url) == "search")
    #expect(RateLimitResource.name(of: "\(url)&search_type=semantic") == "semantic_search")
  }
}
