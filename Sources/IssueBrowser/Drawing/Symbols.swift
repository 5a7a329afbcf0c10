package import IssueTracker

/// The characters that the browser draws, except for letters.
package struct Symbols: Sendable, Hashable {
  let prompt: String
  let marker: String
  let star: String
  package let dot: String
  let openingQuote: String
  let closingQuote: String
  let spinner: [String]
  let vertical: String
  let boldVertical: String
  let horizontal: String
  /// The top left, top right, bottom left and bottom right corners.
  let corners: [String]
  /// The symbols of states also differ without colors (NO_COLOR, monochrome terminals, color blindness).
  let open: String
  let completed: String
  let notPlanned: String
  /// The mark of a row that is new or has changed.
  let unread: String
  let scrollbar: String
  /// Whether plain mode is on: words in one column of text replace boxes, bars and glyphs, for screen readers and
  /// braille displays.
  var isPlain = false

  package static let unicode = Symbols(
    prompt: "❯", marker: "▌", star: "★", dot: "·", openingQuote: "“", closingQuote: "”",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
    vertical: "│", boldVertical: "┃", horizontal: "─", corners: ["╭", "╮", "╰", "╯"],
    open: "●", completed: "✓", notPlanned: "⊘",
    unread: "•", scrollbar: "▐")

  package static let ascii = Symbols(
    prompt: ">", marker: ">", star: "*", dot: "-", openingQuote: "\"", closingQuote: "\"",
    spinner: ["|", "/", "-", "\\"],
    vertical: "|", boldVertical: "|", horizontal: "-", corners: ["+", "+", "+", "+"],
    open: "o", completed: "x", notPlanned: "-",
    unread: "*", scrollbar: "#")

  package static let plain = Symbols(
    prompt: "Search:", marker: ">", star: "stars", dot: "-", openingQuote: "\"",
    closingQuote: "\"", spinner: [" "],
    vertical: " ", boldVertical: " ", horizontal: " ", corners: [" ", " ", " ", " "],
    open: "open", completed: "closed", notPlanned: "not planned",
    unread: " ", scrollbar: " ", isPlain: true)

  package func state(_ state: IssueState, _ reason: StateReason?) -> String {
    switch (state, reason) {
    case (.open, _): open
    case (_, .notPlanned), (_, .duplicate): notPlanned
    default: completed
    }
  }

  var isUnicode: Bool { self == .unicode }

  func quoted(_ text: String) -> String { openingQuote + text + closingQuote }
}
