/// A moment on a clock of any kind.
///
/// The instants of `any Clock<Duration>` have no type to keep them by; a closure has.
struct Deadline: Sendable {
  /// Waits until the moment has come.
  ///
  /// Returns false when it had come before, and throws when the task is cancelled.
  let wait: @Sendable () async throws -> Bool
}

extension Clock<Duration> {
  /// The moment so much time from now.
  func deadline(in duration: Duration) -> Deadline {
    let end = now.advanced(by: duration)
    return Deadline {
      guard now < end else { return false }
      try await sleep(until: end, tolerance: nil)
      return true
    }
  }
}
