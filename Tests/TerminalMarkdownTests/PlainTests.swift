import StyledText
import Testing

@testable import TerminalMarkdown

@Suite("Markdown as plain text")
struct PlainTests {
  private static func text(_ markdown: String, width: Int = 60) -> String {
    var renderer = MarkdownRenderer(width: width)
    renderer.isUnicode = false
    renderer.isPlain = true
    return renderer.document(of: markdown).lines.map(\.plain).joined(separator: "\n")
  }

  @Test("rules, bars and boxes are replaced with words")
  func words() {
    let shown = Self.text(
      """
      # Expected
      It prints one line.

      ---

      > It doesn't.
      > Not at all.

      > [!WARNING]
      > Don't run it.

      ```swift
      print(1)
      ```

      - [x] read
      - [ ] fixed

      | version | result |
      |---|--:|
      | 6.1 | 2 |
      | 6.2 | 1 |

      <details><summary>Log</summary>

      Nothing.

      </details>
      """)
    #expect(
      shown == """
        Heading 1: Expected

        It prints one line.

        Quote: It doesn't.
          Not at all.

        Warning:
          Don't run it.

        Code: swift
        print(1)
        End of code

        done: read
        to do: fixed

        version: 6.1
        result: 2

        version: 6.2
        result: 1

        Details: Log

          Nothing.
        """)
  }

  @Test("lines never exceed the page width", arguments: 1...30)
  func widths(width: Int) {
    let markdown = """
      # A heading of some length
      > A quotation of some length

      - [x] a task of some length
      ```swift
      let aLineOfCode = ofSomeLength
      ```
      <details><summary>A log of some length</summary>
      """
    for line in Self.text(markdown, width: width).split(separator: "\n") {
      #expect(DisplayWidth.columns(of: String(line)) <= width, "\(line)")
    }
  }
}
