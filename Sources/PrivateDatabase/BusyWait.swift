#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How a connection waits for another process's transaction.
///
/// SQLite's own time-out soon looks again only every tenth of a second. Beside a sync that writes a page of
/// some milliseconds after the other it would find the file locked most of the time.
package enum BusyWait {
  /// For how long a transaction is waited for, in milliseconds, before it is an error.
  private static let patience = 10_000
  /// How long to sleep between two looks, in milliseconds.
  private static let pause = 2

  /// Sleeps a while, on a thread of the database.
  ///
  /// - Parameter tries: How often the file was looked at for this lock.
  /// - Returns: Whether to look again.
  @Sendable package static func waits(_ tries: Int) -> Bool {
    guard tries < patience / pause else { return false }
    usleep(UInt32(pause * 1_000))
    return true
  }
}
