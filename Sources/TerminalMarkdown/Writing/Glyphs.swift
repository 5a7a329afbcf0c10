/// The characters that a document is drawn with.
struct Glyphs {
  /// Before the lines of a quotation.
  let bar: String
  /// Before the items of lists, by depth.
  let bullets: [String]
  /// Before a task that is done.
  let checked: String
  /// Before a task that isn't.
  let unchecked: String
  /// Horizontal lines.
  let rule: String
  /// Between the columns of a table.
  let column: String
  /// Where the lines of a table cross.
  let cross: String
  /// Where the line above a block of code begins.
  let topCorner: String
  /// Where the line below a block of code begins.
  let bottomCorner: String
  /// Before the rest of a line of code that is too long.
  let continuation: String
  /// Before the summary of a section that can be opened.
  let open: String

  /// For terminals that show all characters.
  static let unicode = Glyphs(
    bar: "│", bullets: ["•", "◦", "▪"], checked: "☑", unchecked: "☐", rule: "─", column: "│",
    cross: "┼", topCorner: "┌", bottomCorner: "└", continuation: "↳", open: "▾")

  /// For terminals that show only ASCII.
  static let ascii = Glyphs(
    bar: "|", bullets: ["*", "-", "+"], checked: "[x]", unchecked: "[ ]", rule: "-", column: "|",
    cross: "+", topCorner: "+", bottomCorner: "+", continuation: "\\", open: "v")
}
