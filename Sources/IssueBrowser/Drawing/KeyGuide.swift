/// What the keys do, for the help of the screen and for that of the command.
package enum KeyGuide {
  /// Keys that do the same, or opposites.
  package struct Entry: Sendable, Hashable {
    /// The keys.
    package let keys: String
    /// What they do.
    package let meaning: String
    /// The same where there is little room; nil for what can be left out there.
    let brief: String?
  }

  /// All keys, in the order in which they are learnt.
  package static let entries = [
    Entry(keys: "/", meaning: "type into the search bar", brief: "/ search"),
    Entry(keys: "Up Down, k j", meaning: "move by a row or a line", brief: "k j move"),
    Entry(keys: "PgUp PgDn", meaning: "move by a page", brief: "PgUp PgDn page"),
    Entry(keys: "Home End, g G", meaning: "first, last", brief: "g G ends"),
    Entry(keys: "Enter", meaning: "read the issue, show the repository", brief: "Enter read"),
    Entry(keys: "n p", meaning: "while reading: next issue, the one before", brief: "n p next"),
    Entry(keys: "Tab", meaning: "next pane; complete what is typed", brief: "Tab pane"),
    Entry(keys: "o", meaning: "open in the web browser", brief: "o open"),
    Entry(
      keys: "f", meaning: "filter: is:closed label:bug; in the mirror, words too", brief: "f filter"
    ),
    Entry(keys: "s", meaning: "next order", brief: "s sort"),
    Entry(keys: "r", meaning: "load anew", brief: "r refresh"),
    Entry(keys: "?", meaning: "explain the keys", brief: "? help"),
    Entry(keys: "Esc", meaning: "back; from the first list: to the search bar", brief: nil),
    Entry(keys: "q", meaning: "back; from the first list: quit", brief: "q Esc back"),
    Entry(keys: "Ctrl-C", meaning: "quit", brief: "^C quit"),
    Entry(keys: "Ctrl-Z", meaning: "suspend; fg comes back", brief: "^Z suspend"),
    Entry(keys: "Ctrl-L", meaning: "draw anew", brief: "^L draw"),
    Entry(keys: "Mouse", meaning: "wheel moves, a click selects, two read", brief: nil),
  ]

  /// The keys as lines of a table: `keys  meaning`.
  package static var table: [String] {
    let width = entries.map(\.keys.count).max() ?? 0
    return entries.map { entry in
      entry.keys + String(repeating: " ", count: width - entry.keys.count + 2) + entry.meaning
    }
  }
}
