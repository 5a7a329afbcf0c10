internal import ConcurrencyPrimitives
internal import Dispatch
internal import GRDB

/// A read on another thread with its own connection, because all connections of the pool may belong to readers that
/// wait for such a read.
final class SecondReader<Value: Sendable>: Sendable {
  private struct State {
    var database: DatabaseQueue?
    var result: Result<Value, any Error>?
    var isOver = false
  }

  private let state = Locked(State())
  private let group = DispatchGroup()

  /// Starts to read the same file.
  init(_ database: DatabasePool, _ body: @escaping @Sendable (Database) throws -> Value) {
    DispatchQueue.global().async(group: group) { [state] in
      let result = Result {
        var configuration = database.configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: database.path, configuration: configuration)
        let isOver = state.withLock { state in
          state.database = queue
          return state.isOver
        }
        guard !isOver else { throw CancellationError() }
        return try queue.read(body)
      }
      state.withLock { $0.result = result }
    }
  }

  /// Waits for the result.
  func value() throws -> Value {
    group.wait()
    guard let result = state.withLock({ $0.result }) else { throw CancellationError() }
    return try result.get()
  }

  /// Ends the read, and waits for it.
  func cancel() {
    state.withLock { $0.isOver = true }
    // An interrupt has no effect before a statement runs.
    repeat {
      state.withLock { $0.database }?.interrupt()
    } while group.wait(timeout: .now() + .milliseconds(1)) == .timedOut
  }
}
