internal import TerminalScreen

/// The keys and their meanings: for the help of the screen and of the command, and for the palette of actions.
package enum KeyGuide {
  /// Keys that do the same, or opposites.
  package struct Entry: Sendable, Hashable {
    package let keys: String
    package let meaning: String
    /// For a narrow window; nil for the keys and their meaning.
    let brief: String?
    /// nil for all panes.
    let pane: BrowserState.Pane?
    let actions: [Action]

    /// An entry of one key, perhaps with others after a comma, is an action too.
    init(
      keys: String, meaning: String, brief: String?, pane: BrowserState.Pane? = nil,
      actions: [Action]? = nil
    ) {
      self.keys = keys
      self.meaning = meaning
      self.brief = brief
      self.pane = pane
      let first = keys.split(separator: ",").first.map(String.init) ?? ""
      self.actions =
        actions
        ?? InputEvent.Key(named: first).map {
          [Action(key: $0, keys: first, name: meaning, pane: pane)]
        } ?? []
    }
  }

  /// What the palette offers, by the key that does it.
  struct Action: Sendable, Hashable {
    let key: InputEvent.Key
    let keys: String
    let name: String
    /// nil for all panes.
    let pane: BrowserState.Pane?

    init(key: InputEvent.Key, keys: String, name: String, pane: BrowserState.Pane? = nil) {
      self.key = key
      self.keys = keys
      self.name = name
      self.pane = pane
    }

    init(_ key: Character, _ name: String, pane: BrowserState.Pane? = nil) {
      self.init(key: .character(key), keys: String(key), name: name, pane: pane)
    }
  }

  package static let entries: [Entry] = [
    Entry(
      keys: "/", meaning: "go to the search bar; while reading, find a text", brief: "/ search",
      actions: [
        Action("/", "go to the search bar", pane: .list),
        Action("/", "find a text on this page", pane: .reader),
      ]),
    Entry(keys: "Up Down, k j", meaning: "move one row or line", brief: "k j move"),
    Entry(keys: "PgUp PgDn, ^B ^F", meaning: "move one page", brief: "PgUp PgDn page"),
    Entry(keys: "Ctrl-U Ctrl-D", meaning: "move half a page", brief: "^U ^D half"),
    Entry(
      keys: "Home End, g G", meaning: "go to the first or last", brief: "g G ends",
      actions: [Action("g", "go to the beginning"), Action("G", "go to the end")]),
    Entry(
      keys: "Enter, l", meaning: "read the issue; list the repository's issues",
      brief: "Enter read"),
    Entry(
      keys: "# :", meaning: "go to an issue by its number", brief: "# number",
      actions: [Action("#", "go to an issue by its number")]),
    Entry(
      keys: "J K", meaning: "next or previous issue, while reading", brief: "J K next",
      pane: .reader,
      actions: [
        Action("J", "read the next issue", pane: .reader),
        Action("K", "read the previous issue", pane: .reader),
      ]),
    Entry(
      keys: "n N", meaning: "next or previous match of a found text", brief: "n N match",
      pane: .reader,
      actions: [
        Action("n", "go to the next match", pane: .reader),
        Action("N", "go to the previous match", pane: .reader),
      ]),
    Entry(
      keys: "[ ]", meaning: "back and forward, as in a web browser", brief: "[ ] history",
      actions: [Action("[", "go back to where you were"), Action("]", "go forward again")]),
    Entry(keys: "p", meaning: "preview of the selected issue on or off", brief: "p preview"),
    Entry(
      keys: "1-9, 0", meaning: "open a view; the start screen", brief: "1-9 views",
      actions: [Action("0", "show the start screen")]),
    Entry(keys: "Tab", meaning: "next pane; complete what you type", brief: "Tab pane"),
    Entry(keys: "o", meaning: "open in the web browser", brief: "o open"),
    Entry(
      keys: "f", meaning: "filter: words, is:closed, label:bug; Tab completes", brief: "f filter",
      pane: .list),
    Entry(
      keys: "f, then a number", meaning: "open a link, while reading", brief: "f link",
      pane: .reader, actions: [Action("f", "open a link in sight", pane: .reader)]),
    Entry(
      keys: "y, yb, yc", meaning: "copy the number, the description, a code block",
      brief: "y copy", actions: [Action("y", "copy the issue's number")]),
    Entry(keys: "Y", meaning: "copy the address of the page", brief: nil),
    Entry(keys: "s", meaning: "choose the order", brief: "s sort", pane: .list),
    Entry(keys: "r", meaning: "reload", brief: "r reload"),
    Entry(keys: "v", meaning: "show the request that failed", brief: nil),
    Entry(
      keys: "Ctrl-P", meaning: "all actions, to choose one by typing", brief: "^P actions",
      actions: []),
    Entry(
      keys: "x X", meaning: "close with a reason; reopen", brief: "x close",
      actions: [Action("x", "close with a reason"), Action("X", "reopen")]),
    Entry(
      keys: "c e", meaning: "comment; edit the title and the text", brief: "c comment",
      actions: [Action("c", "comment"), Action("e", "edit the title and the text")]),
    Entry(keys: "n", meaning: "new issue, in the list", brief: "n new", pane: .list),
    Entry(
      keys: "L a m", meaning: "labels, assignees, milestone", brief: "L labels",
      actions: [
        Action("L", "change the labels"), Action("a", "change the assignees"),
        Action("m", "change the milestone"),
      ]),
    Entry(keys: "+", meaning: "react with an emoji", brief: "+ react"),
    Entry(keys: "u", meaning: "undo the newest change before it is sent", brief: "u undo"),
    Entry(keys: "O", meaning: "the outbox: what isn't sent", brief: "O outbox"),
    Entry(
      keys: "Space V *", meaning: "select a row, a range, all", brief: "Space select",
      actions: [
        Action("V", "select rows from here on", pane: .list),
        Action("*", "select all rows", pane: .list),
      ]),
    Entry(keys: "?", meaning: "show these keys", brief: "? help"),
    Entry(keys: "Esc", meaning: "back; in the first list, to the search bar", brief: nil),
    Entry(keys: "q, h", meaning: "back; in the first list, quit", brief: "q Esc back"),
    Entry(keys: "Ctrl-C", meaning: "quit", brief: "^C quit"),
    Entry(keys: "Ctrl-Z", meaning: "suspend; fg resumes", brief: "^Z suspend"),
    Entry(keys: "Ctrl-L", meaning: "redraw", brief: "^L draw"),
    Entry(keys: "Mouse", meaning: "wheel scrolls, click selects, double-click reads", brief: nil),
  ]

  static let actions = entries.flatMap(\.actions)

  package static var table: [String] {
    let width = entries.map(\.keys.count).max() ?? 0
    return entries.map { entry in
      entry.keys + String(repeating: " ", count: width - entry.keys.count + 2) + entry.meaning
    }
  }
}

extension InputEvent.Key {
  /// A key by its name in the table, such as `x`, `Enter` or `Ctrl-P`; nil for several or none.
  fileprivate init?(named name: String) {
    if name.count == 1, let character = name.first {
      self = .character(character)
      return
    }
    switch name {
    case "Enter": self = .enter
    case "Esc": self = .escape
    case "Tab": self = .tab
    case "Space": self = .character(" ")
    case "Ctrl-C": self = .interrupt
    default:
      guard name.hasPrefix("Ctrl-"), let letter = name.dropFirst(5).first, name.count == 6 else {
        return nil
      }
      self = .control(Character(letter.lowercased()))
    }
  }
}
