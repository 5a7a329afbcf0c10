import GitHubAPI
import IssueMirror
import Testing

@Suite("What is typed as a filter of the mirror")
struct SearchFilteringTests {
  @Test(
    "it is about open issues unless it says otherwise, and its last word may go on",
    arguments: [
      ("crash", "crash* is:open is:issue"), ("crash ", "crash is:open is:issue"),
      ("is:closed crash", "crash* is:closed is:issue"),
      ("-is:closed crash", "crash* -is:closed is:issue"),
      ("is:all crash", "crash* is:issue"), ("crash State:ALL", "crash is:issue"),
      (#"crash "is:all""#, #"crash "is:all" is:open is:issue"#),
      (#"crash "is \" is:all" is:all "#, #"crash "is \" is:all" is:issue"#),
      ("is:pr crash ", "crash is:pr is:open"), ("is:merged crash ", "crash is:merged"),
      ("closed:>=2026-01-01 ", "closed:>=2026-01-01 is:issue"), ("is:unmerged ", "is:unmerged"),
      ("is:locked crash ", "crash is:locked is:open is:issue"), ("", "is:open is:issue"),
    ])
  func meaning(typed: String, text: String) throws {
    #expect(try SearchQuery(filtering: typed).text == text)
  }

  @Test(
    "what isn't a search is refused",
    arguments: ["crash \"", "colour:red", "OR crash", #"is:"all""#, #"-is:all"#])
  func refused(typed: String) {
    #expect(throws: InvalidInput.self) { try SearchQuery(filtering: typed) }
  }
}
