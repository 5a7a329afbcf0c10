internal import StyledText

/// A candidate without special meaning to a shell.
struct ShellCandidate: Sendable, Hashable {
  private(set) var text: String
  let detail: String

  /// In scalars, twice GitHub's longest names: with thousands of scalars, zsh lays out its menu forever.
  private static let maximumLength = 200

  /// Fails for a text that a shell could act on, since names come from servers: bash escapes only blanks and quotation
  /// marks. No candidate may begin like an option or a home folder, and a truncated name would be a different one.
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

  /// The format that the shells' scripts read: a tab before the detail.
  var line: String { detail.isEmpty ? text : "\(text)\t\(detail)" }
}
