/// Emoji by the names that they have on GitHub: `tada` is 🎉.
enum EmojiShortcodes {
  /// The longest name, in bytes.
  static let longestName = 40

  /// Made when the first name is looked up: most documents have none.
  private static let emoji: [Substring: Substring] = {
    var emoji: [Substring: Substring] = [:]
    for entry in table.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
      let words = entry.split(separator: " ")
      guard let character = words.first else { continue }
      for name in words.dropFirst() { emoji[name] = character }
    }
    return emoji
  }()

  /// The emoji of a name; nil where there is none.
  static func emoji(named name: String) -> String? {
    name.isEmpty ? nil : emoji[name[...]].map { String($0) }
  }
}
