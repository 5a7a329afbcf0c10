/// A list that is read in parts, one of several that are merged.
package protocol MergedList<Item>: Sendable {
  associatedtype Item: Sendable

  /// The next part, perhaps empty; nil after the last.
  mutating func next() async throws -> [Item]?
}

/// Several lists, asked side by side and merged into one order as soon as the order allows.
///
/// A list that breaks off is told, and doesn't keep the others from being read.
package struct MergedLists<Item: Sendable>: Sendable {
  /// What happens.
  package enum Event: Sendable {
    /// The next items, in order.
    case items([Item])
    /// A list broke off, counted from 0.
    case failure(list: Int, any Error)
  }

  private let lists: [any MergedList<Item>]
  private let precedes: @Sendable (Item, Item) -> Bool

  /// Creates a merger. Nothing is asked yet.
  ///
  /// - Parameters:
  ///   - lists: The lists, each in the order.
  ///   - precedes: The order.
  package init(
    _ lists: [any MergedList<Item>], by precedes: @escaping @Sendable (Item, Item) -> Bool
  ) {
    self.lists = lists
    self.precedes = precedes
  }

  private typealias Part = (
    index: Int, list: any MergedList<Item>, items: Result<[Item]?, any Error>
  )

  /// Reads the lists to their ends.
  ///
  /// - Parameters:
  ///   - actor: The caller's actor.
  ///   - receive: Gets each event; false stops the reading.
  /// - Throws: What `receive` throws, or cancellation.
  package func read(
    isolation actor: isolated (any Actor)? = #isolation,
    _ receive: (Event) async throws -> Bool
  ) async throws {
    try await withThrowingTaskGroup(of: Part.self) { group in
      var machine = MergeStateMachine(lanes: lists.count, by: precedes)
      // A list that isn't being asked waits here.
      var idle: [Int: any MergedList<Item>] = [:]
      func ask(_ index: Int, _ list: any MergedList<Item>) {
        group.addTask {
          var list = list
          do {
            let items = try await list.next()
            return (index, list, .success(items))
          } catch {
            return (index, list, .failure(error))
          }
        }
      }
      for (index, list) in lists.enumerated() { ask(index, list) }
      while let part = try await group.next() {
        switch part.items {
        case .success(let items?) where items.isEmpty: ask(part.index, part.list)
        case .success(let items?):
          machine.add(items, to: part.index)
          idle[part.index] = part.list
        case .success(nil): machine.end(part.index)
        case .failure(let error):
          machine.end(part.index)
          guard try await receive(.failure(list: part.index, error)) else {
            return group.cancelAll()
          }
        }
        let (items, next) = machine.take()
        if !items.isEmpty {
          guard try await receive(.items(items)) else { return group.cancelAll() }
        }
        if let next, let list = idle.removeValue(forKey: next) { ask(next, list) }
      }
    }
  }
}
