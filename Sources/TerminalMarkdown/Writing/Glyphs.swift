/// The characters for drawing a document.
struct Glyphs {
  struct AlertFrame {
    let top: String
    let side: String
    let bottom: String
    let rule: String
  }

  /// The mark before each line of a quotation.
  let bar: String
  /// The list markers, by nesting depth.
  let bullets: [String]
  let checked: String
  let unchecked: String
  let rule: String
  let column: String
  let cross: String
  let topCorner: String
  let bottomCorner: String
  /// The mark before the continuation of a long code line.
  let continuation: String
  /// The characters of the rules below headings, by level.
  let underlines: [String]
  let alert: AlertFrame
  /// The mark before the summary of a `details` element.
  let open: String
  /// Whether words label blocks, instead of rules and bars.
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
