extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Lets the first element through at once, and then one for each interval: the newest at its end.
  ///
  /// ```swift
  /// for await text in texts.throttleLatest(for: .seconds(0.3)).distinct() {
  ///   search(text)
  /// }
  /// ```
  ///
  /// - An interval begins when an element is let through. What arrives during it is held, a newer one
  ///   in the place of the older. At its end what is held is let through, and another interval begins;
  ///   when nothing is held, the next element passes at once.
  /// - What is held when the source ends is still delivered, at the end of its interval, and only then
  ///   does the sequence end. When nothing is held, it ends with the source.
  /// - The source is read as fast as it produces. A consumer that is busy for longer than an interval
  ///   gets the newest of what was let through meanwhile.
  /// - Nothing starts before the first `next()`, and each iterator is a run of its own.
  /// - Cancelling the consumer's task, or leaving its loop, cancels the reading of the source.
  ///
  /// - Parameters:
  ///   - interval: the time between two elements, at least.
  ///   - clock: measures the interval.
  /// - Returns: the elements that were let through, in order.
  public func throttleLatest(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> AsyncThrottleLatestSequence<Self> {
    AsyncThrottleLatestSequence(base: self, interval: interval, clock: clock)
  }

  /// Leaves out the elements that are equal to the one before.
  ///
  /// - Returns: the elements that differ from the one before, in order.
  public func distinct() -> AsyncDistinctSequence<Self> where Element: Equatable {
    AsyncDistinctSequence(base: self, areEqual: ==)
  }
}
