internal import ConcurrencyPrimitives

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Passes on the first element at once, then the newest at the end of each interval.
  ///
  /// ```swift
  /// for await text in texts.throttleLatest(for: .seconds(0.3)).removeDuplicates() {
  ///   search(text)
  /// }
  /// ```
  ///
  /// - An interval begins when an element passes. An element that arrives meanwhile is held, and replaces the
  ///   one held before. At the end of the interval the held element passes and begins another interval; if
  ///   none is held, the next element passes at once.
  /// - An element held when the source ends still passes at the end of its interval, before the sequence
  ///   ends. If none is held, the sequence ends with the source.
  /// - The source is read as fast as it produces. A consumer that is busy for longer than an interval gets
  ///   the newest of the elements that passed meanwhile.
  /// - Nothing starts before the first `next()`. Each iterator is a separate run.
  /// - Cancelling the consumer's task, or leaving its loop, cancels the reading of the source.
  ///
  /// - Parameters:
  ///   - interval: the minimum time between two elements.
  ///   - clock: measures the interval.
  /// - Returns: the elements that passed, in order.
  public func throttleLatest(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> AsyncThrottleLatestSequence<Self> {
    AsyncThrottleLatestSequence(base: self, interval: interval, clock: clock)
  }
}

/// The first element of a sequence at once, then the newest at the end of each interval.
///
/// Made by `throttleLatest(for:clock:)` of a sequence that doesn't throw, which documents its behavior.
public struct AsyncThrottleLatestSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// The elements of the base.
  public typealias Element = Base.Element

  /// Failures are values here.
  public typealias Failure = Never

  private typealias Machine = ThrottleStateMachine<Element>

  let base: Base
  let interval: Duration
  let clock: any Clock<Duration>

  /// Makes a separate run, which starts with the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

  /// The consumer's end of one run.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: AsyncThrottleLatestSequence
    private var passed: AsyncStream<Element>.Iterator?

    init(sequence: AsyncThrottleLatestSequence) {
      self.sequence = sequence
    }

    /// Waits for the next element that passes, on the caller's actor; nil after the last, and when the
    /// calling task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
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

  /// Waits for the end of an interval and of each that follows directly.
  ///
  /// The reader passes elements only while none is under way, so the order is kept.
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

/// Decides which elements pass. It is *open* (the next one passes at once) or *in an interval*.
///
/// A replaced element is returned, so that it isn't released under the driver's lock.
struct ThrottleStateMachine<Element: Sendable>: Sendable {
  private var isInInterval = false
  private var held: Element?
  private var sourceHasEnded = false

  /// - Returns: whether the element passes and begins an interval; else the element it replaces, if any.
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
  /// A closure, because the instants of `any Clock<Duration>` have no type to keep them by.
  func deadline(in duration: Duration) -> Deadline {
    let end = now.advanced(by: duration)
    return { try await sleep(until: end, tolerance: nil) }
  }
}

/// Sleeps until a moment, not at all if it is past; throws when the task is cancelled.
typealias Deadline = @Sendable () async throws -> Void
