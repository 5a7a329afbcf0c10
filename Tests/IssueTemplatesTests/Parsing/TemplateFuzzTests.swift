import IssueTemplates
import TestSupport
import TestTraits
import Testing

@Suite("Fuzzed templates", .tags(.heavy), .timeLimit(.minutes(5)))
struct TemplateFuzzTests {
  private static let corpus = [
    FormParsingTests.whole,
    "---\nname: Idea\nabout: \"What: you miss\"\nlabels: [a, 'b']\n---\n\n**Why?**\n",
    "blank_issues_enabled: no\ncontact_links:\n- {name: F, url: https://x.y, about: z}\n",
  ]
  private static let words = [
    "&a ", "*a", "<<: *a", "---\n", "...\n", "? ", ": ", "- ", "|\n", ">-\n", "!!binary ", "!!str ",
    "%YAML 1.1\n", "{", "[", "\t", "\u{0}", "\u{FEFF}", "yes", "~", "\"\\x00\"", "'", "@", "`",
  ]

  @Test("no file crashes the parser, and a parsed form can be answered")
  func files() {
    let failure = FuzzTest("templates", iterations: 1_000).run { source in
      let text = source.mutation(of: Self.corpus, words: Self.words)
      if let form = try Self.read({ try IssueForm(parsing: text, fileName: "f.yml") }) {
        let answers = FormAnswers(to: form)
        try check(!form.fields.isEmpty, text)
        try check(Set(form.fields.map(\.id)).count == form.fields.count, text)
        try check(
          answers.body.contains("### "), "\(text.debugDescription) gives \(answers.body)")
      }
      _ = try Self.read { try IssueTemplate(parsing: text, fileName: "f.md") }
      _ = try Self.read { try TemplateConfiguration(parsing: text) }
    }
    #expect(failure == nil)
  }

  /// The parsed value; nil for a text that was refused with a reason.
  private static func read<Value>(_ parse: () throws -> Value) throws -> Value? {
    do {
      return try parse()
    } catch let error as TemplateError {
      try check(!error.problem.isEmpty, "no reason")
      return nil
    }
  }
}
