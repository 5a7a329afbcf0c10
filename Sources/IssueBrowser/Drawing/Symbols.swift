/// The characters that the browser draws with beside letters.
package struct Symbols: Sendable, Hashable {
  /// Stands before what is typed.
  let prompt: String
  /// Stands before the selected row, which is recognised by it where there is no reversed video.
  let marker: String
  /// Stands before a number of stars.
  let star: String
  /// Stands between pieces of a line.
  let dot: String
  /// The quotation mark before a text.
  let openingQuote: String
  /// The quotation mark behind a text.
  let closingQuote: String
  /// The pictures of the spinner.
  let spinner: [String]
  /// A vertical line.
  let vertical: String
  /// A vertical line beside the pane that has the keys.
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
