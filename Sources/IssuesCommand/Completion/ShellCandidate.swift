internal import StyledText

/// A candidate that a shell gives no meaning.
struct ShellCandidate: Sendable, Hashable {
  private(set) var text: String
  let detail: String

  /// In scalars, twice GitHub's longest names: with some thousands zsh lays out its menu forever.
  private static let maximumLength = 200

  /// Fails for a text that a shell could act on, as names come from servers: in bash only blanks and quotation marks are
  /// escaped. Nothing may begin like an option or a home folder; cut off, a name would be another.
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

  /// The form that the shells' scripts read: a tab before the detail.
  var line: String { detail.isEmpty ? text : "\(text)\t\(detail)" }
}
