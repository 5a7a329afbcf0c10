internal import IssueOutbox
internal import IssueTracker
internal import TerminalScreen

/// The changes that the server doesn't have, and the possible actions.
package struct OutboxPage: Sendable, Hashable {
  private(set) var entries: [OutboxEntry] = []
  private(set) var isLoaded = false
  private(set) var selection = 0
  /// The first visible line of the details.
  fileprivate(set) var top = 0
  /// Whether the selected change was removed, so that the cursor is on a change that the user didn't choose.
  fileprivate(set) var isLost = false
  /// A change that the server may already have. It is sent again only after a second confirmation.
  fileprivate(set) var confirmed: OutboxEntry.ID?

  var entry: OutboxEntry? { entries.indices.contains(selection) ? entries[selection] : nil }

  /// Shows entries. The selection stays on its entry.
  mutating func show(_ entries: [OutboxEntry]) {
    let selected = entry?.id
    self.entries = entries
    isLoaded = true
    if let index = entries.firstIndex(where: { $0.id == selected }) {
      selection = index
    } else if selected != nil {
      (top, isLost) = (0, true)
    }
    selection = max(0, min(selection, entries.count - 1))
  }

  fileprivate mutating func move(_ rows: Int) {
    selection = max(0, min(selection + rows, entries.count - 1))
    (top, isLost, confirmed) = (0, false, nil)
  }

  static func command(for event: InputEvent, in page: OutboxPage) -> OutboxPageCommand? {
    guard case .key(let key) = event else { return nil }
    switch key {
    case .up, .character("k"): return .move(-1)
    case .down, .character("j"): return .move(1)
    case .home, .character("g"): return .move(-page.entries.count)
    case .end, .character("G"): return .move(page.entries.count)
    case .pageUp, .control("b"), .control("u"): return .scroll(-10)
    case .pageDown, .control("f"), .control("d"), .character(" "): return .scroll(10)
    case .escape, .character("q"), .character("O"): return .leave
    default: break
    }
    guard let entry = page.entry else { return nil }
    switch (key, entry.state) {
    case (.character("r"), .proposed), (.character("r"), .queued), (.character("r"), .refused),
      (.character("r"), .unknown):
      return .decide(.send)
    case (.character("d"), .proposed), (.character("d"), .queued), (.character("d"), .refused),
      (.character("d"), .unknown), (.character("d"), .conflict), (.character("u"), .queued):
      return .decide(.drop)
    case (.character("m"), .conflict): return .decide(.takeMine)
    case (.character("t"), .conflict): return .decide(.takeTheirs)
    case (.character("e"), .conflict): return .merge
    default: return nil
    }
  }

  /// The hints for the status line: the keys that have an effect on the selected change.
  var hints: [(key: String, meaning: String)] {
    let own: [(key: String, meaning: String)] =
      switch entry?.state {
      case .proposed: [("r", "approve and send"), ("d", "drop")]
      case .queued: [("r", "send"), ("d", "drop")]
      case .refused, .unknown: [("r", "send again"), ("d", "drop")]
      case .conflict:
        [("m", "take mine"), ("t", "theirs"), ("e", "edit both"), ("d", "drop")]
      case .sending, .sent, nil: []
      }
    return [("q", "back")] + own
  }
}

package enum OutboxPageCommand: Sendable, Hashable {
  case move(Int)
  /// Scrolls the details by lines.
  case scroll(Int)
  case decide(OutboxDecision)
  case merge
  case leave
}

package enum OutboxDecision: Sendable, Hashable {
  case send
  case drop
  case takeMine
  case takeTheirs

  /// Performs the action. Returns the entry to send now, if any, and the dropped entries.
  func carryOut(
    on entry: OutboxEntry, in outbox: Outbox
  ) async throws -> (released: OutboxEntry?, dropped: [OutboxEntry.ID]) {
    switch self {
    case .send:
      let released =
        switch entry.state {
        case .queued: entry
        case .proposed: try await outbox.approve(entry.id)
        default: try await outbox.retry(entry.id, mayRepeat: entry.state == .unknown)
        }
      return (released, [])
    case .drop:
      // The dependents of an entry can't be sent without it.
      let others = try await outbox.dependents(of: [entry.id]).filter { $0.dropped == nil }
      let ids = [entry.id] + others.map(\.id)
      try await outbox.drop(ids)
      return (nil, ids)
    case .takeMine: return (try await outbox.resolve(entry.id, with: entry.conflict?.mine), [])
    case .takeTheirs:
      let rest = try await outbox.resolve(entry.id, with: nil)
      return rest.dropped == nil ? (rest, []) : (nil, [entry.id])
    }
  }
}

extension BrowserState {
  mutating func openOutbox() {
    acting.notice = nil
    acting.revision += 1
    acting.dialog = .outbox(OutboxPage())
    acting.due.append(.readOutbox)
  }

  mutating func show(_ entries: [OutboxEntry]) {
    guard case .outbox(var page)? = acting.dialog else { return }
    page.show(entries)
    acting.dialog = .outbox(page)
  }

  mutating func handle(_ command: OutboxPageCommand) {
    guard case .outbox(var page)? = acting.dialog else { return }
    switch command {
    case .leave:
      acting.dialog = nil
      return
    case .move(let rows): page.move(rows)
    case .scroll(let lines):
      let last = OutboxPageDrawing(page: page, state: self, look: look).lastTop
      page.top = max(0, min(page.top + lines, last))
    case .decide where page.isLost, .merge where page.isLost:
      page.isLost = false
      message = "The change is gone, and the next one is selected. Press the key again for that."
    case .merge:
      guard let entry = page.entry else { return }
      compose(.merge(entry.id))
    case .decide(let decision):
      guard let entry = page.entry else { return }
      if decision == .send, entry.state == .unknown, entry.change.countsEachTime,
        page.confirmed != entry.id
      {
        page.confirmed = entry.id
        message = "The server may already have it. Press r again to send it anyway."
      } else {
        page.confirmed = nil
        acting.decisions += 1
        acting.due.append(.decide(decision, entry))
      }
    }
    acting.dialog = .outbox(page)
  }
}
