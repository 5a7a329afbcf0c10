internal import IssueMirror
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

struct StatusLine {
  let state: BrowserState
  let look: Look

  func draw(on canvas: inout Canvas) {
    let (row, width) = (state.layout.statusRow, state.size.columns)
    if let filter = state.filter {
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
    let prompt = StyledLine("filter: ", style: look[.prompt])
    canvas.draw(prompt, column: 0, row: row)
    filter.draw(
      prompt: "is:open label:bug author:octocat", isFocused: state.isUncovered, in: look,
      on: &canvas, column: prompt.columns, row: row, width: width - prompt.columns)
    // Above the filter: a narrow window has no room for both in one row.
    let said: (text: String, role: Theme.Role)? =
      state.filterProblem.map { ($0, .problem) } ?? state.message.map { ($0, .text) }
    guard let said else { return }
    canvas.draw(
      StyledLine(said.text, within: width, style: look[said.role]), column: 0, row: row - 1,
      width: width, fill: .plain)
  }

  private func draw(
    _ field: TextField, of find: ReaderFind, on canvas: inout Canvas, row: Int, width: Int
  ) {
    let prompt = StyledLine("find: ", style: look[.prompt])
    let standing = StyledLine(find.standing ?? "", within: width / 2, style: look[.muted])
    canvas.draw(prompt, column: 0, row: row)
    canvas.draw(standing, column: width - standing.columns, row: row)
    field.draw(
      prompt: "a text on this page", isFocused: state.isUncovered, in: look, on: &canvas,
      column: prompt.columns, row: row, width: width - prompt.columns - standing.columns - 1)
  }

  private static let minimumWordyColumns = 60

  /// A message or a problem stands alone.
  private func standing(within width: Int) -> StyledLine {
    if let message = state.message { return StyledLine(message, within: width) }
    if let words = state.batchWords {
      return StyledLine(words, within: width, style: look[.pending])
    }
    if state.pane == .reader, let failure = state.reader?.failure {
      let words = "The comments are missing: \(failure)"
      return StyledLine(
        state.showsRequest ? state.request ?? words : words, within: width, style: look[.problem])
    }
    if let problem = state.problem {
      return state.rowCount == 0
        ? StyledLine() : StyledLine(problem.text, within: width, style: look[problem.role])
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

  /// Rows that are new or have changed since the list was loaded.
  private var updated: StyledLine? {
    guard state.pane != .reader, let count = state.sheet?.unread.count, count > 0 else {
      return nil
    }
    return StyledLine("\(count.grouped) updated", style: look[.unread])
  }

  /// Entries that can't be read, so that the list doesn't look complete.
  private var missing: StyledLine? {
    guard state.pane != .reader, let count = state.sheet?.unreadable.count, count > 0 else {
      return nil
    }
    return StyledLine("\(count.grouped) couldn't be read", style: look[.problem])
  }

  private var loaded: String {
    switch state.content {
    case .nothing: return ""
    case .repositories(let found):
      let total = found.totalCount.map { " of \($0.grouped)" } ?? ""
      return loaded(found.repositories.count, of: total, hasMore: found.nextPage != nil)
    case .issues(let sheet):
      let total = sheet.mirror.map { " of \($0.numbers.count.grouped)" } ?? ""
      return loaded(sheet.issues.count, of: total, hasMore: sheet.hasMore)
    }
  }

  private func loaded(_ count: Int, of total: String, hasMore: Bool) -> String {
    if count == 0 { return state.isLoading ? "loading" : "" }
    if state.goesToEnd { return "\(count.grouped)\(total) loaded, going to the end" }
    if state.isLoading { return "\(count.grouped)\(total) loaded, more coming" }
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
    if let dialog = state.acting.dialog { return dialog.hints }
    switch state.pane {
    case .search where state.completions?.predictions.isEmpty == false:
      // Without a selection, Enter means what is typed.
      return state.completions?.selection == nil
        ? [("Enter", "search"), ("Tab", "complete"), ("Down", "choose"), ("Esc", "close")]
        : [("Enter", "take"), ("Up Down", "choose"), ("Esc", "close")]
    case .search where state.sheet != nil && ListQuery.isNumber(state.search.text):
      return [("Enter", "read"), ("Esc", "back")]
    case .search:
      return [("Enter", "search"), ("Tab", "list"), ("Ctrl-C", "quit")]
    case .list: return listHints
    case .reader:
      let finding =
        state.reader?.find == nil
        ? [(key: "/", meaning: "find")] : [(key: "n N", meaning: "matches"), ("Esc", "clear")]
      return [("?", "help"), ("q", "back")] + finding + [("J K", "next"), ("o", "open")]
    }
  }

  /// Only keys that have an effect now. Keys to leave come before those that may be cut off.
  private var listHints: [(key: String, meaning: String)] {
    let details =
      state.problem == nil || state.request == nil
      ? [] : [(key: "v", meaning: state.showsRequest ? "words" : "request")]
    let general =
      (state.goesToEnd ? [(key: "Esc", meaning: "stop")] : []) + details + [
        (key: "?", meaning: "help"),
        (key: "q", meaning: state.qLeaves ? "quit" : "back"),
        (key: "/", meaning: "search"),
      ]
    switch state.content {
    case .nothing: return general
    case .repositories:
      return general + [("Enter", "issues"), ("o", "open"), ("r", "refresh")]
    case .issues:
      return general + [
        ("Enter", "read"), ("o", "open"), ("f", "filter"), ("s", "sort"), ("r", "refresh"),
      ]
    }
  }
}

extension BrowserState {
  /// The age of the mirror that the list comes from; nil for a list from the server.
  func mirrorWords(isShort: Bool) -> StyledLine? {
    guard let sheet, let repository = sheet.mirror?.repository else {
      return isOffline && sheet == nil ? StyledLine("offline", style: look[.muted]) : nil
    }
    let away = sheet.isStandIn ? "offline: " : ""
    let age: String =
      if !repository.isComplete {
        isShort ? "incomplete" : "first sync unfinished"
      } else if let checkedAt = repository.checkedAt(withComments: reader != nil) {
        isShort
          ? "\(RelativeTime.short(checkedAt, relativeTo: now)) old"
          : RelativeTime.age(checkedAt, relativeTo: now)
      } else {
        "of unknown age"
      }
    let words = isShort ? "\(away)mirror, \(age)" : "\(away)from the mirror, \(age)"
    let isFine = !sheet.isStandIn && repository.isComplete
    return StyledLine(words, style: look[isFine ? .muted : .warning])
  }
}
