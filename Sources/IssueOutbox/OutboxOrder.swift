/// The order of entries. Entries for the same issue are sent in order. An entry is held back if its dependency can't be
/// sent.
struct OutboxOrder {
  enum Issue: Hashable {
    /// An issue on a server, with its server, repository and number.
    case number(String, String, Int)
    case pending(OutboxEntry.ID)
  }

  struct Entry {
    var id: OutboxEntry.ID
    var state: OutboxState
    var issue: Issue?
    var requires: [OutboxEntry.ID] = []
    var isDropped = false
    /// When the server last failed to process the entry; nil if its state has changed since.
    var failed: Double?
    /// The bulk that the entry belongs to. It is sent only if it is requested by id.
    var bulk: OutboxEntry.ID?

    fileprivate var isOpen: Bool { !isDropped && ![.sent, .refused, .proposed].contains(state) }

    /// Whether later entries for its issue wait for this one. A queued entry of a bulk doesn't block others, because it
    /// may never be resumed.
    fileprivate var holdsUp: Bool { isOpen && (bulk == nil || state != .queued) }
  }

  private let sorted: [Entry]
  private var entries: [OutboxEntry.ID: Entry] = [:]
  /// The previous open entry for the same issue, by entry.
  private var predecessors: [OutboxEntry.ID: OutboxEntry.ID] = [:]

  private var reasons: [OutboxEntry.ID: String] = [:]

  /// The entries must be in order. Closed entries matter only as dependencies of others.
  init(_ entries: [Entry]) {
    sorted = entries
    var last: [Issue: OutboxEntry.ID] = [:]
    for entry in entries {
      self.entries[entry.id] = entry
      guard entry.isOpen, let issue = entry.issue else { continue }
      predecessors[entry.id] = last[issue]
      if entry.holdsUp { last[issue] = entry.id }
    }
    // Only older entries can be dependencies.
    for entry in entries { reasons[entry.id] = foundReason(of: entry) }
  }

  func dependencies(of id: OutboxEntry.ID) -> [OutboxEntry.ID] {
    guard let entry = entries[id], entry.isOpen else { return [] }
    let required = entry.requires.filter {
      entries[$0].map { $0.isDropped || $0.state != .sent } ?? false
    }
    return Set(required + [predecessors[id]].compactMap(\.self)).sorted()
  }

  func closure(of ids: [OutboxEntry.ID]) -> Set<OutboxEntry.ID> {
    var all: Set<OutboxEntry.ID> = []
    var rest = ids
    while let id = rest.popLast() {
      if all.insert(id).inserted { rest += dependencies(of: id) }
    }
    return all
  }

  /// The oldest entry that can be sent or searched for. Entries that the server failed to process come last, the
  /// earliest failure first, so that they can't prevent a run from reaching the others.
  func next(
    among wanted: Set<OutboxEntry.ID>?, skipping skipped: Set<OutboxEntry.ID>
  ) -> OutboxEntry.ID? {
    var first: Entry?
    for entry in sorted
    where !entry.isDropped && !skipped.contains(entry.id)
      && wanted?.contains(entry.id) ?? (entry.bulk == nil || entry.state == .unknown)
      && (entry.state == .unknown
        || entry.state == .queued && dependencies(of: entry.id).isEmpty)
    {
      guard let failed = entry.failed else { return entry.id }
      if let other = first?.failed, other <= failed { continue }
      first = entry
    }
    return first?.id
  }

  /// The reason that a queued entry can't be sent; nil if it is only waiting for its turn.
  func reason(of id: OutboxEntry.ID) -> String? { reasons[id] }

  private func foundReason(of entry: Entry) -> String? {
    guard entry.state == .queued else { return nil }
    for dependency in dependencies(of: entry.id) {
      guard let other = entries[dependency] else { continue }
      let name = Self.name(of: other)
      if other.isDropped { return "held back: it needs \(name), which was dropped" }
      switch other.state {
      case .proposed: return "waits for \(name), which is proposed"
      case .refused: return "held back: it needs \(name), which was refused"
      case .conflict: return "waits for \(name), which is in conflict"
      case .unknown: return "waits for \(name), which may have been carried out"
      case .queued, .sending, .sent:
        if let reason = reasons[dependency] { return reason }
      }
    }
    return entry.bulk.map { "part of bulk \($0), which is sent by its name only" }
  }

  private static func name(of entry: Entry) -> String {
    entry.issue == .pending(entry.id) ? "new-\(entry.id)" : "change \(entry.id)"
  }
}
