internal import ArgumentParser
internal import StyledText

/// What may be meant by what is being typed, as the scripts of the shells take it.
struct ShellCandidate: Sendable, Hashable {
  /// What the shell puts into the line.
  let text: String
  /// What it is, for shells that show that; empty for nothing.
  let detail: String

  /// The longest text and the longest detail, in scalars: zsh lays its menu out for ever where one is some
  /// thousands long. GitHub's longest names are half of it.
  private static let maximumLength = 200

  /// Makes a candidate, or gives nil for a text that a shell could do something with.
  ///
  /// bash expands what it is offered (`compgen -W`): what is between `$(` and `)` is run. Names come from
  /// servers, so nothing passes but letters, digits, pictographs, single blanks and a few signs that no
  /// shell minds; nothing that begins like an option or like somebody's home; and nothing that is longer
  /// than any name: cut off, it would be another one.
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

  /// The line for a shell: zsh has a colon before the detail, fish a tab, and bash shows none.
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
