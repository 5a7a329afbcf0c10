/// A list that is read in parts and merged with others.
package protocol MergedList<Item>: Sendable {
  associatedtype Item: Sendable

  /// The next part, which may be empty; nil after the last part.
  mutating func next() async throws -> [Item]?
}

/// Several lists, requested concurrently and merged into a single order as soon as possible.
///
/// If a list fails, its error is added to ``failures``, and the other lists are still read.
package struct MergedLists<Item: Sendable>: MergedList {
  /// The lists, as far as they were read.
  package private(set) var lists: [any MergedList<Item>]
  /// The lists that failed, numbered from 0.
  package private(set) var failures: [(list: Int, error: any Error)] = []
  private var machine: MergeStateMachine<Item>
  /// The lists that need more items.
  private var asked: [Int]

  /// Creates a merger. It doesn't send a request yet.
  ///
  /// - Parameters:
  ///   - lists: The lists, each sorted by the order.
  ///   - precedes: The order.
  package init(
    _ lists: [any MergedList<Item>], by precedes: @escaping @Sendable (Item, Item) -> Bool
  ) {
    self.lists = lists
    machine = MergeStateMachine(lanes: lists.count, by: precedes)
    asked = Array(lists.indices)
  }

  package mutating func next() async throws -> [Item]? {
    repeat {
      try await ask()
      let (items, next) = machine.take()
      asked = next.map { [$0] } ?? []
      if !items.isEmpty { return items }
    } while !asked.isEmpty
    return nil
  }

  private typealias Part = (
    index: Int, list: any MergedList<Item>, items: Result<[Item]?, any Error>
  )

  /// Waits until each list has items or has ended.
  private mutating func ask() async throws {
    let parts = await withTaskGroup(of: Part.self, returning: [Part].self) { group in
      for index in asked {
        group.addTask { [list = lists[index]] in
          var list = list
          do {
            var items = try await list.next()
            while items?.isEmpty == true { items = try await list.next() }
            return (index, list, .success(items))
          } catch {
            return (index, list, .failure(error))
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for (index, list, items) in parts {
      lists[index] = list
      switch items {
      case .success(let items?): machine.add(items, to: index)
      case .success(nil): machine.end(index)
      case .failure(let error):
        if Task.isCancelled { throw error }
        machine.end(index)
        failures.append((index, error))
      }
    }
  }
}
