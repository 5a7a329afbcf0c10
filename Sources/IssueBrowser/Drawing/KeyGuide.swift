/// What the keys do, for the help of the screen and for that of the command.
package enum KeyGuide {
  /// Keys that do the same, or opposites.
  package struct Entry: Sendable, Hashable {
    /// The keys.
    package let keys: String
    /// What they do.
    package let meaning: String
  }

  /// All keys, in the order in which they are learnt.
  package static let entries = [
    Entry(keys: "/", meaning: "type into the search bar"),
    Entry(keys: "Up Down, k j", meaning: "move by a row or a line"),
    Entry(keys: "PgUp PgDn", meaning: "move by a page"),
    Entry(keys: "Home End, g G", meaning: "first, last"),
    Entry(keys: "Enter", meaning: "read the issue, show the repository"),
    Entry(keys: "n p", meaning: "while reading: next issue, the one before"),
    Entry(keys: "Tab", meaning: "next pane; complete what is typed"),
    Entry(keys: "o", meaning: "open in the web browser"),
    Entry(keys: "f", meaning: "filter: is:closed label:bug author:me"),
    Entry(keys: "s", meaning: "next order"),
    Entry(keys: "r", meaning: "load anew"),
    Entry(keys: "?", meaning: "explain the keys"),
    Entry(keys: "Esc", meaning: "back"),
    Entry(keys: "q", meaning: "back; from the list: quit"),
    Entry(keys: "Ctrl-C", meaning: "quit"),
    Entry(keys: "Ctrl-Z", meaning: "suspend; fg comes back"),
    Entry(keys: "Ctrl-L", meaning: "draw anew"),
    Entry(keys: "Mouse", meaning: "wheel moves, a click selects, two read"),
  ]

  /// The keys as lines of a table: `keys  meaning`.
  package static var table: [String] {
    let width = entries.map(\.keys.count).max() ?? 0
    return entries.map { entry in
      entry.keys + String(repeating: " ", count: width - entry.keys.count + 2) + entry.meaning
    }
  }
}
