internal import IssueOutbox
internal import IssueTracker
package import TerminalScreen

/// The commands for keys, the mouse and pasted text. The keys of the list and the reader are in ``KeyTable``.
package enum BrowserKeys {
  private static let wheelRows = 3

  /// The command for an event in the state that the user saw; nil if the event has no effect.
  package static func command(for event: InputEvent, in state: BrowserState) -> BrowserCommand? {
    if case .resized(let size) = event { return .resize(size) }
    if let command = KeyTable.commandEverywhere(for: event, in: state) { return command }
    // Nothing is visible, so a key could confirm a change unseen.
    guard state.size.fits(BrowserScreen.minimumSize) else { return nil }
    if state.acting.isComposing { return nil }
    if let palette = state.palette { return self.palette(event, palette, in: state) }
    if let help = state.help { return self.help(event, help, in: state) }
    if let hints = state.hints { return self.hints(event, hints, in: state) }
    if let dialog = state.acting.dialog {
      return ActingKeys.command(for: event, in: dialog).map { .act($0) }
    }
    if event == .key(.escape), state.acting.notice != nil { return .act(.closeNotice) }
    switch event {
    case .mouse(let action, let column, let row):
      // A click behind the find field would scroll the text that is being searched.
      guard !state.isFinding else { return nil }
      return mouse(action, column, row, in: state)
    case .paste(let text):
      if state.filter.field != nil { return .editFilter(.insert(text)) }
      if state.isFinding { return .editFind(.insert(text)) }
      if state.pane == .search { return .editSearch(.insert(text)) }
      return PastedPath(text).map { .act(.attach($0)) }
        ?? ListQuery.issue(text).map { .openIssue($0) }
    case .key(let key):
      if state.filter.orders != nil { return state.keyMap.usual(key, in: .list).flatMap(orders) }
      if let filter = state.filter.field {
        return self.filter(key, filter, state.filter.completions)
      }
      if let field = state.reader?.find?.field { return find(key, field) }
      switch state.pane {
      case .search: return search(key, in: state)
      case .list, .reader:
        if let own = state.customCommands.first(where: { $0.key == key }) { return .act(.run(own)) }
        let usual = state.keyMap.usual(key, in: state.pane)
        if usual == key, let digit = KeyTable.countDigit(key, in: state) { return .count(digit) }
        return usual.flatMap { KeyTable.command(for: $0, in: state) }
      }
    case .resized, .background, .showsImages: return nil
    }
  }

  // MARK: Panes

  private static func search(_ key: InputEvent.Key, in state: BrowserState) -> BrowserCommand? {
    let names = state.search.completions.flatMap { $0.predictions.isEmpty ? nil : $0 }
    switch key {
    case .enter:
      return state.enteredCompletion.map { .takeCompletion($0, isFinal: true) } ?? .submitSearch
    case .tab:
      return names.map { .takeCompletion($0.selection ?? 0, isFinal: false) }
        ?? .focus(state.pane(after: 1))
    case .backTab: return .focus(state.pane(after: -1))
    case .right:
      guard let names, state.search.field.isAtEnd else { return .editSearch(.moveRight) }
      return .takeCompletion(names.selection ?? 0, isFinal: false)
    case .down:
      return names.map { .selectCompletion($0.next) } ?? .focus(.list)
    case .up: return names?.selection == nil ? nil : .selectCompletion(names?.previous)
    case .pageDown: return .move(.pageDown)
    case .pageUp: return .move(.pageUp)
    case .escape: return .leaveSearch
    case .backspace where ["#", ":"].contains(state.search.text): return .leaveSearch
    case .character where state.counted(by: key) != nil: return .moveCounted(key)
    case .control("d") where state.search.text.isEmpty: return .quit
    case .control where state.keyMap.usual(key, in: .list) == .control("p"): return .openPalette
    default: return edit(key).map { .editSearch($0) }
    }
  }

  // MARK: Text

  private static func filter(
    _ key: InputEvent.Key, _ field: TextField, _ names: Completions?
  ) -> BrowserCommand? {
    switch key {
    case .enter: return names?.selection.map { .completeFilter($0) } ?? .applyFilter
    case .escape: return names == nil ? .closeFilter : .closeFilterCompletions
    case .tab: return .completeFilter(nil)
    case .down: return names.map { .selectFilterCompletion($0.next) }
    case .up: return names?.selection == nil ? nil : .selectFilterCompletion(names?.previous)
    case .control("d") where field.text.isEmpty: return .closeFilter
    default: return edit(key).map { .editFilter($0) }
    }
  }

  private static func orders(_ key: InputEvent.Key) -> BrowserCommand? {
    switch key {
    case .up, .character("k"), .backTab: .moveOrder(by: -1)
    case .down, .character("j"), .character("s"), .tab: .moveOrder(by: 1)
    case .enter, .character("l"): .takeOrder(nil)
    case .escape, .character("q"), .character("h"): .closeOrders
    case .character("?"): .showHelp
    default: nil
    }
  }

  private static func find(_ key: InputEvent.Key, _ field: TextField) -> BrowserCommand? {
    switch key {
    case .enter: .keepFind
    case .escape: .dropFind
    case .control("d") where field.text.isEmpty: .dropFind
    case .down: .goToMatch(1)
    case .up: .goToMatch(-1)
    default: edit(key).map { .editFind($0) }
    }
  }

  static func edit(_ key: InputEvent.Key) -> TextField.Edit? {
    switch key {
    case .character(let character): .insert(String(character))
    case .backspace: .deleteBackward
    case .delete, .control("d"): .deleteForward
    case .left, .control("b"): .moveLeft
    case .right, .control("f"): .moveRight
    case .home, .control("a"): .moveToStart
    case .end, .control("e"): .moveToEnd
    case .control("u"): .deleteToStart
    case .control("k"): .deleteToEnd
    case .control("w"), .deleteWordBackward: .deleteWord
    case .deleteWordForward: .deleteWordForward
    case .wordLeft: .moveWordLeft
    case .wordRight: .moveWordRight
    default: nil
    }
  }

  // MARK: The palette and the help

  private static func palette(
    _ event: InputEvent, _ palette: Palette, in state: BrowserState
  ) -> BrowserCommand? {
    switch event {
    case .key(.enter):
      let rows = state.paletteRows
      return rows.indices.contains(palette.selection) ? rows[palette.selection].command : nil
    case .key(.escape), .mouse(.click, _, _), .mouse(.doubleClick, _, _): return .closePalette
    case .key(.up), .key(.control("p")), .mouse(.wheelUp, _, _): return .selectAction(-1)
    case .key(.down), .key(.control("n")), .mouse(.wheelDown, _, _): return .selectAction(1)
    case .key(let key): return edit(key).map { .editPalette($0) }
    case .paste(let text): return .editPalette(.insert(text))
    case .resized, .background, .showsImages: return nil
    }
  }

  private static func hints(
    _ event: InputEvent, _ hints: Hints, in state: BrowserState
  ) -> BrowserCommand? {
    guard case .key(.character(let digit)) = event, digit.isNumber else { return .closeHints }
    var typed = hints
    typed.typed.append(digit)
    guard let first = typed.open.first else { return nil }
    return first.label == typed.typed ? state.command(for: first.target) : .typeHint(digit)
  }

  private static func help(
    _ event: InputEvent, _ help: KeyHelp, in state: BrowserState
  ) -> BrowserCommand? {
    switch event {
    case .key(.escape): return help.field.text.isEmpty ? .hideHelp : .editHelp(.deleteAll)
    case .key(.enter), .mouse(.click, _, _), .mouse(.doubleClick, _, _): return .hideHelp
    case .key(.character("?")) where help.field.text.isEmpty: return .hideHelp
    case .mouse(.wheelUp, _, _): return .scrollHelp(.up)
    case .mouse(.wheelDown, _, _): return .scrollHelp(.down)
    case .key(let key):
      // A letter is added to the search, even if it otherwise moves the cursor.
      if case .character(let character) = key { return .editHelp(.insert(String(character))) }
      switch KeyTable.command(for: key, in: state) {
      case .move(let motion)?, .moveReader(let motion)?: return .scrollHelp(motion)
      default: return edit(key).map { .editHelp($0) }
      }
    case .paste(let text): return .editHelp(.insert(text))
    case .resized, .background, .showsImages: return nil
    }
  }

  // MARK: The mouse

  private static func mouse(
    _ action: InputEvent.MouseAction, _ column: Int, _ row: Int, in state: BrowserState
  ) -> BrowserCommand? {
    let layout = state.layout
    let wheel =
      switch action {
      case .wheelUp: -wheelRows
      case .wheelDown: wheelRows
      case .click, .doubleClick: 0
      }
    let index = CompletionDropdown(state)?.index(atColumn: column, row: row)
    if state.filter.orders != nil {
      return wheel != 0 ? nil : index.map { .takeOrder($0) } ?? .closeOrders
    }
    // A click must not change the rows while the user types a filter for them.
    if state.filter.field != nil { return wheel == 0 ? index.map { .completeFilter($0) } : nil }
    if let index { return wheel == 0 ? .takeCompletion(index, isFinal: true) : nil }
    if layout.reader?.contains(column: column, row: row) == true {
      return wheel == 0 ? .focus(.reader) : .scrollReader(by: wheel)
    }
    if layout.list.contains(column: column, row: row) {
      guard wheel == 0 else { return .scrollList(by: wheel) }
      let index = state.list.cursor.top + row - layout.list.row
      guard index < state.rowCount else { return .focus(.list) }
      // The first of the two clicks has selected the row.
      return action == .doubleClick ? .enter : .select(row: index)
    }
    return wheel == 0 && row == layout.searchRow ? .focus(.search) : nil
  }
}
