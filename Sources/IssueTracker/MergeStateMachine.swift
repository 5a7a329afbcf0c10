/// Merges lists that arrive in parts into a single order.
///
/// An item's position is certain once every unfinished list has an item to compare. The lists should be sorted. If a
/// list isn't, because its server changed it between two requests, its items keep their own order.
struct MergeStateMachine<Item: Sendable>: Sendable {
  private enum Lane: Sendable {
    /// The list was requested. Items of the other lists must wait until its next part arrives.
    case waiting
    /// The list has at least one item.
    case filled(ArraySlice<Item>)
    /// The list has ended.
    case ended
  }

  private var lanes: [Lane]
  private var waitingCount: Int
  private let precedes: @Sendable (Item, Item) -> Bool

  /// Creates a state in which all lists were requested.
  init(lanes count: Int, by precedes: @escaping @Sendable (Item, Item) -> Bool) {
    lanes = Array(repeating: .waiting, count: count)
    waitingCount = count
    self.precedes = precedes
  }

  /// Adds a part that has arrived. After an empty part, the list is still requested.
  mutating func add(_ items: [Item], to lane: Int) {
    guard case .waiting = lanes[lane], !items.isEmpty else { return }
    lanes[lane] = .filled(items[...])
    waitingCount -= 1
  }

  /// Marks a list as ended or failed.
  mutating func end(_ lane: Int) {
    if case .waiting = lanes[lane] { waitingCount -= 1 }
    lanes[lane] = .ended
  }

  /// Returns the items whose positions are certain. Of equal items, the first list's item comes first.
  ///
  /// - Returns: The items, and the list to request more of, if a list ran out.
  mutating func take() -> (items: [Item], asks: Int?) {
    var items: [Item] = []
    while waitingCount == 0 {
      var first: (lane: Int, items: ArraySlice<Item>)?
      for (index, lane) in lanes.enumerated() {
        guard case .filled(let own) = lane, let head = own.first else { continue }
        if let best = first?.items.first, !precedes(head, best) { continue }
        first = (index, own)
      }
      guard let (lane, filled) = first, let head = filled.first else { break }
      let rest = filled.dropFirst()
      items.append(head)
      guard rest.isEmpty else {
        lanes[lane] = .filled(rest)
        continue
      }
      lanes[lane] = .waiting
      waitingCount += 1
      return (items, lane)
    }
    return (items, nil)
  }
}
