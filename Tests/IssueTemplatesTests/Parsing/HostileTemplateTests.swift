import IssueTemplates
import TestSupport
import Testing

@Suite("Hostile templates", .timeLimit(.minutes(2)))
struct HostileTemplateTests {
  private func refusal(of text: String) throws -> TemplateError {
    try #require(
      throws: TemplateError.self,
      performing: { try IssueForm(parsing: text, fileName: "f.yml") })
  }

  @Test("nested aliases are refused as values and as keys")
  func aliases() throws {
    var bomb = "a0: &a0 [x, x]\n"
    for level in 1...40 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(try refusal(of: bomb).problem.contains("anchor"))
    #expect(try refusal(of: bomb + "? *a40\n: x\n? *a40\n: y\n").problem.contains("anchor"))
    // The names begin behind anything that may stand before a word.
    for start in [" ", "\t", "[", "{", "!x ", "- ", "\u{2028}"] {
      #expect(try refusal(of: "a:\(start)&b c\nd: *b").problem.isEmpty == false)
    }
  }

  @Test("a long file is refused before it is parsed")
  func length() throws {
    let text = "name: \(String(repeating: "x", count: 1 << 20))"
    #expect(try refusal(of: text).problem == "the file is longer than 256 KiB")
    #expect(throws: TemplateError.self) {
      try IssueTemplate(parsing: "---\n" + text, fileName: "f.md")
    }
    #expect(throws: TemplateError.self) { try TemplateConfiguration(parsing: text) }
  }

  /// A shape of values in values in values.
  enum Nesting: CaseIterable {
    case lists, closedLists, mappings, items, lines

    var text: String {
      switch self {
      case .lists: String(repeating: "[", count: 100_000)
      case .closedLists:
        "a: " + String(repeating: "[", count: 990) + String(repeating: "]", count: 990)
      case .mappings: String(repeating: "{a: ", count: 60_000)
      case .items: String(repeating: "- ", count: 100_000)
      case .lines: (0..<600).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
      }
    }
  }

  @Test("a deeply nested template is refused", arguments: Nesting.allCases)
  func depth(_ nesting: Nesting) throws {
    #expect(try !refusal(of: nesting.text).problem.isEmpty)
  }
}
