internal import ConcurrencyPrimitives
internal import Dispatch

/// A thread for work that can't be stopped. Callers wait only up to a limit. Work beyond the limit continues without
/// them, and no other work begins until it is done. Any number of slow documents therefore costs the limit only once,
/// and occupies only one processor.
final class ParsingThread: Sendable {
  private enum Outcome<Value: Sendable>: Sendable {
    case awaited
    case there(Value)
    case givenUp
  }

  /// The shared thread. Documents are parsed one at a time, because the parser changes global tables.
  static let shared = ParsingThread(limit: .seconds(2))

  private let queue = DispatchQueue(label: "Markdown")
  private let limit: DispatchTimeInterval
  private let overdue = Locked(0)

  /// - Parameter limit: The time that a caller waits, including earlier work.
  init(limit: DispatchTimeInterval) {
    self.limit = limit
  }

  /// Runs the work. Returns nil if it takes too long, or if abandoned work is still running.
  func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value? {
    guard overdue.withLock({ $0 == 0 }) else { return nil }
    let outcome = Locked(Outcome<Value>.awaited)
    let done = DispatchSemaphore(value: 0)
    queue.async { [overdue] in
      let value = outcome.withLock { if case .awaited = $0 { true } else { false } } ? work() : nil
      let isAwaited = outcome.withLock { outcome in
        guard case .awaited = outcome, let value else { return false }
        outcome = .there(value)
        return true
      }
      if !isAwaited { overdue.withLock { $0 -= 1 } }
      done.signal()
    }
    _ = done.wait(timeout: .now() + limit)
    return outcome.withLock { outcome in
      if case .there(let value) = outcome { return value }
      outcome = .givenUp
      overdue.withLock { $0 += 1 }
      return nil
    }
  }
}
