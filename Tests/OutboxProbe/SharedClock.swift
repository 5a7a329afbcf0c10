package import PlatformModules

/// A clock on which long waits are over at once: they put it forward, for all processes that share a file.
///
/// The file has as many bytes as the clock is ahead in seconds. Short waits, for another process, are shorter still.
package struct SharedClock: Clock {
  private let file: String

  /// Makes a clock that a file puts forward.
  package init(file: String) { self.file = file }

  /// The instant, which isn't put forward: only ``date`` is.
  package var now: ContinuousClock.Instant { .now }
  /// As fine as the system's.
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// The date, with what was waited.
  package var date: Date {
    var status = stat()
    return Date().addingTimeInterval(stat(file, &status) == 0 ? Double(status.st_size) : 0)
  }

  /// Waits.
  package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let duration = deadline - now
    guard duration > .milliseconds(500) else {
      return try await ContinuousClock().sleep(for: duration / 50)
    }
    try Task.checkCancellation()
    advance(by: duration)
  }

  /// Puts the clock forward.
  package func advance(by duration: Duration) {
    let seconds = Int((duration / .seconds(1)).rounded(.up))
    OutboxPerson.write(String(repeating: " ", count: max(seconds, 0)), to: file)
  }
}
