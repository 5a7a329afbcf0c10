/// Which entries wait for which.
///
/// Entries on one issue keep their order. An entry that needs another one, such as a comment on an issue that is itself still
/// in the outbox, is sent when that one was, and held back if that can't be.
struct OutboxOrder {
  /// What an entry is about.
  enum Issue: Hashable {
    /// An issue of a repository of a server.
    case number(String, String, Int)
    /// An issue that an entry is to create.
    case pending(OutboxEntry.ID)
  }

  /// As much of an entry as the order takes.
  struct Entry {
    var id: OutboxEntry.ID
    var state: OutboxState
    var issue: Issue?
    var requires: [OutboxEntry.ID] = []
    var isDropped = false
    /// When the server last failed at it; nil where it didn't, or something happened since.
    var failed: Double?

    /// Whether it isn't over yet, so that later entries on its issue wait.
    fileprivate var isOpen: Bool { !isDropped && ![.sent, .refused].contains(state) }
  }

  private let sorted: [Entry]
  private var entries: [OutboxEntry.ID: Entry] = [:]
  /// The last entry before it that is about the same issue and isn't over.
  private var predecessors: [OutboxEntry.ID: OutboxEntry.ID] = [:]

  private var reasons: [OutboxEntry.ID: String] = [:]

  /// Orders entries, the oldest first. Of those that are over, only the required ones matter.
  init(_ entries: [Entry]) {
    sorted = entries
    var last: [Issue: OutboxEntry.ID] = [:]
    for entry in entries {
      self.entries[entry.id] = entry
      guard entry.isOpen, let issue = entry.issue else { continue }
      predecessors[entry.id] = last.updateValue(entry.id, forKey: issue)
    }
    // What an entry waits for is older.
    for entry in entries { reasons[entry.id] = foundReason(of: entry) }
  }

  /// The entries that an entry waits for.
  func dependencies(of id: OutboxEntry.ID) -> [OutboxEntry.ID] {
    guard let entry = entries[id], entry.isOpen else { return [] }
    let required = entry.requires.filter {
      entries[$0].map { $0.isDropped || $0.state != .sent } ?? false
    }
    return Set(required + [predecessors[id]].compactMap(\.self)).sorted()
  }

  /// Entries, and those that they wait for, and so on.
  func closure(of ids: [OutboxEntry.ID]) -> Set<OutboxEntry.ID> {
    var all: Set<OutboxEntry.ID> = []
    var rest = ids
    while let id = rest.popLast() {
      if all.insert(id).inserted { rest += dependencies(of: id) }
    }
    return all
  }

  /// The oldest entry that can be sent, or that has to be looked for. Those that the server failed at come last, the one
  /// tried longest ago first: they never keep a run from reaching the rest.
  ///
  /// - Parameters:
  ///   - wanted: The entries to choose among; nil for all.
  ///   - skipped: Those to leave out.
  /// - Returns: Its id; nil where there is none.
  func next(
    among wanted: Set<OutboxEntry.ID>?, skipping skipped: Set<OutboxEntry.ID>
  ) -> OutboxEntry.ID? {
    var first: Entry?
    for entry in sorted
    where !entry.isDropped && !skipped.contains(entry.id) && wanted?.contains(entry.id) ?? true
      && (entry.state == .unknown
        || entry.state == .queued && dependencies(of: entry.id).isEmpty)
    {
      guard let failed = entry.failed else { return entry.id }
      if let other = first?.failed, other <= failed { continue }
      first = entry
    }
    return first?.id
  }

  /// Why an entry that is queued can't be sent yet, in words; nil where it can, or only waits for its turn.
  func reason(of id: OutboxEntry.ID) -> String? { reasons[id] }

  private func foundReason(of entry: Entry) -> String? {
    guard entry.state == .queued else { return nil }
    for dependency in dependencies(of: entry.id) {
      guard let other = entries[dependency] else { continue }
      let name = Self.name(of: other)
      if other.isDropped { return "held back: it needs \(name), which was dropped" }
      switch other.state {
      case .refused: return "held back: it needs \(name), which was refused"
      case .conflict: return "waits for \(name), which is in conflict"
      case .unknown: return "waits for \(name), which may have been carried out"
      case .queued, .sending, .sent:
        if let reason = reasons[dependency] { return reason }
      }
    }
    return nil
  }

  private static func name(of entry: Entry) -> String {
    entry.issue == .pending(entry.id) ? "new-\(entry.id)" : "change \(entry.id)"
  }
}
