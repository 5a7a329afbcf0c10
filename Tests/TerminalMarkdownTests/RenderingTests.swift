import StyledText
import TerminalMarkdown
import Testing

@Suite("Rendered documents")
struct RenderingTests {
  private static let documents = [
    "text", "headings", "alerts", "lists", "code", "languages", "tables", "links", "html",
  ]

  @Test("a video is a link, even with its address in a nested element")
  func recordings() {
    let text = """
      <video src="https://x.example/a.mp4" controls></video>

      <video><source src="https://x.example/b.webm"></video>
      """
    let lines = Rendering.lines(text).map(\.plain)
    #expect(lines.contains { $0.contains("[video]") })
    #expect(lines.contains { $0.contains("https://x.example/a.mp4") })
    #expect(lines.contains { $0.contains("https://x.example/b.webm") })
  }

  @Test("documents match their snapshots at 80 columns with addresses below", arguments: documents)
  func wide(name: String) throws {
    let lines = Rendering.lines(try MarkdownSnapshot.document(name))
    try MarkdownSnapshot.expect(lines, named: "\(name)-80")
  }

  @Test("documents match their snapshots at 40 columns in ASCII", arguments: documents)
  func narrow(name: String) throws {
    let lines = Rendering.lines(
      try MarkdownSnapshot.document(name), width: 40, isUnicode: false)
    try MarkdownSnapshot.expect(lines, named: "\(name)-40-ascii")
  }

  @Test("documents match their snapshots in color with hyperlinks", arguments: documents)
  func colored(name: String) throws {
    let lines = Rendering.lines(try MarkdownSnapshot.document(name), links: .hyperlinks)
    try MarkdownSnapshot.expect(lines, in: .palette, links: true, named: "\(name)-80-palette")
  }

  @Test("documents match their snapshots at 40 columns in 16 colors", arguments: documents)
  func narrowAndColored(name: String) throws {
    let lines = Rendering.lines(try MarkdownSnapshot.document(name), width: 40)
    try MarkdownSnapshot.expect(lines, in: .basic, named: "\(name)-40-basic")
  }

  @Test("heading levels look different even without styles", arguments: [true, false])
  func unstyled(isUnicode: Bool) throws {
    let document = Rendering.document(
      try MarkdownSnapshot.document("headings"), isUnicode: isUnicode, hasStyles: false)
    try MarkdownSnapshot.expect(
      document.lines, named: "headings-80-unstyled\(isUnicode ? "" : "-ascii")")
  }

  @Test("a table too wide for its page becomes a list of cells")
  func list() {
    let table = "| Name | Count |\n|---|---|\n| one thing | 1 |\n| other | |\n"
    #expect(
      Rendering.text(table, width: 12) == """
        Name: one
          thing
        Count: 1

        Name: other
        """)
  }

  @Test(
    "an empty document has no lines",
    arguments: ["", "\n\n", "<!-- only a comment -->", "[a]: https://x.example"])
  func nothing(document: String) {
    #expect(Rendering.lines(document).isEmpty)
  }

  @Test(
    "struck text has one pair of tildes if the terminal can't strike it through",
    arguments: [
      ("a ~~b *c* d~~ e", "a ~~b c d~~ e"), ("a ~b~ c", "a ~~b~~ c"),
      ("a <del>b <s>c</s></del> d", "a ~~b c~~ d"), ("a <strike>b", "a ~~b~~"),
      ("~~[a](https://x.example)~~", "~~a~~"), ("`~~a~~`", "~~a~~"),
    ])
  func struck(document: String, text: String) {
    var renderer = MarkdownRenderer(width: 80, links: .hyperlinks)
    renderer.hasStrikethrough = false
    #expect(renderer.document(of: document).lines.map(\.plain) == [text])
    renderer.hasStrikethrough = true
    let isCode = document.hasPrefix("`")
    #expect(renderer.document(of: document).lines.allSatisfy { $0.plain.contains("~~") == isCode })
  }

  @Test("comments don't leave a gap")
  func comments() {
    #expect(Rendering.text("one\n\n<!-- c -->\n\ntwo") == "one\n\ntwo")
    #expect(Rendering.text("<!-- c -->\n# Title") == "Title\n═════")
    #expect(Rendering.text("- a\n- <!-- c -->\n- b") == "• a\n•\n• b")
  }

  @Test("without a repository, references aren't linked, and paths are shown")
  func noRepository() {
    let lines = Rendering.lines(
      "#1 @octocat [file](docs/x.md)", links: .hyperlinks, repositoryURL: nil)
    #expect(lines.map(\.plain) == ["#1 @octocat file (docs/x.md)"])
    #expect(lines.flatMap(\.runs).allSatisfy { $0.link == nil })
  }

  @Test("renderers work concurrently")
  func concurrently() async throws {
    let documents = try Self.documents.map(MarkdownSnapshot.document)
    let expected = documents.map { Rendering.lines($0) }
    await withTaskGroup(of: Bool.self) { group in
      for round in 0..<60 {
        let index = round % documents.count
        group.addTask { Rendering.lines(documents[index]) == expected[index] }
      }
      for await isSame in group { #expect(isSame) }
    }
  }
}
