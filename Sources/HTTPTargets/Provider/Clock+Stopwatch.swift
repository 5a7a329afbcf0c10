extension Clock where Duration == Swift.Duration {
  /// Starts measuring; the closure returns the time since.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
