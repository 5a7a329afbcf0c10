/// The characters that a document is drawn with.
struct Glyphs {
  /// Before a quotation.
  let bar: String
  /// Before the items of lists, by depth.
  let bullets: [String]
  let checked: String
  let unchecked: String
  let rule: String
  let column: String
  let cross: String
  let topCorner: String
  let bottomCorner: String
  /// Before the rest of a line of code that is too long.
  let continuation: String
  /// Before the summary of a `details` element.
  let open: String

  static let unicode = Glyphs(
    bar: "│", bullets: ["•", "◦", "▪"], checked: "☑", unchecked: "☐", rule: "─", column: "│",
    cross: "┼", topCorner: "┌", bottomCorner: "└", continuation: "↳", open: "▾")

  static let ascii = Glyphs(
    bar: "|", bullets: ["*", "-", "+"], checked: "[x]", unchecked: "[ ]", rule: "-", column: "|",
    cross: "+", topCorner: "+", bottomCorner: "+", continuation: "\\", open: "v")
}
