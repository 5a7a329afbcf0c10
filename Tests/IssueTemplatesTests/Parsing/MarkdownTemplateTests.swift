import IssueTemplates
import Testing

@Suite("Markdown templates and config.yml are read")
struct MarkdownTemplateTests {
  @Test("front matter with lists and with commas, whatever ends the lines")
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
    for text in [text, text.replacing("\n", with: "\r\n")] {
      let template = try IssueTemplate(parsing: text, fileName: "bug.md")
      #expect(
        template
          == IssueTemplate(
            fileName: "bug.md", name: "🐞 Bug: report", about: "Tell what broke", title: "[BUG] ",
            labels: ["bug", "needs triage"], assignees: ["octocat"], type: "Bug",
            body: "**Describe it**\n---\nIt is broken.\n"))
    }
  }

  @Test("empty values are none")
  func empty() throws {
    let template = try IssueTemplate(
      parsing: "---\nname: Idea\nabout: b\ntitle: ''\nlabels: ''\nassignees:\n---\n",
      fileName: "i.md")
    #expect(template.title == nil && template.labels.isEmpty && template.assignees.isEmpty)
    #expect(template.body.isEmpty)
  }

  @Test(
    "a text without name or purpose says so, with its line",
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

  @Test("config.yml")
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
    let error = try #require(
      throws: TemplateError.self,
      performing: { try TemplateConfiguration(parsing: "contact_links:\n- {name: a, url: b}") })
    #expect(error.description == "config.yml:2: contact_links[0]: the key “about” is missing")
  }
}
