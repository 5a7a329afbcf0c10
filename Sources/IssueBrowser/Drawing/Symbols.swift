package import StyledText

/// The characters that the browser draws with, apart from letters.
package struct Symbols: Sendable, Hashable {
  /// Before the search bar.
  let prompt: String
  /// Before the selected row, for terminals without reversed video.
  let marker: String
  /// Before a number of stars.
  let star: String
  /// Between pieces of a line.
  let dot: String
  /// The quotation mark before a text.
  let openingQuote: String
  /// The quotation mark after a text.
  let closingQuote: String
  /// The pictures of the spinner.
  let spinner: [String]
  /// A vertical line.
  let vertical: String
  /// A vertical line beside the pane with the keys.
  let boldVertical: String
  /// A horizontal line.
  let horizontal: String
  /// The corners of a box: at the top left, top right, bottom left, bottom right.
  let corners: [String]

  /// For terminals that show UTF-8.
  package static let unicode = Symbols(
    prompt: "❯", marker: "▌", star: "★", dot: "·", openingQuote: "“", closingQuote: "”",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
    vertical: "│", boldVertical: "┃", horizontal: "─", corners: ["╭", "╮", "╰", "╯"])

  /// For all others.
  package static let ascii = Symbols(
    prompt: ">", marker: ">", star: "*", dot: "-", openingQuote: "\"", closingQuote: "\"",
    spinner: ["|", "/", "-", "\\"],
    vertical: "|", boldVertical: "|", horizontal: "-", corners: ["+", "+", "+", "+"])

  /// A text between quotation marks.
  func quoted(_ text: String) -> String { openingQuote + text + closingQuote }
}

extension Style {
  /// The selected row of the pane with the keys.
  package static let selection = Style(isReversed: true)

  /// The matching part of a completion.
  package static let match = Style(foreground: .cyan, isBold: true)

  /// The mark before a text that is typed.
  package static let prompt = Style(foreground: .green, isBold: true)

  /// A failure.
  package static let problem = Style(foreground: .red)

  package static let delay = Style(foreground: .yellow)

  /// The lines of boxes and between panes.
  package static let line = Style(foreground: .grey)

  /// A line beside the pane with the keys.
  package static let focusedLine = Style(foreground: .cyan)

  /// A number of stars.
  package static let stars = Style(foreground: .yellow)
}
