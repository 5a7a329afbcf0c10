internal import IssueOutbox
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Draws the current question and any error notice.
struct ActingDrawing {
  private static let maximumColumns = 64

  let state: BrowserState
  let look: Look

  func draw(on canvas: inout Canvas) {
    defer { if let notice = state.acting.notice { draw(notice, on: &canvas) } }
    switch state.acting.dialog {
    case .outbox(let page):
      OutboxPageDrawing(page: page, state: state, look: look).draw(on: &canvas)
    case .picker(let picker): draw(picker, on: &canvas)
    case .preview(let preview): draw(preview, on: &canvas)
    case nil: break
    }
  }

  /// Draws a notice above the status line.
  private func draw(_ notice: ActingState.Notice, on canvas: inout Canvas) {
    let width = state.size.columns
    let lines = notice.lines.enumerated().flatMap { index, line in
      StyledLine(line, style: look[index == 0 ? .problem : .text]).wrapped(to: max(1, width - 2))
    }
    let rows = lines.prefix(max(0, state.size.rows - 3))
    if look.symbols.isPlain { canvas.cursor = (0, state.layout.statusRow - rows.count) }
    for (index, line) in rows.enumerated() {
      let row = state.layout.statusRow - rows.count + index
      canvas.draw(StyledLine("  "), column: 0, row: row, width: 2, fill: .plain)
      canvas.draw(line, column: 1, row: row, width: width - 1, fill: .plain)
    }
  }

  // MARK: The picker

  private func draw(_ picker: Picker, on canvas: inout Canvas) {
    // The height is fixed so that nothing moves while the user types.
    let rows = max(1, min(picker.items.count, Picker.maximumRows, state.size.rows - 6))
    let problem = picker.matches.isEmpty ? nil : picker.problem
    let area = frame(
      picker.title, rows: rows + (problem == nil ? 1 : 2), on: &canvas)
    if let problem {
      canvas.draw(
        StyledLine(problem, within: area.width, style: look[.warning]), column: area.column,
        row: area.row + rows + 1, width: area.width)
    }
    let prompt = StyledLine("\(look.symbols.prompt) ", style: look[.prompt])
    canvas.draw(prompt, column: area.column, row: area.row)
    picker.filter.draw(
      prompt: picker.prompt, isFocused: true, in: look, on: &canvas,
      column: area.column + prompt.columns, row: area.row, width: area.width - prompt.columns)
    guard !picker.matches.isEmpty else {
      let words = picker.problem ?? (picker.isLoading ? "Loading…" : "Nothing matches.")
      return canvas.draw(
        StyledLine(words, style: look[.muted]), column: area.column, row: area.row + 1,
        width: area.width)
    }
    let list = BrowserLayout.Area(
      column: area.column, row: area.row + 1, width: area.width, height: rows)
    canvas.drawChoices(picker.matches.count, picker.cursor, in: list, look: look) {
      line(picker, picker.matches[$0], area.width)
    }
  }

  // MARK: The preview

  private func draw(_ preview: ActingState.Preview, on canvas: inout Canvas) {
    let rows = max(1, min(preview.issues.count, state.size.rows - 8))
    // The last row shows the number of remaining issues.
    let shown = preview.issues.count > rows ? rows - 1 : rows
    var lines = preview.issues.prefix(shown).map { listed in
      StyledLine(runs: [
        StyledLine.Run("\(listed.name) ", style: look.state(of: listed.issue)),
        StyledLine.Run(listed.issue.title, within: Self.maximumColumns),
      ])
    }
    if shown < preview.issues.count {
      lines.append(
        StyledLine("and \((preview.issues.count - shown).grouped) more", style: look[.muted]))
    }
    if preview.spared > 0 {
      let verb = preview.spared == 1 ? "is" : "are"
      lines.append(
        StyledLine(
          "\(preview.spared.grouped) of those selected \(verb) already like that.",
          style: look[.muted]))
    }
    let area = frame("\(preview.task.capitalizedFirst)?", rows: lines.count, on: &canvas)
    if look.symbols.isPlain { canvas.cursor = (0, area.row - 1) }
    for (offset, line) in lines.prefix(area.height).enumerated() {
      canvas.draw(line.cut(to: area.width), column: area.column, row: area.row + offset)
    }
  }

  private func frame(
    _ title: String, rows: Int, on canvas: inout Canvas
  ) -> BrowserLayout.Area {
    let popup = Popup(
      columns: min(Self.maximumColumns, state.size.columns - 2) - 4, rows: rows, in: state.size,
      isPlain: look.symbols.isPlain)
    popup.draw(title: title, on: &canvas, look: look)
    return popup.area
  }

  private func line(_ picker: Picker, _ match: Picker.Match, _ width: Int) -> StyledLine {
    let item = picker.item(match)
    var runs: [StyledLine.Run] = []
    if picker.isMultiple, !look.symbols.isPlain {
      let mark = picker.marks[item.id] ?? .none
      runs.append(
        StyledLine.Run(
          "\(look.symbols.mark(mark)) ", style: look[mark == .none ? .muted : .accent]))
    }
    let style = item.color.map { look.labelName($0) } ?? look[.text]
    runs += StyledLine.runs(of: item.text, matching: match.ranges, look[.match], style: style)
    if picker.isMultiple, look.symbols.isPlain, let mark = picker.marks[item.id]?.words {
      runs.append(StyledLine.Run(", \(mark)"))
    }
    if !item.detail.isEmpty {
      let gap = look.symbols.isPlain ? ", " : "  "
      runs.append(StyledLine.Run("\(gap)\(item.detail)", within: width, style: look[.muted]))
    }
    return StyledLine(runs: runs).cut(to: width)
  }
}

extension ActingState.Dialog {
  /// The hints for the status line.
  var hints: [(key: String, meaning: String)] {
    switch self {
    case .preview: [("Enter", "do it"), ("Esc", "leave")]
    case .outbox(let page): page.hints
    case .picker(let picker):
      (picker.isMultiple ? [("Space", "mark")] : []) + [("Enter", picker.action), ("Esc", "leave")]
    }
  }
}

extension BrowserState {
  /// The state of the newest change in words; nil once the server has it.
  var batchWords: String? {
    guard let batch = acting.newest else { return nil }
    let undo = "(\(keyMap.shown("u")) undoes)"
    let waiting = batch.waitsUntil.map(countdown) ?? ""
    switch batch.phase {
    case .adding: return "Saving: \(batch.task)"
    case .undoing: return "Undoing: \(batch.task)"
    case .waiting: return "Waiting: \(batch.task) \(undo)"
    case .kept: return "Kept in the outbox: \(batch.task) \(undo)\(waiting)"
    case .sending:
      let count = batch.changes.count
      let done = count == 1 ? "" : ", \(batch.answered) of \(count) done"
      let upload =
        batch.upload.map { ", uploading \($0.name) \(look.symbols.bar($0.percent))" } ?? ""
      return
        "Sending: \(batch.task)\(done)\(waiting.isEmpty ? "" : ", limited\(waiting)")\(upload)"
    }
  }

  /// The number of selected rows in words; nil if no rows are selected.
  var selectionWords: String? { chosenCount.map { "\($0.grouped) selected" } }
}

extension Symbols {
  /// The mark in front of a selected row.
  var chosen: String { isUnicode ? "◆" : "+" }

  /// A progress bar with its percentage.
  func bar(_ percent: Int) -> String {
    guard !isPlain else { return "\(percent)%" }
    let (full, empty) = isUnicode ? ("█", "░") : ("#", ".")
    let count = percent / 10
    return
      "\(String(repeating: full, count: count))\(String(repeating: empty, count: 10 - count)) \(percent)%"
  }

  func mark(_ mark: Picker.Mark) -> String {
    switch mark {
    case .none: "[ ]"
    case .some: "[-]"
    case .all: "[\(completed)]"
    }
  }
}

extension Picker.Mark {
  /// The mark in words; nil for an unmarked item.
  fileprivate var words: String? {
    switch self {
    case .none: nil
    case .some: "on some"
    case .all: "marked"
    }
  }
}
