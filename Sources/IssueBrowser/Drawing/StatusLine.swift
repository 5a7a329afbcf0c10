internal import IssueMirror
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

struct StatusLine {
  let state: BrowserState
  let look: Look

  func draw(on canvas: inout Canvas) {
    let (row, width) = (state.layout.statusRow, state.size.columns)
    if let filter = state.filter.field {
      draw(filter, on: &canvas, row: row, width: width)
      return
    }
    if let find = state.reader?.find, let field = find.field {
      draw(field, of: find, on: &canvas, row: row, width: width)
      return
    }
    let line = standing(within: width)
    canvas.draw(line, column: 0, row: row, width: width)
    let hints = hints(within: width - line.columns - (line.columns > 0 ? 2 : 0))
    canvas.draw(hints, column: width - hints.columns, row: row)
  }

  private func draw(_ filter: TextField, on canvas: inout Canvas, row: Int, width: Int) {
    let prompt = StyledLine(Self.filterPrompt, style: look[.prompt])
    let hint = StyledLine(isShort ? "" : "Tab completes", style: look[.muted])
    canvas.draw(prompt, column: 0, row: row)
    canvas.draw(hint, column: width - hint.columns, row: row)
    filter.draw(
      prompt: "is:open label:bug author:octocat", isFocused: state.isUncovered, in: look,
      on: &canvas, column: prompt.columns, row: row,
      width: width - prompt.columns - hint.columns - 1)
    // The message is shown above the filter. In a narrow window, one row has no room for both.
    let said: (text: String, role: Theme.Role)? =
      state.filter.problem.map { ($0, .problem) } ?? state.message.map { ($0, .text) }
    guard let said else { return }
    canvas.draw(
      StyledLine(said.text, within: width, style: look[said.role]), column: 0, row: row - 1,
      width: width, fill: .plain)
  }

  static let filterPrompt = "filter: "

  private func draw(
    _ field: TextField, of find: ReaderFind, on canvas: inout Canvas, row: Int, width: Int
  ) {
    let prompt = StyledLine("find: ", style: look[.prompt])
    let standing = StyledLine(
      state.message ?? find.standing ?? "", within: width / 2, style: look[.muted])
    canvas.draw(prompt, column: 0, row: row)
    canvas.draw(standing, column: width - standing.columns, row: row)
    field.draw(
      prompt: "text on this page", isFocused: state.isUncovered, in: look, on: &canvas,
      column: prompt.columns, row: row, width: width - prompt.columns - standing.columns - 1)
  }

  private static let minimumWordyColumns = 60
  private var isShort: Bool { state.size.columns < Self.minimumWordyColumns }

  /// The outcome of the last key, and then the state, the most important part first. Parts that don't fit are omitted.
  private func standing(within width: Int) -> StyledLine {
    if state.acting.isComposing {
      let words = state.acting.running.map { "Running: \($0)…" } ?? "Opening your editor…"
      return StyledLine(words, within: width)
    }
    let pieces: [StyledLine?] = [
      piece(state.message, .text),
      piece(state.count.map { "\($0): G goes to the row, j moves down" }, .text),
      state.pane == .list ? piece(state.selectionWords, .accent) : nil,
      piece(state.batchWords, .pending),
      unsent, obstacle, missing, updated, place, origin,
    ]
    return StyledLine(
      pieces: pieces.compactMap(\.self),
      separator: StyledLine.Run(" \(look.symbols.dot) ", style: look[.muted]), within: width)
  }

  private func piece(_ words: String?, _ role: Theme.Role) -> StyledLine? {
    words.map { StyledLine($0, within: state.size.columns, style: look[role]) }
  }

  /// The number of pending changes in all repositories.
  private var unsent: StyledLine? {
    let (all, needing) = (state.acting.unsent.all, state.acting.unsent.needingPerson)
    guard all > 0 else { return nil }
    var words =
      look.symbols.isPlain ? all.grouped : "\(look.symbols.isUnicode ? "↑" : "^")\(all.grouped)"
    if !isShort || look.symbols.isPlain { words += " unsent" }
    guard needing > 0 else { return piece(words, .pending) }
    let key = state.keyMap.shown("O")
    words +=
      isShort
      ? ", see \(key)" : ", \(needing.grouped) \(needing == 1 ? "needs" : "need") you (\(key))"
    return piece(words, .warning)
  }

  /// The reason that the comments or the list aren't complete. An empty pane shows the reason of its list itself.
  private var obstacle: StyledLine? {
    let reading = state.pane == .reader ? state.reader : nil
    let standing = reading.map(\.standing) ?? state.list.standing
    if let request = state.list.request, state.list.showsRequest, standing != .online {
      return piece(request, .problem)
    }
    if state.isOffline, standing == .online { return piece("offline", .muted) }
    guard reading != nil || state.rowCount > 0 else { return nil }
    let subject =
      reading != nil
      ? "The comments are missing: " : state.sheet?.mirror != nil ? "From the mirror: " : ""
    switch standing {
    case .online: return nil
    case .offline where state.sheet?.isStandIn == true && reading == nil || isShort:
      return piece("offline", .warning)
    case .offline:
      let host = state.sheet?.scope.host ?? state.host
      return piece("offline: can't reach \(host)", .warning)
    case .limited(let end):
      return piece("limited\(end.map(state.countdown) ?? "")", .warning)
    case .missing(let reason), .failed(let reason):
      return piece(
        subject + reason.split(whereSeparator: \.isNewline).joined(separator: " "), .problem)
    }
  }

  /// The row in the list, or the comments in the reader.
  private var place: StyledLine? {
    guard state.pane == .reader, let reader = state.reader else { return piece(row, .muted) }
    if let find = reader.find, let standing = find.standing {
      return piece("\(look.symbols.quoted(find.text)): \(standing)", .muted)
    }
    return piece(comments(of: reader), .muted)
  }

  private func comments(of reader: ReaderState) -> String {
    let (loaded, all) = (reader.comments.count, reader.issue.commentsCount)
    let noun = max(loaded, all) == 1 ? "comment" : "comments"
    if reader.isLoading { return "loading \(noun), \(loaded.grouped) of \(all.grouped)" }
    if max(loaded, all) == 0 { return "no comments" }
    if reader.standing != .online { return "\(loaded.grouped) of \(all.grouped) \(noun)" }
    return "\(loaded == 0 ? all.grouped : loaded.grouped) \(noun)"
  }

  /// The number of rows that are new or have changed since the list was loaded.
  private var updated: StyledLine? {
    guard state.pane != .reader, let count = state.sheet?.unread.count, count > 0 else {
      return nil
    }
    return StyledLine("\(count.grouped) updated", style: look[.unread])
  }

  /// The number of unreadable entries. It shows that the list isn't complete.
  private var missing: StyledLine? {
    guard state.pane != .reader, let count = state.sheet?.unreadable.count, count > 0 else {
      return nil
    }
    return StyledLine("\(count.grouped) couldn't be read", style: look[.problem])
  }

  /// The selected row, and the number of rows, with a plus sign if there are more.
  private var row: String? {
    let count = state.rowCount
    guard count > 0 else { return state.list.isLoading ? "loading" : nil }
    var (total, hasMore): (Int?, Bool)
    switch state.list.content {
    case .nothing: return nil
    case .repositories(let found): (total, hasMore) = (found.totalCount, found.nextPage != nil)
    case .inbox(let inbox): (total, hasMore) = (nil, inbox.nextPage != nil)
    case .issues(let sheet): (total, hasMore) = (sheet.total, sheet.hasMore)
    }
    total = total.map { max($0, count) }
    let all = total?.grouped ?? "\(count.grouped)\(hasMore ? "+" : "")"
    let row = "row \((state.list.cursor.selection + 1).grouped) of \(all)"
    if state.list.goesToEnd { return "\(row), going to the end" }
    return state.sheet?.isCapped == true
      ? "\(row), but GitHub's search returns only \(count.grouped)" : row
  }

  private func hints(within width: Int) -> StyledLine {
    guard width > 0 else { return StyledLine() }
    let pieces = hints.map { hint in
      StyledLine(runs: [
        StyledLine.Run(hint.key, style: look[.key]),
        StyledLine.Run(" \(hint.meaning)", style: look[.muted]),
      ])
    }
    guard let first = pieces.first, first.columns <= width else { return StyledLine() }
    return StyledLine(pieces: pieces, separator: StyledLine.Run("  "), within: width)
  }

  private var hints: [(key: String, meaning: String)] {
    if state.palette != nil { return [("Enter", "do"), ("Up Down", "choose"), ("Esc", "close")] }
    if state.hints != nil { return [("number", "choose"), ("Esc", "close")] }
    if state.isHelpShown { return [("Up Down", "scroll"), ("Esc", "close")] }
    if state.filter.orders != nil {
      return [("Enter", "sort"), ("Up Down", "choose"), ("Esc", "close")]
    }
    if let dialog = state.acting.dialog { return dialog.hints }
    if state.pane == .list, state.chosen != nil {
      return chosen(
        state.sheet == nil
          ? ActingState.inboxHints + [("Esc", "end")] : ActingState.selectionHints)
    }
    switch state.pane {
    case .search where state.search.completions?.predictions.isEmpty == false:
      return state.enteredCompletion == nil
        ? [("Enter", "search"), ("Tab", "complete"), ("Down", "choose"), ("Esc", "back")]
        : [("Enter", "take"), ("Up Down", "choose"), ("Esc", "back")]
    case .search where ListQuery.isCommand(state.search.text):
      return state.search.text == ":"
        ? [("12", "issue"), ("10G", "row"), ("q", "quit"), ("Esc", "back")]
        : [("Enter", state.search.text.hasPrefix(":q") ? "quit" : "read"), ("Esc", "back")]
    case .search:
      return [
        ("Enter", "search"), ("Tab", "list"), ("Ctrl-C", "quit"), ("F1", "help"),
        (state.keyMap.shown("Ctrl-P"), "actions"),
      ]
    case .list: return chosen(listHints)
    case .reader:
      let finding =
        state.reader?.find == nil
        ? [(key: "/", meaning: "find")] : [(key: "n N", meaning: "matches"), ("Esc", "clear")]
      return chosen(
        [("?", "help"), ("q", "back")] + finding + [("J K", "next")] + acting + [("o", "open")])
    }
  }

  private var acting: [(key: String, meaning: String)] {
    let issue = state.pane == .reader ? state.reader?.issue : state.selectedIssue
    let closing = issue?.state == .closed ? ("X", "reopen") : ("x", "close")
    return issue == nil
      ? [] : [("c", "comment"), closing, ("L", "label"), ("y", "copy")]
  }

  /// Replaces the keys by the user's own, and omits commands without keys.
  private func chosen(
    _ hints: [(key: String, meaning: String)]
  ) -> [(key: String, meaning: String)] {
    hints.map { (state.keyMap.shown($0.key, in: state.pane), $0.meaning) }
      .filter { !$0.0.isEmpty }
  }

  /// The hints for the list: only keys that have an effect now. Keys for leaving come first, because the last ones may
  /// be cut off.
  private var listHints: [(key: String, meaning: String)] {
    let details =
      state.problem == nil || state.list.request == nil
      ? [] : [(key: "v", meaning: state.list.showsRequest ? "words" : "request")]
    let general =
      (state.list.goesToEnd ? [(key: "Esc", meaning: "stop")] : []) + details + [
        (key: "?", meaning: "help"),
        (key: "q", meaning: KeyTable.back(in: state) == nil ? "quit" : "back"),
        (key: "/", meaning: "search"),
      ]
    switch state.list.content {
    case .nothing:
      guard state.startPage != nil else { return general }
      return general + [("Enter", "open"), ("r", "reload"), ("1-9", "views")]
    case .inbox(let inbox):
      return general
        + (inbox.notifications.isEmpty ? [] : [("Enter", "read")] + ActingState.inboxHints)
        + [("o", "open"), ("r", "reload")]
    case .repositories:
      return general + [("Enter", "issues"), ("o", "open"), ("r", "reload")]
    case .issues:
      return general + [
        ("Enter", "read"), ("f", "filter"),
      ] + acting + [("s", "sort"), ("o", "open"), ("r", "reload")]
    }
  }

  /// The age of the mirror that the list comes from, or the server.
  private var origin: StyledLine? {
    guard let sheet = state.sheet else { return nil }
    let host = sheet.scope.host ?? state.host
    guard let mirror = sheet.mirror else {
      if sheet.found != nil { return piece("found by \(host)", .muted) }
      return sheet.settling == .settled ? piece("from \(host)", .muted) : nil
    }
    let words: String =
      if !mirror.isComplete {
        isShort ? "incomplete" : "first sync unfinished"
      } else if let checkedAt = mirror.checkedAt(withComments: state.reader != nil) {
        isShort
          ? "synced \(RelativeTime.short(checkedAt, relativeTo: state.now)) ago"
          : "synced \(RelativeTime.describe(checkedAt, relativeTo: state.now))"
      } else {
        "synced at an unknown time"
      }
    let asking = sheet.isSettling ? ", asking \(host)" : ""
    return piece(words + asking, sheet.isStandIn || !mirror.isComplete ? .warning : .muted)
  }
}
