internal import ArgumentParser
internal import StyledText

/// A candidate in the form that the scripts of the shells take.
struct ShellCandidate: Sendable, Hashable {
  let text: String
  let detail: String

  /// In scalars, twice GitHub's longest names: with some thousands zsh lays out its menu forever.
  private static let maximumLength = 200

  /// Fails for a text that a shell could act on: bash expands candidates (`compgen -W`) and runs `$(…)`.
  ///
  /// Names come from servers. Nothing may begin like an option or a home folder; cut off, a name would be another.
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

  /// Writes a colon before zsh's detail and a tab before fish's; bash shows none.
  func line(for shell: CompletionShell?) -> String {
    switch shell {
    case .zsh:
      let text = text.split(separator: ":", omittingEmptySubsequences: false).joined(
        separator: "\\:")
      return detail.isEmpty ? text : "\(text):\(detail)"
    case .fish: return detail.isEmpty ? text : "\(text)\t\(detail)"
    default: return text
    }
  }
}
