import Testing

@testable import GitHubAPI

@Suite("Names separated by commas")
struct NameListTests {
  @Test(
    "a name with a comma is written in quotation marks",
    arguments: [
      ("bug", ["bug"]), ("bug, crash ,x", ["bug", "crash", "x"]), ("", [""]), ("a,", ["a", ""]),
      (#""area: db,cache",bug"#, ["area: db,cache", "bug"]), (#"x, "a,b" "#, ["x", "a,b"]),
      (#""say ""hi"", you""#, [#"say "hi", you"#]), (#""a,b"#, [#""a"#, "b"]),
      (#""a" b,c"#, [#""a" b"#, "c"]), (#"2" disk,x"#, [#"2" disk"#, "x"]),
    ])
  func names(text: String, names: [String]) {
    #expect(NameList.names(in: text) == names)
  }

  @Test(
    "a known name that contains a comma isn't split",
    arguments: [
      ("area: db,cache", ["area: db,cache"]), ("Area: DB,cache,bug", ["Area: DB,cache", "bug"]),
      ("bug,area: db,cache", ["bug", "area: db,cache"]), ("area: db", ["area: db"]),
      ("cache,area: db", ["cache", "area: db"]),
    ])
  func known(text: String, names: [String]) {
    #expect(NameList.names(in: text, known: ["cache", "area: db,cache", "area: db"]) == names)
  }
}
