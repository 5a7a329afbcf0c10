internal import Locking

/// The first element of a sequence at once, and then the newest at the end of each interval.
///
/// Made by `throttleLatest(for:clock:)` of a sequence that does not throw, which says how it behaves.
public struct AsyncThrottleLatestSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// What the base has.
  public typealias Element = Base.Element

  /// Nothing: failures are values here.
  public typealias Failure = Never

  private typealias Machine = ThrottleStateMachine<Element>

  let base: Base
  let interval: Duration
  let clock: any Clock<Duration>

  /// Makes a run of its own, which starts at the first call of `next()`.
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

    /// Waits for the next element that is let through, on the caller's actor; nil after the last, and
    /// when the calling task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      var passed = self.passed ?? sequence.run().makeAsyncIterator()
      defer { self.passed = passed }
      return await passed.next(isolation: actor)
    }
  }

  /// Reads the source until the stream that is returned is dropped.
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
  /// Only while none is under way does the reader let an element through, so the order is kept.
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
