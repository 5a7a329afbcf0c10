internal import PlatformModules

/// Waits for another process's transaction. SQLite's own time-out retries only every tenth of a second, and finds the
/// file locked most of the time while a sync writes page after page.
package enum BusyWait {
  /// In milliseconds. After that, the wait fails.
  private static let patience = 10_000
  /// In milliseconds.
  private static let pause = 2

  /// Sleeps, and returns whether SQLite should retry.
  @Sendable package static func waits(_ tries: Int) -> Bool {
    guard tries < patience / pause else { return false }
    usleep(UInt32(pause * 1_000))
    return true
  }
}
