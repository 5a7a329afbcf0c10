import IssueTemplates
import Testing

@Suite("Parsing Markdown templates and config.yml")
struct MarkdownTemplateTests {
  @Test("front matter with lists or commas is parsed with any line breaks")
  func template() throws {
    let text = """
      ---
      name: "🐞 Bug: report"
      about: Tell what broke
      title: '[BUG] '
      labels: bug, needs triage
      assignees: ["octocat"]
      type: Bug
      ignored: yes
      ---

      **Describe it**
      ---
      It is broken.

      """
    for text in [text, text.replacing("\n", with: "\r\n"), "\u{FEFF}\(text)"] {
      let template = try IssueTemplate(parsing: text, fileName: "bug.md")
      #expect(
        template
          == IssueTemplate(
            fileName: "bug.md", name: "🐞 Bug: report", about: "Tell what broke", title: "[BUG] ",
            labels: ["bug", "needs triage"], assignees: ["octocat"], type: "Bug",
            body: "**Describe it**\n---\nIt is broken.\n"))
    }
  }

  @Test("empty values of a template are omitted")
  func empty() throws {
    let template = try IssueTemplate(
      parsing: "---\nname: Idea\nabout: b\ntitle: ''\nlabels: ''\nassignees:\n---\n",
      fileName: "i.md")
    #expect(template.title == nil && template.labels.isEmpty && template.assignees.isEmpty)
    #expect(template.body.isEmpty)
  }

  @Test(
    "a template without a name or a purpose throws an error with the line",
    arguments: [
      ("just text", 1, "doesn't begin with a line"),
      ("---\nname: a\nabout: b\n", 1, "no second line"),
      ("---\nabout: b\n---\n", 2, "the key “name” is missing"),
      ("---\nname: a\nabout: c: d\n---\n", 3, "mapping values are not allowed"),
      ("---\n---\n", 1, "the key “name” is missing"),
    ])
  func refusal(_ text: String, _ line: Int, _ problem: String) throws {
    let error = try #require(
      throws: TemplateError.self,
      performing: { try IssueTemplate(parsing: text, fileName: "a.md") })
    #expect(error.line == line && error.problem.contains(problem), "\(error)")
  }

  @Test("config.yml is parsed")
  func configuration() throws {
    let configuration = try TemplateConfiguration(
      parsing: """
        blank_issues_enabled: false
        contact_links:
          - name: Forum
            url: https://example.com/a?b=c
            about: Ask here
        """)
    #expect(
      configuration
        == TemplateConfiguration(
          blankIssuesEnabled: false,
          contactLinks: [
            .init(name: "Forum", url: "https://example.com/a?b=c", about: "Ask here")
          ]))
    #expect(try TemplateConfiguration(parsing: "# nothing") == TemplateConfiguration())
  }

  @Test("an unknown part of config.yml or front matter is reported, and the rest is parsed")
  func leniency() throws {
    let configuration = try TemplateConfiguration(
      parsing: """
        blank_issues_enabled: false
        contact_links:
        - {name: a, url: b}
        - {name: a, url: b, about: c}
        extra: 1
        """)
    #expect(!configuration.blankIssuesEnabled && configuration.contactLinks.count == 1)
    #expect(
      configuration.passedOver.map(\.description) == [
        "config.yml:5: “extra” is not a permitted key",
        "config.yml:3: contact_links[0]: the key “about” is missing",
      ])
    let template = try IssueTemplate(
      parsing: "---\nname: Idea\nabout: b\ntitle: [x]\nlabels: a\n---\n", fileName: "i.md")
    #expect(template.title == nil && template.labels == ["a"])
    #expect(template.passedOver.map(\.description) == ["i.md:4: “title” must be text"])
  }
}
