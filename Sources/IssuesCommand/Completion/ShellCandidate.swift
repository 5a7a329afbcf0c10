internal import ArgumentParser
internal import StyledText

/// A candidate of a completion, for the scripts of the shells.
struct ShellCandidate: Sendable, Hashable {
  /// The text that the shell inserts.
  let text: String
  /// A description, for shells that show one; empty for none.
  let detail: String

  /// The longest text and detail, in scalars: with some thousands zsh lays out its menu forever. GitHub's longest names
  /// are half as long.
  private static let maximumLength = 200

  /// Makes a candidate; nil for a text that a shell could act on.
  ///
  /// bash expands candidates (`compgen -W`), and runs what is between `$(` and `)`. Names come from servers, so only
  /// letters, digits, pictographs, single blanks and a few harmless signs pass. Nothing may begin like an option or a home
  /// folder, or be longer than any name: cut off, it would be another name.
  init?(_ text: String, detail: String = "") {
    let isHarmless = text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "_", ".", "-", "/", "+", ":", "@": true
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

  /// The line for a shell: zsh wants a colon before the detail, fish a tab, and bash shows none.
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
