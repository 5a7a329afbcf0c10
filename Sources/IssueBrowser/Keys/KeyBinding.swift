internal import TerminalScreen

/// A key of the list and the reader: its command, its name in the configuration, and its title in the palette.
/// ``KeyTable`` lists all bindings.
struct KeyBinding: Sendable {
  /// Returns nil if the key has no effect in this state.
  typealias Meaning = @Sendable (BrowserState) -> BrowserCommand?

  enum Scope: Sendable {
    /// The key has its meaning in all panes, questions and fields.
    case everywhere
    case panes
    case list
    case reader

    func contains(_ pane: BrowserState.Pane) -> Bool {
      switch self {
      case .everywhere: false
      case .panes: true
      case .list: pane != .reader
      case .reader: pane == .reader
      }
    }
  }

  /// The name in the configuration; nil for a key with a fixed meaning.
  let name: String?
  /// The key names as shown in the help.
  let keyNames: [String]
  let keys: [InputEvent.Key]
  let scope: Scope
  /// The title in the palette; nil if the palette doesn't offer the command.
  fileprivate(set) var title: String?
  let meaning: Meaning

  /// Creates a binding. `keys` are the names of the keys, separated by spaces.
  init(
    _ name: String?, _ keys: String, in scope: Scope = .panes, title: String? = nil,
    _ meaning: @escaping Meaning
  ) {
    self.name = name
    self.keyNames = keys.split(separator: " ").map(String.init)
    self.keys = keyNames.compactMap(KeyMap.named)
    self.scope = scope
    self.title = title
    self.meaning = meaning
  }

  /// The keys that the configuration can replace.
  var choosableKeys: [InputEvent.Key] { name == nil ? [] : keys.filter(KeyMap.canChoose) }

  /// A line of the help: keys with the same effect or with opposite effects.
  struct Row: Sendable {
    let keys: String
    let meaning: String
    /// The short form for a narrow window; nil to use the keys and their meaning.
    let brief: String?
    let bindings: [KeyBinding]

    var pane: BrowserState.Pane { bindings.first?.scope == .reader ? .reader : .list }

    /// Creates a row. If it has only one key, the palette uses the row's text.
    init(
      _ meaning: String, keys: String? = nil, brief: String?, _ bindings: KeyBinding...,
      more: [KeyBinding] = []
    ) {
      self.keys = keys ?? bindings.flatMap(\.keyNames).joined(separator: " ")
      self.meaning = meaning
      self.brief = brief
      var bindings = bindings + more
      if bindings.count == 1 { bindings[0].title = bindings[0].title ?? meaning }
      self.bindings = bindings
    }
  }
}
