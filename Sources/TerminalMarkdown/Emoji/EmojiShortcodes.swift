/// Emoji by their names on GitHub: `tada` is 🎉.
enum EmojiShortcodes {
  /// The maximum length in bytes.
  static let longestName = 40

  /// The table is created on the first lookup, because most documents don't contain emoji names.
  private static let emoji: [Substring: Substring] = {
    var emoji: [Substring: Substring] = [:]
    for entry in table.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
      let words = entry.split(separator: " ")
      guard let character = words.first else { continue }
      for name in words.dropFirst() { emoji[name] = character }
    }
    return emoji
  }()

  static func emoji(named name: String) -> String? {
    name.isEmpty ? nil : emoji[name[...]].map { String($0) }
  }
}
