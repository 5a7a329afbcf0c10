package import TerminalScreen

/// The user's own keys, which replace the default keys.
///
/// A user's key is mapped to the default key of its command before ``KeyTable`` is searched. Named keys, such as Enter,
/// Esc and the arrows, have fixed meanings.
package struct KeyMap: Sendable, Hashable {
  /// Two commands with the same key.
  package struct Conflict: Error, Sendable, Hashable {
    package let key: InputEvent.Key
    package let command: String
    package let other: String
  }

  /// The names of the commands that can have other keys.
  package static let commands = KeyTable.bindings.compactMap(\.name)
    .reduce(into: [String]()) { names, name in if !names.contains(name) { names.append(name) } }

  /// The user's keys by the names of commands.
  package private(set) var chosen: [String: [InputEvent.Key]] = [:]

  package init() {}

  /// Creates a map from keys by the names of ``commands``. Other names are ignored. Throws if a key would have two
  /// meanings.
  package init(_ chosen: [String: [InputEvent.Key]]) throws(Conflict) {
    self.chosen = chosen
    for pane in [BrowserState.Pane.list, .reader] {
      var owners: [InputEvent.Key: String] = [:]
      let bindings = Self.bindings(in: pane)
      // Default keys come first, so that a conflict is reported for a chosen key.
      for binding in bindings.filter({ choice(for: $0) == nil })
        + bindings.filter({ choice(for: $0) != nil })
      {
        guard let name = binding.name else { continue }
        for key in choice(for: binding) ?? binding.choosableKeys {
          if let other = owners.updateValue(name, forKey: key), other != name {
            throw Conflict(key: key, command: name, other: other)
          }
        }
      }
    }
  }

  /// The default key for a pressed key; nil if the key has no meaning.
  func usual(_ key: InputEvent.Key, in pane: BrowserState.Pane) -> InputEvent.Key? {
    guard !chosen.isEmpty else { return key }
    let bindings = Self.bindings(in: pane)
    if let own = bindings.first(where: { choice(for: $0)?.contains(key) == true }) {
      return own.choosableKeys.contains(key) ? key : own.choosableKeys.first
    }
    let hasLostMeaning = bindings.contains {
      choice(for: $0) != nil && $0.choosableKeys.contains(key)
    }
    return hasLostMeaning ? nil : key
  }

  /// The name of the command that a key has in the list or while reading; nil for a free key.
  package func command(of key: InputEvent.Key) -> String? {
    let panes = [BrowserState.Pane.list, .reader]
    let bindings = panes.flatMap { pane in
      usual(key, in: pane).map { usual in
        Self.bindings(in: pane).filter { $0.keys.contains(usual) }
      } ?? []
    }
    return bindings.first.map { $0.name ?? "copy" }
  }

  private static func bindings(in pane: BrowserState.Pane) -> [KeyBinding] {
    KeyTable.bindings.filter { $0.scope.contains(pane) }
  }

  private func choice(for binding: KeyBinding) -> [InputEvent.Key]? {
    binding.name.flatMap { chosen[$0] }
  }

  /// The keys of a hint, such as `k j`, as the user has chosen them.
  func shown(_ keys: String, in pane: BrowserState.Pane = .list) -> String {
    guard !chosen.isEmpty else { return keys }
    let bindings = Self.bindings(in: pane)
    let words = keys.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isListed = word.last == "," && word.count > 1
      guard let key = Self.named(String(isListed ? word.dropLast() : word)),
        let own = bindings.first(where: { $0.choosableKeys.contains(key) }).flatMap(choice(for:))
      else { return String(word) }
      return own.map(Self.name).joined(separator: " ") + (isListed ? "," : "")
    }
    return words.joined(separator: " ")
  }

  // MARK: Names of keys

  /// Reads the name of a key, such as `j`, `G`, `space`, `ctrl-n` or `^n`; nil for keys that can't be chosen.
  package static func key(_ name: String) -> InputEvent.Key? {
    if name == "space" { return .character(" ") }
    guard name != "Space", let key = named(name), canChoose(key) else { return nil }
    return key
  }

  static func canChoose(_ key: InputEvent.Key) -> Bool {
    switch key {
    case .character: true
    case .control(let letter): !taken.contains(letter)
    default: false
    }
  }

  /// The Ctrl keys for interrupt, Backspace, Tab, Enter (twice), redraw and suspend, and for XON and XOFF.
  private static let taken: Set<Character> = ["c", "h", "i", "j", "m", "l", "z", "q", "s"]

  /// Reads a key as ``KeyTable`` writes it.
  static func named(_ name: String) -> InputEvent.Key? {
    switch name {
    case "Enter": return .enter
    case "Esc": return .escape
    case "Tab": return .tab
    case "Shift-Tab": return .backTab
    case "Space": return .character(" ")
    case "Up": return .up
    case "Down": return .down
    case "PgUp": return .pageUp
    case "PgDn": return .pageDown
    case "Home": return .home
    case "End": return .end
    case "F1": return .help
    case "Ctrl-C": return .interrupt
    default: break
    }
    if name.count == 1, let character = name.first {
      return character.isWhitespace ? nil : .character(character)
    }
    var letter: Substring?
    if name.hasPrefix("^"), name.count == 2 { letter = name.dropFirst() }
    if name.lowercased().hasPrefix("ctrl-") { letter = name.dropFirst(5) }
    guard let letter = letter?.lowercased(), letter.utf8.count == 1, let first = letter.first,
      ("a"..."z").contains(first)
    else { return nil }
    return .control(first)
  }

  /// The name of a key in hints: `j`, `^N`, `Space`.
  package static func name(_ key: InputEvent.Key) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): "\(character)"
    case .control(let letter): "^\(letter.uppercased())"
    default: "\(key)"
    }
  }
}
