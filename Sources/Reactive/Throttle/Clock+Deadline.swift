extension Clock<Duration> {
  /// The moment so much time from now, as what sleeps until then.
  ///
  /// The instants of `any Clock<Duration>` have no type to keep them by; a closure has.
  func deadline(in duration: Duration) -> Deadline {
    let end = now.advanced(by: duration)
    return { try await sleep(until: end, tolerance: nil) }
  }
}

/// Sleeps until a certain moment, not at all when it is past, and throws when the task is cancelled.
typealias Deadline = @Sendable () async throws -> Void
