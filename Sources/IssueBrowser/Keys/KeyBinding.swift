internal import TerminalScreen

/// A key of the list and the reader: its command, its name in the configuration, and its words in the palette.
/// ``KeyTable`` lists all bindings.
struct KeyBinding: Sendable {
  /// nil if the key does nothing in this state.
  typealias Meaning = @Sendable (BrowserState) -> BrowserCommand?

  enum Scope: Sendable {
    /// In every pane, question and field.
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
  /// The title in the palette; nil for a key that the palette doesn't offer.
  fileprivate(set) var title: String?
  let meaning: Meaning

  /// The keys by name, separated by blanks.
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

  /// A line of the help: keys that do the same, or opposites.
  struct Row: Sendable {
    let keys: String
    let meaning: String
    /// The short form for a narrow window; nil to use the keys and their meaning.
    let brief: String?
    let bindings: [KeyBinding]

    var pane: BrowserState.Pane { bindings.first?.scope == .reader ? .reader : .list }

    /// If a row has only one key, the palette uses the row's words.
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
