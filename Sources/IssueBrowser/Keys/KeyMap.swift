package import TerminalScreen

/// The user's own keys, in the place of the usual ones.
///
/// ``BrowserKeys`` knows the usual keys only. A key of the user's becomes the usual key of its command before it is
/// looked up. Keys with a name of their own, such as Enter, Esc and the arrows, always keep their meaning.
package struct KeyMap: Sendable, Hashable {
  package enum Pane: Sendable, Hashable, CaseIterable {
    case list
    case reader
  }

  /// A command that can have other keys.
  package struct Command: Sendable, Hashable {
    package let name: String
    package let keys: [InputEvent.Key]
    let panes: [Pane]

    fileprivate init(_ name: String, _ keys: String, in panes: [Pane] = Pane.allCases) {
      self.name = name
      self.keys = keys.split(separator: " ").compactMap { KeyMap.key(String($0)) }
      self.panes = panes
    }
  }

  /// Two commands for one key.
  package struct Conflict: Error, Sendable, Hashable {
    package let key: InputEvent.Key
    package let command: String
    package let other: String
  }

  package static let commands: [Command] =
    [
      Command("next", "j"), Command("previous", "k"),
      Command("first", "g"), Command("last", "G"),
      Command("page-down", "ctrl-f"), Command("page-up", "ctrl-b"),
      Command("half-page-down", "ctrl-d"), Command("half-page-up", "ctrl-u"),
      Command("enter", "l"), Command("back", "q"), Command("leave", "h"),
      Command("search", "/"), Command("number", "# :"),
      Command("help", "?"), Command("palette", "ctrl-p"),
      Command("open", "o"), Command("reload", "r"), Command("request", "v"),
      Command("older-place", "["), Command("newer-place", "]"),
      Command("copy", "y"), Command("copy-address", "Y"),
      Command("preview", "p"), Command("outbox", "O"), Command("undo", "u"),
      Command("start", "0"),
      Command("filter", "f", in: [.list]), Command("sort", "s", in: [.list]),
      Command("select", "space", in: [.list]), Command("select-range", "V", in: [.list]),
      Command("select-all", "*", in: [.list]), Command("new-issue", "n", in: [.list]),
      Command("next-match", "n", in: [.reader]), Command("previous-match", "N", in: [.reader]),
      Command("next-issue", "J", in: [.reader]), Command("previous-issue", "K", in: [.reader]),
      Command("links", "f", in: [.reader]),
      Command("comment", "c"), Command("close", "x"), Command("reopen", "X"),
      Command("labels", "L"), Command("assignees", "a"), Command("milestone", "m"),
      Command("edit", "e"), Command("react", "+"),
    ] + (1...9).map { Command("view-\($0)", "\($0)") }

  /// The keys of the commands that the user gave other ones.
  package private(set) var chosen: [String: [InputEvent.Key]] = [:]
  /// nil for a key that has lost its meaning.
  private var meanings: [Pane: [InputEvent.Key: InputEvent.Key?]] = [:]

  package init() {}

  /// Takes keys by the names of ``commands``; other names are ignored. Throws if a key would have two meanings.
  package init(_ chosen: [String: [InputEvent.Key]]) throws(Conflict) {
    self.chosen = chosen
    for pane in Pane.allCases {
      meanings[pane] = try Self.meanings(chosen, in: pane)
    }
  }

  private static func meanings(
    _ chosen: [String: [InputEvent.Key]], in pane: Pane
  ) throws(Conflict) -> [InputEvent.Key: InputEvent.Key?] {
    var owners: [InputEvent.Key: Command] = [:]
    // First the usual keys, so that a conflict is one of a chosen key.
    let commands = commands.filter { $0.panes.contains(pane) }
    let usual = commands.filter { chosen[$0.name] == nil }
    for command in usual + commands.filter({ chosen[$0.name] != nil }) {
      for key in chosen[command.name] ?? command.keys {
        if let other = owners.updateValue(command, forKey: key), other != command {
          throw Conflict(key: key, command: command.name, other: other.name)
        }
      }
    }
    var meanings: [InputEvent.Key: InputEvent.Key?] = [:]
    for command in commands where chosen[command.name] != nil {
      for key in command.keys where owners[key] == nil { meanings[key] = .some(nil) }
    }
    for (key, command) in owners {
      if let keys = chosen[command.name], keys.contains(key), let usual = command.keys.first {
        meanings[key] = command.keys.contains(key) ? key : usual
      }
    }
    return meanings
  }

  /// The usual key for one that was pressed; nil if it means nothing.
  func usual(_ key: InputEvent.Key, in pane: Pane) -> InputEvent.Key? {
    guard let meaning = meanings[pane]?[key] else { return key }
    return meaning
  }

  /// The keys of a guide, such as `k j`, as the user has chosen them.
  func shown(_ keys: String, in wanted: BrowserState.Pane? = nil) -> String {
    guard !chosen.isEmpty else { return keys }
    let pane = wanted == .reader ? Pane.reader : .list
    let words = keys.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isListed = word.last == "," && word.count > 1
      let name = String(isListed ? word.dropLast() : word)
      guard let key = Self.key(name), meanings[pane]?[key] != nil else { return String(word) }
      let command = Self.commands.first { $0.panes.contains(pane) && $0.keys.contains(key) }
      let own = command.flatMap { chosen[$0.name] } ?? []
      return own.map(Self.name).joined(separator: " ") + (isListed ? "," : "")
    }
    return words.joined(separator: " ")
  }

  // MARK: Names of keys

  /// Reads `j`, `G`, `space`, `ctrl-n` or `^n`; nil for keys that can't be chosen.
  package static func key(_ name: String) -> InputEvent.Key? {
    if name == "space" { return .character(" ") }
    if name.count == 1, let character = name.first {
      return character.isWhitespace ? nil : .character(character)
    }
    var letter: Substring?
    if name.hasPrefix("^"), name.count == 2 { letter = name.dropFirst() }
    if name.lowercased().hasPrefix("ctrl-") { letter = name.dropFirst(5) }
    guard let letter = letter?.lowercased(), letter.utf8.count == 1, let first = letter.first,
      ("a"..."z").contains(first), !Self.taken.contains(first)
    else { return nil }
    return .control(first)
  }

  /// Interrupt, Backspace, Tab, Enter (twice), redraw and suspend; XON and XOFF.
  private static let taken: Set<Character> = ["c", "h", "i", "j", "m", "l", "z", "q", "s"]

  /// As in a guide: `j`, `^N`, `Space`.
  package static func name(_ key: InputEvent.Key) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): "\(character)"
    case .control(let letter): "^\(letter.uppercased())"
    default: "\(key)"
    }
  }
}
