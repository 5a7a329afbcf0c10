internal import ConcurrencyPrimitives

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Passes on the first element immediately, and then the newest element at the end of each interval.
  ///
  /// ```swift
  /// for await text in texts.throttleLatest(for: .seconds(0.3)).removeDuplicates() {
  ///   search(text)
  /// }
  /// ```
  ///
  /// - An interval begins when an element passes. An element that arrives during an interval is held, and replaces the
  ///   previously held one. At the end of the interval, the held element passes and begins another interval. If no
  ///   element is held, the next one passes immediately.
  /// - An element that is held when the source ends still passes at the end of its interval, before the sequence ends.
  ///   If no element is held, the sequence ends with the source.
  /// - The source is read as fast as it produces elements. A consumer that is busy for longer than an interval receives
  ///   the newest of the elements that passed in the meantime.
  /// - Nothing starts before the first `next()`. Each iterator is a separate run.
  /// - Canceling the consumer's task, or leaving its loop, cancels the reading of the source.
  ///
  /// - Parameters:
  ///   - interval: the minimum time between two elements.
  ///   - clock: measures the interval.
  /// - Returns: the elements that passed, in order.
  public func throttleLatest(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<Element, Never> & Sendable {
    AsyncThrottleLatestSequence(base: self, interval: interval, clock: clock)
  }
}

/// The first element of a sequence immediately, and then the newest at the end of each interval.
struct AsyncThrottleLatestSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  typealias Element = Base.Element
  typealias Failure = Never

  private typealias Machine = ThrottleStateMachine<Element>

  let base: Base
  let interval: Duration
  let clock: any Clock<Duration>

  func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

  /// The consumer's end of one run.
  struct Iterator: AsyncIteratorProtocol {
    private let sequence: AsyncThrottleLatestSequence
    private var passed: AsyncStream<Element>.Iterator?

    init(sequence: AsyncThrottleLatestSequence) {
      self.sequence = sequence
    }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      var passed = self.passed ?? sequence.run().makeAsyncIterator()
      defer { self.passed = passed }
      return await passed.next(isolation: actor)
    }
  }

  private func run() -> AsyncStream<Element> {
    let (passed, output) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1))
    let machine = Locked(Machine())
    let reader = Task {
      await withDiscardingTaskGroup { group in
        for await element in base {
          guard machine.withLock({ $0.arrived(element) }).passes else { continue }
          let end = clock.deadline(in: interval)
          output.yield(element)
          group.addTask { await runIntervals(until: end, machine, output) }
        }
        if !machine.withLock({ $0.sourceEnded() }) { group.cancelAll() }
      }
      output.finish()
    }
    output.onTermination = { _ in reader.cancel() }
    return passed
  }

  /// Waits for the end of an interval and of each interval that immediately follows.
  ///
  /// The reader passes elements only while no interval is running, so their order is preserved.
  private func runIntervals(
    until firstEnd: @escaping Deadline, _ machine: Locked<Machine>,
    _ output: AsyncStream<Element>.Continuation
  ) async {
    var (end, goesOn) = (firstEnd, true)
    while goesOn, (try? await end()) != nil {
      let (element, beginsInterval) = machine.withLock { $0.intervalEnded() }
      end = clock.deadline(in: interval)
      goesOn = beginsInterval
      if let element { output.yield(element) }
    }
  }
}

@available(*, unavailable)
extension AsyncThrottleLatestSequence.Iterator: Sendable {}

/// Decides which elements pass. The state is *open* (the next element passes immediately) or *in an interval*.
///
/// A replaced element is returned, so that it isn't released while the driver holds its lock.
struct ThrottleStateMachine<Element: Sendable>: Sendable {
  private var isInInterval = false
  private var held: Element?
  private var sourceHasEnded = false

  /// - Returns: whether the element passes and begins an interval; otherwise the element it replaces, if any.
  mutating func arrived(_ element: Element) -> (passes: Bool, replaced: Element?) {
    guard isInInterval else {
      isInInterval = true
      return (true, nil)
    }
    defer { held = element }
    return (false, held)
  }

  /// - Returns: the element that passes, if any, and whether it begins another interval.
  mutating func intervalEnded() -> (passes: Element?, beginsInterval: Bool) {
    defer { held = nil }
    isInInterval = held != nil
    return (held, isInInterval && !sourceHasEnded)
  }

  /// - Returns: whether to wait for the end of the interval, because an element is held.
  mutating func sourceEnded() -> Bool {
    sourceHasEnded = true
    return held != nil
  }
}

extension Clock<Duration> {
  /// Returns a closure, because the instants of `any Clock<Duration>` don't have a type in which they could be stored.
  ///
  /// A longer duration counts as a hundred years: adding the longest one to an instant would trap.
  func deadline(in duration: Duration) -> Deadline {
    let end = now.advanced(by: min(duration, .seconds(100 * 365 * 86_400)))
    return { try await sleep(until: end, tolerance: nil) }
  }
}

/// Sleeps until a certain time, or returns immediately if it is in the past. Throws when the task is canceled.
typealias Deadline = @Sendable () async throws -> Void
