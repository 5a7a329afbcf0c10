/// Text that attacks its readers, as anybody can put into an issue on GitHub.
public enum HostileText {
  /// A sample of each thing that could trip up a terminal or a table.
  public static let samples: [String] = [
    "window title \u{1B}]0;owned\u{07} set",
    "hyperlink \u{1B}]8;;https://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\",
    "color \u{1B}[31mred\u{1B}[2J and cleared",
    "C1 control \u{9B}31mred \u{9D}0;owned\u{9C}",
    "NUL \0 in the middle",
    "right-to-left \u{202E}gnp.exe\u{202C} and isolates \u{2066}x\u{2069}",
    "two lines\r\nIssue #1: approved",
    "a tab\tand a bell\u{07} and DEL\u{7F} and backspace\u{08}\u{08}",
    "wide 漢字カナ and 👩‍👩‍👧‍👦 and e\u{301}\u{301}\u{301}",
    "zero\u{200B}width\u{FEFF} and line separator\u{2028}next",
    "clipboard \u{1B}]52;c;cm0gLXJmIH4K\u{07} written",
  ]

  /// A Markdown text with all samples in different places, broken links, and a line of 10,000 columns.
  ///
  /// - Parameter index: The first sample.
  /// - Returns: The text, about 12 KB.
  public static func document(_ index: Int) -> String {
    let texts = samples.indices.map { sample(index + $0) }
    return """
      # \(texts[0])

      \(texts[1])

      - [ ] \(texts[2])
      - [x] **\(texts[3])**

      > \(texts[4])

      ```\(texts[5])
      \(texts[6])
      ```

      | \(texts[7]) | `\(texts[8])` |
      |---|---|
      | [\(texts[9])](javascript:alert\u{1B}[2J) | <\u{9B}2J> |

      <details><summary>\(texts[10])</summary>

      [a page](https://evil.example/\u{1B}]8;;x\u{07}) ![\(texts[0])](file:///etc/passwd)

      </details>

      &#27;[2J &#x9b;31m &#0; \(String(repeating: "wide ", count: 2_000))
      """
  }

  /// A sample by number. After the last, the first comes again.
  public static func sample(_ index: Int) -> String {
    samples[((index % samples.count) + samples.count) % samples.count]
  }
}
