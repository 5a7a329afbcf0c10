internal import CPostgres
internal import ConcurrencyPrimitives
internal import Dispatch

/// Cancels what a connection does. The server may learn of it late, when the connection already does something else, so
/// one that was cancelled isn't used again.
// @safe: libpq allows it from any thread (https://www.postgresql.org/docs/current/libpq-cancel.html).
@safe
final class PostgresCancellation: Sendable {
  // nonisolated(unsafe): it never changes.
  private nonisolated(unsafe) let cancel: OpaquePointer
  private let isUsed = Locked(false)

  init(taking cancel: OpaquePointer) {
    unsafe self.cancel = cancel
  }

  deinit {
    unsafe cpostgres_free_cancel(cancel)
  }

  var wasUsed: Bool { isUsed.withLock { $0 } }

  /// Doesn't wait: libpq opens a connection for it.
  func send() {
    isUsed.withLock { $0 = true }
    DispatchQueue.global().async { _ = unsafe cpostgres_send_cancel(self.cancel) }
  }
}
