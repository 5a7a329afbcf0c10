import GitHubAPI
import IssueMirror
import Testing

@Suite("A typed filter for the mirror")
struct SearchFilteringTests {
  @Test(
    "a typed filter finds open issues by default, and its last word is a prefix",
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
    "an invalid filter is refused",
    arguments: ["crash \"", "colour:red", "OR crash", #"is:"all""#, #"-is:all"#])
  func refused(typed: String) {
    #expect(throws: InvalidInput.self) { try SearchQuery(filtering: typed) }
  }
}
