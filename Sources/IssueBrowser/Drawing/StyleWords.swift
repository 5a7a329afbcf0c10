internal import StyledText

/// A style in words: attributes, a color, and `on` with a background color, such as `bold #7aa2f7`, `underline blue`,
/// `black on yellow`, `reverse`.
enum StyleWords {
  struct Problem: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static func style(_ text: String) throws(Problem) -> Style {
    var style = Style()
    var words = text.split { $0.isWhitespace }.map { $0.lowercased() }[...]
    var hasColor = false
    guard !words.isEmpty else { throw Problem(description: "there is no style in it") }
    while let word = words.popFirst() {
      switch word {
      case "bold": style.isBold = true
      case "faint", "dim": style.isFaint = true
      case "italic": style.isItalic = true
      case "underline": style.isUnderlined = true
      case "reverse": style.isReversed = true
      case "on":
        guard let color = words.popFirst() else {
          throw Problem(description: "a color is missing after 'on'")
        }
        style.background = try paint(color)
        guard words.isEmpty else {
          throw Problem(
            description: "'\(words.joined(separator: " "))' comes after the background")
        }
      default:
        guard !hasColor else { throw Problem(description: "'\(word)' is a second color") }
        style.foreground = try paint(word)
        hasColor = true
      }
    }
    return style
  }

  private static func paint(_ word: String) throws(Problem) -> Style.Paint {
    switch word {
    case "default": return .standard
    case "black": return .black
    case "red": return .red
    case "green": return .green
    case "yellow": return .yellow
    case "blue": return .blue
    case "magenta": return .magenta
    case "cyan": return .cyan
    case "white": return .white
    case "grey", "gray": return .grey
    default:
      guard word.hasPrefix("#"), let color = Color(hexadecimal: word) else {
        throw Problem(
          description: "'\(word)' is neither a color (#7aa2f7, red, default) nor bold, faint, "
            + "italic, underline or reverse")
      }
      return .exact(color)
    }
  }
}
