extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Transforms each element, and gives up on an element as soon as a newer one arrives.
  ///
  /// ```swift
  /// for await issues in names.mapLatest({ await tracker.issues(of: $0) }) {
  ///   show(issues)
  /// }
  /// ```
  ///
  /// - A newer element cancels the transformation of the older one at once and starts its own,
  ///   without waiting for the older to return: a transformation that ignores cancellation runs on
  ///   beside the newer one, and its result is dropped.
  /// - A result belongs to the consumer when `next()` returns it. One that is ready but not yet
  ///   taken when a newer element arrives is dropped, so that nothing of an older element appears
  ///   after the newer has been read from the source.
  /// - The last element's result is always delivered, also when the source ends before it is ready.
  /// - The source is read as fast as it produces, never slowed down by a running transformation
  ///   or by the consumer.
  /// - Nothing starts before the first `next()`, and each iterator is a run of its own.
  /// - Cancelling the consumer's task, or leaving its loop, cancels the transformation and the
  ///   reading of the source. A consumer that is cancelled while it works on a value is noticed
  ///   when it asks for the next one or drops the iterator.
  ///
  /// The source must not throw (`Failure == Never`), and neither can the transformation: one
  /// failed lookup must not end the sequence for the elements to come. Make failures values, for
  /// instance a `Result`, before they enter.
  ///
  /// - Parameter transform: turns an element into a result. It runs in a task of its own that
  ///   inherits the priority and the task-local values of the first `next()`.
  /// - Returns: the results of the elements that were not superseded, in order.
  public func mapLatest<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) async -> Output
  ) -> AsyncLatestSequence<Self, Output> {
    latest { value, emit in
      await emit(transform(value))
    }
  }

  /// Runs a body for each element that may emit any number of values, and gives up on it as soon
  /// as a newer element arrives.
  ///
  /// ```swift
  /// let lists = names.latest { name, emit in
  ///   await emit([])
  ///   for await page in pages(of: name) {
  ///     await emit(page)
  ///   }
  /// }
  /// ```
  ///
  /// The rules of ``mapLatest(_:)`` hold, for values instead of the one result. Beyond them:
  ///
  /// - `emit` waits until the consumer has taken the value, so a body never runs ahead by more
  ///   than one value. It may be called from several tasks at once; values keep their order.
  /// - Once the body is superseded or the consumer is gone, `emit` discards the value and returns
  ///   at once. It throws nothing: the body's task is cancelled, so an endless body has to look at
  ///   `Task.isCancelled`.
  /// - `emit` called from a cancelled task, or after the body returned, discards the value too.
  ///
  /// - Parameter body: receives the element and `emit`. It runs in a task of its own that inherits
  ///   the priority and the task-local values of the first `next()`.
  /// - Returns: what the bodies emitted before they were superseded, in order.
  public func latest<Output: Sendable>(
    _ body:
      @escaping @Sendable (
        _ value: Element, _ emit: @escaping AsyncLatestSequence<Self, Output>.Emit
      ) async -> Void
  ) -> AsyncLatestSequence<Self, Output> {
    AsyncLatestSequence(self, body: body)
  }
}
