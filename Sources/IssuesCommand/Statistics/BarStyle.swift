/// What bars are drawn with in a terminal.
enum BarStyle: Sendable, Hashable {
  /// Blocks, an eighth of a column at a time.
  case blocks
  /// Number signs: the terminal may have no blocks.
  case ascii

  /// Decides from the user's locale, whose character set is that of the terminal.
  ///
  /// The first of the variables that isn't empty counts
  /// (<https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02>).
  init(environment: [String: String]) {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].map { environment[$0, default: ""] }
    let locale = variables.first { !$0.isEmpty }?.lowercased() ?? ""
    self = ["utf-8", "utf8"].contains(where: locale.contains) ? .blocks : .ascii
  }

  /// Draws a bar.
  ///
  /// - Parameters:
  ///   - count: What it stands for. Where there is anything, there is something to be seen.
  ///   - greatest: What a bar of the whole width stands for.
  ///   - width: The whole width, in columns.
  /// - Returns: The bar, without blanks behind it.
  func bar(_ count: Int, of greatest: Int, width: Int) -> String {
    guard count > 0, greatest > 0, width > 0 else { return "" }
    let steps = self == .blocks ? 8 : 1
    let share = Double(min(count, greatest)) / Double(greatest)
    let length = max(1, Int((share * Double(width * steps)).rounded()))
    guard self == .blocks else { return String(repeating: "#", count: length) }
    let (whole, eighths) = length.quotientAndRemainder(dividingBy: steps)
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: whole) + parts[eighths]
  }
}
