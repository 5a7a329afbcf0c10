internal import PlatformModules

/// How a connection waits for another process's transaction. SQLite's own time-out looks only every tenth of a
/// second, and finds the file locked most of the time while a sync writes page after page.
package enum BusyWait {
  /// In milliseconds; then it is an error.
  private static let patience = 10_000
  /// In milliseconds.
  private static let pause = 2

  /// Sleeps, and tells SQLite whether to look again.
  @Sendable package static func waits(_ tries: Int) -> Bool {
    guard tries < patience / pause else { return false }
    usleep(UInt32(pause * 1_000))
    return true
  }
}
