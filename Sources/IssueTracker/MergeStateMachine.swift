/// Merges lists that arrive in parts into one order.
///
/// An item is certain once every unfinished list has one to compare. The lists should be sorted; if one isn't, because
/// its server changed it meanwhile, its items keep their own order.
struct MergeStateMachine<Item: Sendable>: Sendable {
  private enum Lane: Sendable {
    /// Requested. No item of the other lists can pass until its next part arrives.
    case waiting
    /// At least one item.
    case filled(ArraySlice<Item>)
    /// No more items.
    case ended
  }

  private var lanes: [Lane]
  private var waitingCount: Int
  private let precedes: @Sendable (Item, Item) -> Bool

  /// Begins with all lists requested.
  init(lanes count: Int, by precedes: @escaping @Sendable (Item, Item) -> Bool) {
    lanes = Array(repeating: .waiting, count: count)
    waitingCount = count
    self.precedes = precedes
  }

  /// A part arrived. After an empty part, the request for the list continues.
  mutating func add(_ items: [Item], to lane: Int) {
    guard case .waiting = lanes[lane], !items.isEmpty else { return }
    lanes[lane] = .filled(items[...])
    waitingCount -= 1
  }

  /// The list has ended, or broken off.
  mutating func end(_ lane: Int) {
    if case .waiting = lanes[lane] { waitingCount -= 1 }
    lanes[lane] = .ended
  }

  /// Takes the certain items. Of equal items, the first list's comes first.
  ///
  /// - Returns: The items, and the list to request more of, if one ran out.
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
