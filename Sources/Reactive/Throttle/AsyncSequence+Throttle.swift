extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Lets the first element through at once, and then one for each interval: the newest at its end.
  ///
  /// ```swift
  /// for await text in texts.throttleLatest(for: .seconds(0.3)).distinct() {
  ///   search(text)
  /// }
  /// ```
  ///
  /// - An interval begins when the consumer is given an element. What arrives during it is held, a newer
  ///   one in the place of the older. At its end the consumer is given what is held, and another interval
  ///   begins; when nothing is held, the next element passes at once.
  /// - What is held when the source ends is still delivered, at the end of its interval, and only then
  ///   does the sequence end. When nothing is held, it ends with the source.
  /// - The source is read as fast as it produces. A consumer that is busy for longer than the interval
  ///   gets the newest element when it asks.
  /// - Nothing starts before the first `next()`, and each iterator is a run of its own.
  /// - Cancelling the consumer's task, or leaving its loop, cancels the reading of the source.
  ///
  /// - Parameters:
  ///   - interval: the time between two elements, at least.
  ///   - clock: measures the interval.
  /// - Returns: the elements that were let through, in order.
  public func throttleLatest(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<Element, Never> & Sendable {
    ThrottleLatestSequence(base: self, interval: interval, clock: clock)
  }

  /// Lets an element through when no newer one has followed it for a while.
  ///
  /// The last element of the source is let through too, and at the end of its pause. The rest is as
  /// with ``latest(_:)``.
  ///
  /// - Parameters:
  ///   - pause: how long to wait for a newer element.
  ///   - clock: measures the pause.
  /// - Returns: the elements that were followed by a pause, in order.
  public func debounce(
    for pause: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<Element, Never> & Sendable {
    latest { element, emit in
      guard (try? await clock.sleep(for: pause)) != nil else { return }
      await emit(element)
    }
  }

  /// Leaves out the elements that are equal to the one before.
  ///
  /// - Returns: the elements that differ from the one before, in order.
  public func distinct() -> some AsyncSequence<Element, Never> & Sendable where Element: Equatable {
    DistinctSequence(base: self)
  }
}
