import StyledText
import Testing

@Suite("A web link")
struct WebLinkTests {
  @Test(
    "an absolute http or https address is a web link",
    arguments: [
      "https://x.example/a?b#c", "http://x", "HTTPS://X.EXAMPLE", "https://x/%F0%9F%8E%89",
    ])
  func accepted(text: String) {
    #expect(WebLink(text)?.url == text)
  }

  @Test(
    "every other address is refused",
    arguments: [
      "", "https://", "x.example", "//x.example", "javascript:alert(1)", "file:///etc/passwd",
      "data:,x",
      "mailto:a@x.example", "https://x y", "https://x\u{1B}\\", "https://x\u{07}",
      "https://ü.example",
      "https://x\n", "https://x\u{9C}", " https://x", "ssh://x",
      "https://x/" + String(repeating: "a", count: 2_000),
    ])
  func refused(text: String) {
    #expect(WebLink(text) == nil)
  }

  @Test("a link's text is between OSC 8 sequences")
  func sequences() {
    #expect(
      WebLink("https://x")?.applied(to: "text")
        == "\u{1B}]8;;https://x\u{1B}\\text\u{1B}]8;;\u{1B}\\")
  }
}
