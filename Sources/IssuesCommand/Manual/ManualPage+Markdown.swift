extension ManualPage {
  /// The page for a website. Headings are Markdown, from which the table of contents is made. The rest is HTML, in
  /// which no character of the text has a special meaning.
  var markdown: String {
    var lines = ["# \(words.joined(separator: " "))", "", "<p>\(Self.escaped(summary))</p>"]
    func add(_ title: String, _ html: [String]) { lines += ["", title, ""] + html }
    add("## Synopsis", [Self.kept(synopsis)])
    for section in sections + sharedSections {
      add("## \(section.titleOfSentence)", section.blocks.map(Self.html))
      for part in section.parts {
        add("### \(part.titleOfSentence)", part.blocks.map(Self.html))
      }
    }
    let links = related.map { words in
      "[`\(words.joined(separator: " "))`](\(Self.name(of: words)).md)"
    }
    if !links.isEmpty { add("## See also", [links.joined(separator: ", ")]) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func html(_ block: ManualBlock) -> String {
    switch block {
    case .paragraph(let text): "<p>\(escaped(text))</p>\n"
    case .lines(let lines): kept(lines) + "\n"
    case .entries(let entries):
      "<dl>\n"
        + entries.map {
          "<dt><code>\(escaped($0.term))</code></dt><dd>\(escaped($0.text))</dd>\n"
        }.joined() + "</dl>\n"
    }
  }

  private static func kept(_ lines: [String]) -> String {
    "<pre><code>\(escaped(lines.joined(separator: "\n")))</code></pre>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
