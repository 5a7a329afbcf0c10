import StyledText
import Testing

@testable import TerminalMarkdown

@Suite("A document's links and code")
struct RenderedDocumentTests {
  /// The links with their texts and places: `text target line:columns`.
  private static func links(of document: RenderedDocument) -> [String] {
    document.links.map { link in
      let pieces = link.places.map { place in
        let text = document.lines[place.line].runs[place.runs].map(\.text.string).joined()
        return "\(text) \(place.line):\(place.columns.lowerBound)-\(place.columns.upperBound)"
      }
      return "\(link.target.url.dropFirst(8)) \(pieces.joined(separator: " "))"
    }
  }

  @Test("links and references are listed in reading order with their positions")
  func order() {
    let document = Rendering.document(
      """
      See #12 and [**bold** text](https://x.example/a), o/r#3.

      > - 日本 https://x.example/b @octocat

      | a | b |
      |---|---|
      | [c](https://x.example/c) | [d](docs/d.md) |
      """)
    #expect(
      Self.links(of: document) == [
        "github.com/apple/swift/issues/12 #12 0:4-7",
        "x.example/a bold text 0:12-21",
        "github.com/o/r/issues/3 o/r#3 0:27-32",
        "x.example/b https://x.example/b 2:9-28",
        "github.com/octocat @octocat 2:29-37",
        "x.example/c c 6:0-1",
        "github.com/apple/swift/blob/HEAD/docs/d.md d 6:8-9",
      ])
  }

  @Test("the links are the same with and without visible addresses", arguments: [20, 40, 80])
  func modes(width: Int) throws {
    for name in ["links", "tables", "html", "text", "alerts"] {
      let markdown = try MarkdownSnapshot.document(name)
      let targets = [MarkdownRenderer.Links.hyperlinks, .footnotes].map { links in
        Set(Rendering.document(markdown, width: width, links: links).links.map(\.target))
      }
      #expect(targets[0] == targets[1])
    }
  }

  @Test("a link that continues on the next line is one link with two positions")
  func wrapped() {
    let document = Rendering.document("a [several words](https://x.example) #1", width: 10)
    #expect(
      Self.links(of: document) == [
        "x.example several 0:2-9 words 1:0-5", "github.com/apple/swift/issues/1 #1 2:0-2",
      ])
  }

  @Test("other schemes and text that only resembles a link aren't listed")
  func none() {
    let document = Rendering.document("[a](javascript:b) `#1` [c](#d) <a>e</a>\n\n    #2\n")
    #expect(document.links.isEmpty)
  }

  @Test("joined documents keep their links and code")
  func appended() {
    let (one, two) = (Rendering.document("#1\n\n```swift\na\n```"), Rendering.document("#2"))
    let both = two + one + two
    #expect(both.lines == two.lines + one.lines + two.lines)
    #expect(both.links.map(\.places[0].line) == [0, 1, 1 + one.lines.count])
    #expect(both.codeBlocks.map(\.lines) == [4..<5])
    #expect(both.lines[4].plain == "a")
  }

  @Test("copied code keeps its tabs and loses its frame and line wrapping")
  func code() {
    let document = Rendering.document(
      "- ```swift title\n  \tlet a = 1  \n\n  b\n  ```\n\n      c\r\n      d\n", width: 20)
    #expect(document.codeBlocks.map(\.text) == ["\tlet a = 1  \n\nb\n", "c\nd\n"])
    #expect(document.codeBlocks.map(\.language) == ["swift", ""])
    for block in document.codeBlocks {
      #expect(document.lines[block.lines.lowerBound - 1].plain.contains("┌"))
      #expect(document.lines[block.lines.upperBound].plain.contains("└"))
    }
    let long = Rendering.document("```\n\(String(repeating: "x", count: 50))\n```", width: 20)
    #expect(long.codeBlocks[0].text == String(repeating: "x", count: 50) + "\n")
    #expect(long.codeBlocks[0].lines == 1..<4)
  }

  @Test("copied code has no control characters")
  func hostile() {
    let document = Rendering.document("```\u{1B}[201~\na\u{1B}[201~b\u{202E}c\n```")
    #expect(document.codeBlocks.map(\.text) == ["a^[[201~b\\u{202E}c\n"])
    #expect(document.codeBlocks.map(\.language) == ["^[[201~"])
  }

  /// `column,line columns x lines` of each image, where each of the given widths and heights is in cells.
  private static func images(
    _ markdown: String, width: Int = 40, sizes: [String: (Int, Int)]?
  ) -> (places: [String], lines: [String]) {
    DisplayWidth.prepare()
    var renderer = MarkdownRenderer(width: width)
    renderer.images = sizes.map { sizes in
      sizes.reduce(into: [:]) { boxes, size in
        guard let link = WebLink("https://x.example/\(size.key)") else { return }
        boxes[link] = ImageBox(
          width: size.value.0 * 10, height: size.value.1 * 20, cellWidth: 10, cellHeight: 20)
      }
    }
    let document = renderer.document(of: markdown)
    return (
      document.images.map {
        "\($0.column),\($0.lines.lowerBound) \($0.columns)x\($0.lines.count)"
      }, document.lines.map(\.plain)
    )
  }

  @Test("images have space below their descriptions, inside the surrounding markup")
  func images() {
    let text = """
      ![one](https://x.example/a) and <img src="https://x.example/b" alt="two">

      > - ![three](https://x.example/a)

      | t |
      |---|
      | ![four](https://x.example/a) |

      The end.
      """
    let (places, lines) = Self.images(text, sizes: ["a": (6, 2)])
    #expect(places == ["0,1 6x2", "0,3 0x0", "4,5 6x2", "0,11 6x2"])
    #expect(lines[1...3] == ["", "", ""])
    #expect(lines[4...7] == ["│ • [image: three] [1]", "│", "│", ""])
    #expect(lines.filter { $0 == "The end." }.count == 1)
    // Images aren't requested, so nothing changes.
    let plain = Self.images(text, sizes: nil)
    #expect(plain.places.isEmpty)
    #expect(plain.lines.count == lines.count - 6)
  }

  @Test(
    "an image fits into its space proportionally",
    arguments: [
      ((80, 20), "0,1 40x10"), ((8, 100), "0,1 2x20"), ((1, 1_000_000), "0,1 1x20"),
      ((1_000_000, 1), "0,1 40x1"), ((40, 20), "0,1 40x20"), ((41, 1), "0,1 40x1"),
      ((1_600_000, 1_600_000), "0,1 20x20"),
    ])
  func boxes(size: (Int, Int), expected: String) {
    #expect(Self.images("![i](https://x.example/a)", sizes: ["a": size]).places == [expected])
  }

  @Test("image positions move when a document is appended")
  func appendedImages() {
    var renderer = MarkdownRenderer(width: 40)
    renderer.images = [:]
    let document = renderer.document(of: "![i](https://x.example/a)")
    let both = RenderedDocument(lines: [StyledLine("x"), StyledLine()]) + document
    #expect(both.images.map(\.lines) == [3..<3])
  }
}
