internal import StyledText

/// A candidate without special meaning to a shell.
struct ShellCandidate: Sendable, Hashable {
  private(set) var text: String
  let detail: String

  /// The maximum length in scalars, twice GitHub's longest names. With thousands of scalars, zsh's menu layout never
  /// ends.
  private static let maximumLength = 200

  /// Creates a candidate. Returns nil for text that a shell could execute or expand, because names come from servers:
  /// bash escapes only spaces and quotation marks. A candidate must not begin like an option or a home folder, and it
  /// isn't truncated, because it would be a different name.
  init?(_ text: String, detail: String = "") {
    let isHarmless = text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "_", ".", "-", "/", "+", ":", "@", ",":
        true
      default:
        scalar.value >= 0xA0 && !scalar.properties.isWhitespace
          && !TerminalText.isConcealed(scalar)
      }
    }
    guard isHarmless, !text.isEmpty, !["-", " "].contains(text.first), text.last != " ",
      !text.contains("  "), text.unicodeScalars.count <= Self.maximumLength
    else { return nil }
    self.text = text
    let shown = TerminalText(detail).string.unicodeScalars.prefix(Self.maximumLength)
    self.detail = String(String.UnicodeScalarView(shown))
  }

  var quoted: Self {
    var quoted = self
    quoted.text = "\"\(text)\""
    return quoted
  }

  /// The candidate in the format that the shells' scripts read: a tab precedes the detail.
  var line: String { detail.isEmpty ? text : "\(text)\t\(detail)" }
}
