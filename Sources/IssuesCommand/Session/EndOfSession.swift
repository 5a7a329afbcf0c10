internal import ConcurrencyPrimitives

/// What is to be waited for before the process ends.
final class EndOfSession: Sendable {
  typealias Work = @Sendable () async -> Void

  private let works = Locked<[Work]>([])

  /// Adds something.
  func add(_ work: @escaping Work) {
    works.withLock { $0.append(work) }
  }

  /// Waits for all of it, one after the other.
  func wait() async {
    let works = works.withLock { works in
      defer { works = [] }
      return works
    }
    for work in works { await work() }
  }
}
