package import StyledText

/// The characters that the browser draws with, apart from letters.
package struct Symbols: Sendable, Hashable {
  let prompt: String
  let marker: String
  let star: String
  let dot: String
  let openingQuote: String
  let closingQuote: String
  let spinner: [String]
  let vertical: String
  let boldVertical: String
  let horizontal: String
  /// Top left, top right, bottom left, bottom right.
  let corners: [String]

  package static let unicode = Symbols(
    prompt: "❯", marker: "▌", star: "★", dot: "·", openingQuote: "“", closingQuote: "”",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
    vertical: "│", boldVertical: "┃", horizontal: "─", corners: ["╭", "╮", "╰", "╯"])

  package static let ascii = Symbols(
    prompt: ">", marker: ">", star: "*", dot: "-", openingQuote: "\"", closingQuote: "\"",
    spinner: ["|", "/", "-", "\\"],
    vertical: "|", boldVertical: "|", horizontal: "-", corners: ["+", "+", "+", "+"])

  func quoted(_ text: String) -> String { openingQuote + text + closingQuote }
}

extension Style {
  package static let selection = Style(isReversed: true)

  package static let match = Style(foreground: .cyan, isBold: true)

  package static let prompt = Style(foreground: .green, isBold: true)

  package static let problem = Style(foreground: .red)

  package static let delay = Style(foreground: .yellow)

  package static let line = Style(foreground: .grey)

  package static let focusedLine = Style(foreground: .cyan)

  package static let stars = Style(foreground: .yellow)
}
