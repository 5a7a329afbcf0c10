import Testing

@testable import TerminalMarkdown

@Suite("HTML in a document")
struct HTMLTests {
  private static func tokens(_ html: String) -> [String] {
    var tokens = HTMLTokens(html)
    var result: [String] = []
    while let token = tokens.next() {
      switch token {
      case .text(let text): result.append(text)
      case .hidden: result.append("hidden")
      case .tag(let tag, _): result.append((tag.isClosing ? "end " : "begin ") + tag.name)
      }
    }
    return result
  }

  @Test(
    "tags are distinguished from text",
    arguments: [
      ("a<b>c</b>", ["a", "begin b", "c", "end b"]),
      ("<BR/>", ["begin br"]),
      ("a < b", ["a ", "< b"]),
      ("<a href=\"x>y\">z", ["begin a", "z"]),
      ("<a title='>'>", ["begin a"]),
      ("<p it's>x", ["begin p", "x"]),
      ("<!-- <b> -->x", ["hidden", "x"]),
      ("<!-- open", ["hidden"]),
      ("<!DOCTYPE html><?php ?>", ["hidden", "hidden"]),
      ("<a <b", ["<a <b"]),
      ("<", ["<"]), ("</", ["</"]), ("<1>", ["<1>"]), ("", []),
    ])
  func tags(html: String, tokens: [String]) {
    #expect(Self.tokens(html) == tokens)
  }

  @Test(
    "attributes are parsed with any kind of value",
    arguments: [
      ("href=\"x\"", "x"), ("href='a b'", "a b"), ("href=x/y", "x/y"), ("HREF = \"x\"", "x"),
      ("href", ""), ("title=\"href=no\" href=yes", "yes"), ("href=\"a&amp;b\"", "a&b"),
      ("href=\"open", "open"), ("data-href=x", nil), ("", nil), ("href=", ""),
    ] as [(String, String?)])
  func attributes(text: String, value: String?) {
    #expect(HTMLTag(Array("a \(text)".utf8)[...], isClosing: false).attribute("href") == value)
  }

  @Test(
    "entities become characters",
    arguments: [
      ("&lt;&amp;&gt;", "<&>"), ("&#65;&#x42;&#X43;", "ABC"), ("&nbsp;", "\u{A0}"),
      ("&nope;", "&nope;"),
      ("a & b", "a & b"), ("&", "&"), ("&#0;", "\u{FFFD}"), ("&#xD800;", "\u{FFFD}"),
      ("&#99999999999;", "&#99999999999;"), ("&amp;amp;", "&amp;"),
    ])
  func entities(text: String, decoded: String) {
    #expect(HTMLEntities.decode(text) == decoded)
  }
}
