internal import CPostgres
internal import ConcurrencyPrimitives
internal import Dispatch

/// Cancels a connection's statement. The server may receive this late, when the connection already runs another
/// statement, so a cancelled connection isn't reused.
// @safe: libpq allows it from any thread (https://www.postgresql.org/docs/current/libpq-cancel.html).
@safe
final class PostgresCancellation: Sendable {
  // nonisolated(unsafe): it never changes, and libpq lets any thread use it.
  private nonisolated(unsafe) let cancel: OpaquePointer
  private let isUsed = Locked(false)
  private let hasEnded = Locked(false)

  /// In milliseconds, between two messages.
  private static let shortestPause = 20
  private static let longestPause = 1000

  init(taking cancel: OpaquePointer) {
    unsafe self.cancel = cancel
  }

  deinit {
    unsafe cpostgres_free_cancel(cancel)
  }

  var wasUsed: Bool { isUsed.withLock { $0 } }

  /// Doesn't wait: libpq opens a connection for it. A message that arrives between two statements does nothing, so it is
  /// sent until ``end()``.
  func send() {
    isUsed.withLock { $0 = true }
    send(after: 0)
  }

  /// Marks the end of the cancelled work.
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
