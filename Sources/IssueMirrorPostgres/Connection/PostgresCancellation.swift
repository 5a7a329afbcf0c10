internal import CPostgres
internal import ConcurrencyPrimitives
internal import Dispatch

/// Cancels a connection's statement. The server may receive the message late, when the connection is already running
/// another statement, so a canceled connection isn't reused.
// @safe: libpq allows this from any thread (https://www.postgresql.org/docs/current/libpq-cancel.html).
@safe
final class PostgresCancellation: Sendable {
  // Safe to share: the pointer never changes, and libpq allows its use from any thread.
  private nonisolated(unsafe) let cancel: OpaquePointer
  private let isUsed = Locked(false)
  private let hasEnded = Locked(false)

  /// The shortest pause between two messages, in milliseconds.
  private static let shortestPause = 20
  private static let longestPause = 1000

  init(taking cancel: OpaquePointer) {
    unsafe self.cancel = cancel
  }

  deinit {
    unsafe cpostgres_free_cancel(cancel)
  }

  var wasUsed: Bool { isUsed.withLock { $0 } }

  /// Sends cancel messages without waiting, because libpq opens a connection for each. A message that arrives between
  /// two statements has no effect, so messages are sent until ``end()``.
  func send() {
    isUsed.withLock { $0 = true }
    send(after: 0)
  }

  /// Marks the end of the canceled work.
  func end() { hasEnded.withLock { $0 = true } }

  private func send(after pause: Int) {
    let next = min(max(pause * 2, Self.shortestPause), Self.longestPause)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(pause)) {
      guard !self.hasEnded.withLock({ $0 }) else { return }
      _ = unsafe cpostgres_send_cancel(self.cancel)
      self.send(after: next)
    }
  }
}
