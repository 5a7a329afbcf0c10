/// The characters for drawing a document.
struct Glyphs {
  struct AlertFrame {
    let top: String
    let side: String
    let bottom: String
    let rule: String
  }

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
  /// Below headings, by level.
  let underlines: [String]
  let alert: AlertFrame
  /// Before the summary of a `details` element.
  let open: String
  /// Whether words name blocks, in place of rules and bars.
  var isPlain = false

  static let unicode = Glyphs(
    bar: "│", bullets: ["•", "◦", "▪"], checked: "☑", unchecked: "☐", rule: "─", column: "│",
    cross: "┼", topCorner: "┌", bottomCorner: "└", continuation: "↳",
    underlines: ["═", "─", "╌", "┄", "┈", "·"],
    alert: AlertFrame(top: "┏", side: "┃", bottom: "┗", rule: "━"), open: "▾")

  static let ascii = Glyphs(
    bar: "|", bullets: ["*", "-", "+"], checked: "[x]", unchecked: "[ ]", rule: "-", column: "|",
    cross: "+", topCorner: "+", bottomCorner: "+", continuation: "\\",
    underlines: ["=", "-", "~", "^", "'", "."],
    alert: AlertFrame(top: "+", side: "|", bottom: "+", rule: "="), open: "v")

  static let plain = Glyphs(
    bar: "Quote:", bullets: ["-"], checked: "done:", unchecked: "to do:", rule: "", column: ",",
    cross: "", topCorner: "Code:", bottomCorner: "End of code", continuation: " ",
    underlines: [""], alert: AlertFrame(top: "", side: " ", bottom: "", rule: ""),
    open: "Details:", isPlain: true)
}
