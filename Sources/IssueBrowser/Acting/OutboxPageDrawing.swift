internal import IssueOutbox
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Draws the changes that the server doesn't have: the list, and the details of the selected change below it.
struct OutboxPageDrawing {
  /// The minimum width for showing the two texts of a conflict side by side.
  private static let minimumPairColumns = 70

  let page: OutboxPage
  let state: BrowserState
  let look: Look

  /// GitHub's limit for the length of text, in characters.
  private static let maximumLength = 65_536

  private var popup: Popup {
    Popup(
      columns: state.size.columns - 4, rows: state.size.rows - 3, in: state.size,
      isPlain: look.symbols.isPlain)
  }

  /// The rows of the list, above the rule.
  private var rows: Int { max(1, min(page.entries.count, popup.area.height / 3)) }

  private var room: Int { max(0, popup.area.height - rows - 1) }

  /// The first visible line of the details after scrolling to the end.
  var lastTop: Int {
    page.entry.map { max(0, details(of: $0, width: popup.area.width).count - room) } ?? 0
  }

  func draw(on canvas: inout Canvas) {
    let (area, rows, room) = (popup.area, rows, room)
    popup.draw(title: "Outbox: changes not on the server", on: &canvas, look: look)
    guard !page.entries.isEmpty else {
      let words = page.isLoaded ? "Nothing is waiting: every change was sent." : "Loading…"
      return canvas.draw(
        StyledLine(words, style: look[.muted]), column: area.column, row: area.row,
        width: area.width)
    }
    var list = area
    list.height = rows
    canvas.drawChoices(page.entries.count, page.selection, in: list, look: look) {
      line(page.entries[$0], within: area.width)
    }
    let rule = String(repeating: look.symbols.horizontal, count: area.width)
    canvas.draw(
      StyledLine(rule, style: look[.border]), column: area.column, row: area.row + rows,
      width: area.width)
    guard let entry = page.entry else { return }
    let lines = details(of: entry, width: area.width)
    let start = max(0, min(page.top, lines.count - room))
    for (offset, line) in lines.dropFirst(start).prefix(room).enumerated() {
      canvas.draw(line, column: area.column, row: area.row + rows + 1 + offset, width: area.width)
    }
  }

  private func line(_ entry: OutboxEntry, within width: Int) -> StyledLine {
    if look.symbols.isPlain {
      let words = [
        entry.state.rawValue, ActingWords.task(entry), "\(entry.repository)",
        RelativeTime.describe(entry.created, relativeTo: self.state.now),
      ]
      return StyledLine(words.joined(separator: ", "), within: width)
    }
    let state = DisplayWidth.padded(entry.state.rawValue, to: 9)
    let age = RelativeTime.short(entry.created, relativeTo: self.state.now)
    return StyledLine(runs: [
      StyledLine.Run(state, style: look[entry.role]),
      StyledLine.Run(DisplayWidth.padded(age, to: 5), style: look[.muted]),
      StyledLine.Run("\(entry.repository) ", style: look[.muted]),
      StyledLine.Run(ActingWords.task(entry), within: width),
    ]).cut(to: width)
  }

  // MARK: The selected change

  private func details(of entry: OutboxEntry, width: Int) -> [StyledLine] {
    var lines = wrapped(ActingWords.task(entry).capitalizedFirst, .title, width)
    if let reason = entry.reason {
      lines += wrapped(reason.capitalizedFirst, entry.role, width)
    }
    lines += wrapped(entry.advice, .muted, width)
    if let conflict = entry.conflict {
      return lines + [StyledLine()] + texts(of: conflict, width: width)
    }
    if let title = entry.change.title { lines += [StyledLine()] + wrapped(title, .title, width) }
    if let text = entry.change.text {
      lines +=
        [StyledLine()]
        + Self.lines(text).flatMap { wrapped($0, .text, width) }
    }
    return lines
  }

  private func wrapped(_ text: String, _ role: Theme.Role, _ width: Int) -> [StyledLine] {
    text.isEmpty
      ? [StyledLine()] : StyledLine(text, style: look[role]).wrapped(to: max(1, width))
  }

  /// Both texts, side by side if there is room. Differing lines are highlighted.
  private func texts(of conflict: OutboxConflict, width: Int) -> [StyledLine] {
    let field = conflict.field == .title ? "title" : "text"
    let (mine, theirs) = (Self.lines(conflict.mine), Self.lines(conflict.theirs))
    func column(
      _ title: String, _ lines: [String], _ others: [String], _ role: Theme.Role, _ width: Int
    ) -> [StyledLine] {
      let others = Set(others)
      return [StyledLine(title, style: look[.heading])]
        + lines.flatMap { line in
          let isOwn = !others.contains(line)
          let words = isOwn && look.symbols.isPlain ? "only here: \(line)" : line
          return wrapped(words, isOwn ? role : .text, width)
        }
    }
    guard !look.symbols.isPlain, width >= Self.minimumPairColumns else {
      return column("Your \(field)", mine, theirs, .added, width) + [StyledLine()]
        + column("The server's \(field)", theirs, mine, .removed, width)
    }
    let half = (width - 3) / 2
    let left = column("Your \(field)", mine, theirs, .added, half)
    let right = column("The server's \(field)", theirs, mine, .removed, half)
    return (0..<max(left.count, right.count)).map { index in
      let line = index < left.count ? left[index] : StyledLine()
      let blanks = String(repeating: " ", count: max(0, half - line.columns))
      return StyledLine(
        runs: line.runs + [
          StyledLine.Run(blanks),
          StyledLine.Run(" \(look.symbols.vertical) ", style: look[.border]),
        ] + (index < right.count ? right[index].runs : []))
    }
  }

  private static func lines(_ text: String) -> [String] {
    String(text.unicodeScalars.prefix(maximumLength))
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}

extension OutboxEntry {
  fileprivate var role: Theme.Role {
    switch state {
    case .refused: .problem
    case .proposed, .conflict, .unknown: .warning
    case .queued, .sending: .pending
    case .sent: .success
    }
  }

  /// An explanation of the state, and the possible actions.
  fileprivate var advice: String {
    switch state {
    case .proposed: "It isn't sent unless you say so: r approves and sends it, d drops it."
    case .queued: "It waits to be sent: r sends it now, d drops it."
    case .sending: "It is being sent."
    case .sent: "The server has it."
    case .refused: "The server refused it. Once the reason is gone, r sends it again; d drops it."
    case .conflict:
      "Someone else has changed it since you saw it: m keeps yours, t theirs, e edits both into one."
    case .unknown:
      "Its response was lost. Check the server first: r sends it again, d drops it if it is there."
    }
  }
}
