/// A shell's command line up to the cursor.
struct ShellLine {
  /// The words without quotation marks and backslashes. The last one, which may be empty, is to be completed.
  private(set) var words = [""]

  /// The last word as typed.
  private var typed = ""

  /// The mark of an unclosed quotation.
  private var quote: Character?

  init(_ line: String) {
    var isEscaped = false
    for character in line {
      if quote == nil, !isEscaped, " \t\n".contains(character) {
        if !typed.isEmpty { words.append("") }
        typed = ""
        continue
      }
      typed.append(character)
      if !isEscaped, character == "\\", quote != "'" {
        isEscaped = true
      } else if !isEscaped, character == quote {
        quote = nil
      } else if !isEscaped, quote == nil, "\"'".contains(character) {
        quote = character
      } else {
        words[words.count - 1].append(character)
        isEscaped = false
      }
    }
  }

  /// The text that bash inserts for its own word, which begins after a colon, an equals sign or a quotation mark; nil
  /// if the candidate can't follow the preceding text.
  func replacement(for word: String, by candidate: String) -> String? {
    let text = candidate.prefix { $0 != "\t" }
    let before = typed.hasSuffix(word) ? Self(String(typed.dropLast(word.count))).words[0] : ""
    guard text.lowercased().hasPrefix(before.lowercased()) else { return nil }
    let special = quote == nil ? " \"" : quote == "\"" ? "\"" : ""
    return text.dropFirst(before.count)
      .reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : "\($1)" }
  }
}
