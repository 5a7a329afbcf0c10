import GitHubAPI
import Testing

@Suite("Words of a search")
struct QueryWordTests {
  @Test(
    "exact phrases become words, and quotation marks of other terms stay",
    arguments: [
      (#"crash "type checker" now"#, "crash type checker now"),
      (#"label:"good first issue" "it hangs""#, #"label:"good first issue" it hangs"#),
      (#""is:pr OR -linux (x)""#, "is pr or linux x"),
      (#"-"not this" that"#, #"-"not this" that"#),
      (#""never closed"#, "never closed"),
      (#"label:"a \" b" "c""#, #"label:"a \" b" c"#),
      (#"("a b" OR c)"#, "(a b OR c)"),
      ("no marks", "no marks"),
    ])
  func phrases(text: String, expected: String) {
    #expect(QueryWord.withoutPhrases(text) == expected)
  }

  @Test("a search for pull requests is recognized")
  func pullRequests() {
    #expect(QueryWord.wantsPullRequests("crash is:pr"))
    #expect(QueryWord.wantsPullRequests("(type:pull-request OR x)"))
    #expect(!QueryWord.wantsPullRequests("crash is:issue -is:pr"))
    #expect(!QueryWord.wantsPullRequests(#""is:pr""#))
  }
}
