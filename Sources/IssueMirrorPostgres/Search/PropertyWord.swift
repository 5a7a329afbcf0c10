/// Properties of an item as words of its text, without a position, so that a single index contains both words and
/// properties. Ordinary words never contain `=`.
enum PropertyWord {
  /// PostgreSQL's words have at most 2,046 bytes. Longer names aren't words, and are compared in the item's row.
  private static let mostBytes = 1_000

  static func of(repository: Int64) -> String { "=\(repository)" }
  /// A word of a title. It is marked as such, because the index doesn't store weights.
  static func title(_ word: String) -> String { "=t\(word)" }

  static func state(_ state: String) -> String? { word("s", state) }
  static func kind(isPullRequest: Bool) -> String { isPullRequest ? "=kpr" : "=kissue" }
  static func author(_ key: String) -> String? { word("a", key) }
  static func assignee(_ key: String) -> String? { word("g", key) }
  static func label(_ key: String) -> String? { word("l", key) }

  private static func word(_ kind: String, _ key: String) -> String? {
    guard key.utf8.count <= mostBytes else { return nil }
    return "=" + kind + (key.utf8.contains(0) ? key.replacing("\0", with: "\u{FFFD}") : key)
  }

  /// The word as a `tsquery`.
  static func quoted(_ word: String) -> String {
    "'\(word.replacing("\\", with: "\\\\").replacing("'", with: "''"))'"
  }
}

/// The properties of an item that have words, in lowercase.
struct ItemKeys {
  var state: String
  var isPullRequest: Bool
  var author: String?
  var labels: [String]
  var assignees: [String]

  var words: [String] {
    let named = [PropertyWord.state(state), author.flatMap(PropertyWord.author)]
    return [PropertyWord.kind(isPullRequest: isPullRequest)] + named.compactMap(\.self)
      + labels.compactMap(PropertyWord.label) + assignees.compactMap(PropertyWord.assignee)
  }
}
