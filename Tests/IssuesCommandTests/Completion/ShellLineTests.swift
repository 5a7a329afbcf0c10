import Testing

@testable import IssuesCommand

@Suite("A shell's command line")
struct ShellLineTests {
  @Test(
    "words are parsed without their quotation marks and backslashes",
    arguments: [
      ("issues", ["issues"]), ("issues ", ["issues", ""]), ("issues  a\tb", ["issues", "a", "b"]),
      (#"a "b c" 'd "e' f\ g"#, ["a", "b c", #"d "e"#, "f g"]), (#"a "b \"c"#, ["a", #"b "c"#]),
      (#"a '' b"#, ["a", "", "b"]), (#"--x="a b"c"#, ["--x=a bc"]), (#"'a\' b"#, [#"a\"#, "b"]),
      ("a $(b) \u{A0}", ["a", "$(b)", "\u{A0}"]),
    ])
  func words(line: String, expected: [String]) {
    #expect(ShellLine(line).words == expected)
  }

  private static let name = "127.0.0.1:8080/octo/cat"
  private static let quoted = #""area: db,cache""#

  @Test(
    "bash replaces only the last part of a word it splits",
    arguments: [
      ("issues stats 127.0.0.1:80", "80", name, "8080/octo/cat"),
      ("issues stats 127.0.0.1:", "", name, "8080/octo/cat"),
      (#"issues stats 127.0.0.1\:80"#, #"127.0.0.1\:80"#, name, name),
      ("issues @t", "@t", "@triage\tlabel:bug", "@triage"),
      ("issues --state=", "", "--state=open", "open"), ("issues -l B", "B", "bug", "bug"),
      ("issues -l go", "go", "good first", #"good\ first"#),
      ("issues -l \"go", "go", "good first", "good first"),
      (#"issues -l go\ "#, #"go\ "#, "go on", #"go\ on"#),
      ("issues -l ar", "ar", quoted, #"\"area:\ db,cache\""#),
      ("issues -l \"ar", "ar", quoted, #"\"area: db,cache\""#),
      ("issues -l 'ar", "ar", quoted, quoted),
      (#"issues -l \"area:\ d"#, #"\ d"#, quoted, #"\ db,cache\""#),
      ("issues -l area:", "", quoted, nil),
    ])
  func replacement(line: String, word: String, candidate: String, expected: String?) {
    #expect(ShellLine(line).replacement(for: word, by: candidate) == expected)
  }
}
