internal import ConcurrencyPrimitives
internal import Dispatch

/// A thread for work that can't be stopped, and that nobody waits for longer than a while.
///
/// What takes longer is left to itself. Until it is done nothing else is begun, so that however much of it there
/// is, it takes the while once, and one processor at most.
final class ParsingThread: Sendable {
  private enum Outcome<Value: Sendable>: Sendable {
    case awaited
    case there(Value)
    case givenUp
  }

  /// The thread of the parser, which changes tables of its own while it works: all documents of the process
  /// take turns.
  ///
  /// What ``ParsingCost`` lets pass takes tenths of a second, where the machine has nothing else to do.
  static let shared = ParsingThread(limit: .seconds(2))

  private let queue = DispatchQueue(label: "Markdown")
  private let limit: DispatchTimeInterval
  /// How much was given up and isn't done.
  private let overdue = Locked(0)

  /// Creates a thread.
  ///
  /// - Parameter limit: How long work is waited for, with what is before it.
  init(limit: DispatchTimeInterval) {
    self.limit = limit
  }

  /// Does work on the thread, and waits for it.
  ///
  /// - Parameter work: Makes a value.
  /// - Returns: The value; nil where it takes too long, or what was given up before isn't done yet.
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
