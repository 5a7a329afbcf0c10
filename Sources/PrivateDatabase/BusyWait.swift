internal import PlatformModules

/// Waits for another process's transaction. SQLite's own busy timeout retries only every tenth of a second, and usually
/// finds the file locked while a sync writes one page after another.
package enum BusyWait {
  /// The time after which the wait fails, in milliseconds.
  private static let patience = 10_000
  /// The time between two attempts, in milliseconds.
  private static let pause = 2

  /// Sleeps, and returns whether SQLite should retry.
  @Sendable package static func waits(_ tries: Int) -> Bool {
    guard tries < patience / pause else { return false }
    usleep(UInt32(pause * 1_000))
    return true
  }
}
