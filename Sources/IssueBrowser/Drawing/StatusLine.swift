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
    canvas.draw(prompt, column: 0, row: row)
    filter.draw(
      prompt: "is:open label:bug author:octocat", isFocused: state.isUncovered, in: look,
      on: &canvas, column: prompt.columns, row: row, width: width - prompt.columns)
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

  /// A message or a problem, shown alone.
  private func standing(within width: Int) -> StyledLine {
    if state.acting.isComposing { return StyledLine("Opening your editor…", within: width) }
    if let message = state.message { return StyledLine(message, within: width) }
    if let count = state.count {
      return StyledLine("\(count): G goes to the row, j moves down", within: width)
    }
    if state.pane == .list, let words = state.selectionWords {
      return StyledLine(words, within: width, style: look[.accent])
    }
    if let words = state.batchWords {
      return StyledLine(words, within: width, style: look[.pending])
    }
    if state.pane == .reader, let failure = state.reader?.failure {
      let words = "The comments are missing: \(failure)"
      return StyledLine(
        state.list.showsRequest ? state.list.request ?? words : words, within: width,
        style: look[.problem])
    }
    if let problem = state.problem {
      guard state.rowCount > 0 else { return StyledLine() }
      let shown = state.sheet?.mirror == nil ? "" : "From the mirror: "
      let text =
        shown.isEmpty
        ? problem.text : problem.text.prefix(1).lowercased() + problem.text.dropFirst()
      return StyledLine(shown + text, within: width, style: look[problem.role])
    }
    var words = loaded
    if state.pane == .reader, let reader = state.reader {
      words = comments(of: reader)
      if let find = reader.find, let standing = find.standing {
        words = "\(look.symbols.quoted(find.text)): \(standing)"
      }
    }
    let mirror = state.mirrorWords(isShort: width < Self.minimumWordyColumns)
    let pieces = [
      mirror, missing, updated, words.isEmpty ? nil : StyledLine(words, style: look[.muted]),
    ].compactMap(\.self)
    return StyledLine(
      pieces: pieces, separator: StyledLine.Run(" \(look.symbols.dot) ", style: look[.muted]),
      within: width)
  }

  private func comments(of reader: ReaderState) -> String {
    let (loaded, all) = (reader.comments.count, reader.issue.commentsCount)
    let noun = max(loaded, all) == 1 ? "comment" : "comments"
    if reader.isLoading { return "loading \(noun), \(loaded.grouped) of \(all.grouped)" }
    if max(loaded, all) == 0 { return "no comments" }
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

  private var loaded: String {
    switch state.list.content {
    case .nothing: return ""
    case .repositories(let found):
      let total = found.totalCount.map { " of \($0.grouped)" } ?? ""
      return loaded(found.repositories.count, of: total, hasMore: found.nextPage != nil)
    case .inbox(let inbox):
      return loaded(inbox.notifications.count, of: "", hasMore: inbox.nextPage != nil)
    case .issues(let sheet):
      let total = sheet.total.map { " of \($0.grouped)" } ?? ""
      if sheet.isCapped {
        return "\(sheet.issues.count.grouped)\(total) loaded, GitHub's search returns no more"
      }
      return loaded(sheet.issues.count, of: total, hasMore: sheet.hasMore)
    }
  }

  private func loaded(_ count: Int, of total: String, hasMore: Bool) -> String {
    if count == 0 { return state.list.isLoading ? "loading" : "" }
    if state.list.goesToEnd { return "\(count.grouped)\(total) loaded, going to the end" }
    if state.list.isLoading { return "\(count.grouped)\(total) loaded, more coming" }
    if hasMore { return "\(count.grouped)\(total) loaded, more below" }
    return missing == nil ? "all \(count.grouped) loaded" : "\(count.grouped) loaded"
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
    if state.pane == .list, state.chosen != nil { return chosen(ActingState.selectionHints) }
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
      return [("Enter", "search"), ("Tab", "list"), ("Ctrl-C", "quit")]
    case .list: return chosen(listHints)
    case .reader:
      let finding =
        state.reader?.find == nil
        ? [(key: "/", meaning: "find")] : [(key: "n N", meaning: "matches"), ("Esc", "clear")]
      return chosen([("?", "help"), ("q", "back")] + finding + [("J K", "next"), ("o", "open")])
    }
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
    case .inbox: return general + [("Enter", "read"), ("o", "open"), ("r", "reload")]
    case .repositories:
      return general + [("Enter", "issues"), ("o", "open"), ("r", "reload")]
    case .issues:
      return general + [
        ("Enter", "read"), ("o", "open"), ("f", "filter"), ("s", "sort"), ("r", "reload"),
      ]
    }
  }
}

extension BrowserState {
  /// The age of the mirror that the list comes from, in words; nil for a list from the server.
  func mirrorWords(isShort: Bool) -> StyledLine? {
    guard let sheet, let mirror = sheet.mirror else {
      if let sheet, sheet.found != nil || sheet.settling == .settled {
        let host = sheet.scope.host ?? host
        return StyledLine(
          sheet.found == nil ? "from \(host)" : "found by \(host)", style: look[.muted])
      }
      return isOffline && sheet == nil ? StyledLine("offline", style: look[.muted]) : nil
    }
    let away = sheet.isStandIn ? "offline: " : ""
    let age: String =
      if !mirror.isComplete {
        isShort ? "incomplete" : "first sync unfinished"
      } else if let checkedAt = mirror.checkedAt(withComments: reader != nil) {
        isShort
          ? "\(RelativeTime.short(checkedAt, relativeTo: now)) old"
          : RelativeTime.age(checkedAt, relativeTo: now)
      } else {
        "of unknown age"
      }
    let words = isShort ? "\(away)mirror, \(age)" : "\(away)from the mirror, \(age)"
    let asking = sheet.isSettling ? ", asking \(sheet.scope.host ?? host)" : ""
    let isFine = !sheet.isStandIn && mirror.isComplete
    return StyledLine(words + asking, style: look[isFine ? .muted : .warning])
  }
}
