/// Markdown text outside of fenced code blocks and code spans.
package enum MarkdownProse {
  /// Replaces parts of the prose. The code isn't changed.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - match: Receives the rest of a paragraph at each position, and the character before it. It returns the end of
  ///     the part to replace, and the replacement; nil if nothing is replaced here.
  /// - Returns: The text with the replacements.
  package static func replacing(
    in text: String, _ match: (Substring, Character?) -> (end: String.Index, text: String)?
  ) -> String {
    var result = ""
    var fence: Fence?
    var prose = ""
    func flush() {
      result += replacing(inProse: prose, match)
      prose = ""
    }
    // A code span may extend over several lines.
    for line in lines(of: text) {
      if let open = fence {
        result += line
        if open.isClosed(by: line) { fence = nil }
      } else if let opened = Fence(opening: line) {
        flush()
        fence = opened
        result += line
      } else {
        prose += line
      }
    }
    flush()
    return result
  }

  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      let next = rest.index(after: end)
      lines.append(rest[..<next])
      rest = rest[next...]
    }
    return lines + [rest]
  }

  private static func replacing(
    inProse text: String, _ match: (Substring, Character?) -> (end: String.Index, text: String)?
  ) -> String {
    var result = ""
    var rest = text[...]
    var last: Character?
    while let first = rest.first {
      if first == "`" {
        let span = codeSpan(at: rest)
        result += span
        rest = rest[span.endIndex...]
        last = "`"
      } else if let (end, replacement) = match(rest, last) {
        last = rest[..<end].last
        result += replacement
        rest = rest[end...]
      } else {
        result.append(first)
        last = first
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// A complete code span; only the backticks if it isn't closed.
  private static func codeSpan(at text: Substring) -> Substring {
    let mark = text.prefix { $0 == "`" }
    var rest = text[mark.endIndex...]
    while let next = rest.firstIndex(of: "`") {
      let run = rest[next...].prefix { $0 == "`" }
      if run.count == mark.count { return text[..<run.endIndex] }
      rest = rest[run.endIndex...]
    }
    return mark
  }

  /// A fence of a code block: <https://github.github.com/gfm/#fenced-code-blocks>.
  private struct Fence {
    let mark: Character
    let length: Int

    init?(opening line: Substring) {
      let text = line.drop { $0 == " " }
      guard line.distance(from: line.startIndex, to: text.startIndex) < 4, let mark = text.first,
        mark == "`" || mark == "~"
      else { return nil }
      length = text.prefix { $0 == mark }.count
      guard length >= 3 else { return nil }
      if mark == "`", text.dropFirst(length).contains("`") { return nil }
      self.mark = mark
    }

    func isClosed(by line: Substring) -> Bool {
      let text = line.drop { $0 == " " }
      let run = text.prefix { $0 == mark }
      return run.count >= length && text[run.endIndex...].allSatisfy(\.isWhitespace)
    }
  }
}
