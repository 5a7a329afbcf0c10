import Synchronization

/// Counted as long as anything holds it: a table, a closure, a task.
final class Token: Hashable, Sendable {
  private static let count = Atomic(0)

  init() {
    Self.count.add(1, ordering: .relaxed)
  }

  deinit {
    Self.count.subtract(1, ordering: .relaxed)
  }

  /// The number still held once cancelled tasks have had time to return.
  static func settled() async -> Int {
    for _ in 0..<100_000 where count.load(ordering: .relaxed) > 0 {
      await Task.yield()
    }
    return count.load(ordering: .relaxed)
  }

  static func == (left: Token, right: Token) -> Bool {
    left === right
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
