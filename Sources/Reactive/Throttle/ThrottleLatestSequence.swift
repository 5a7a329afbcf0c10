internal import Locking

/// The first element at once, and then the newest at the end of each interval.
///
/// A stream that buffers the newest element does most of it: it hands an element to a consumer that
/// waits, replaces what nobody has taken, and keeps the last beyond the end of the source.
struct ThrottleLatestSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  typealias Element = Base.Element
  typealias Failure = Never

  let base: Base
  let interval: Duration
  let clock: any Clock<Duration>

  func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

  /// An element, and how many there were up to it.
  private struct Arrival: Sendable {
    let number: Int
    let element: Element
  }

  /// One reading of the source, until the stream's iterator is dropped.
  private struct Run {
    var arrivals: AsyncStream<Arrival>.Iterator
    /// The newest, although the stream may have handed out an older one.
    let newest = Locked<Arrival?>(nil)

    init(reading base: Base) {
      let (stream, input) = AsyncStream.makeStream(
        of: Arrival.self, bufferingPolicy: .bufferingNewest(1))
      arrivals = stream.makeAsyncIterator()
      let reader = Task { [newest] in
        var number = 0
        for await element in base {
          number += 1
          let arrival = Arrival(number: number, element: element)
          // The older one leaves, so that its last reference doesn't go away under the lock.
          _ = newest.withLock { newest in
            defer { newest = arrival }
            return newest
          }
          input.yield(arrival)
        }
        input.finish()
      }
      input.onTermination = { _ in reader.cancel() }
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    let sequence: ThrottleLatestSequence
    private var run: Run?
    private var delivered = 0
    private var intervalEnd: Deadline?

    init(sequence: ThrottleLatestSequence) {
      self.sequence = sequence
    }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      var run = self.run ?? Run(reading: sequence.base)
      defer { self.run = run }
      while var arrival = await run.arrivals.next(isolation: actor) {
        // The stream still has what was taken as the newest before.
        guard arrival.number > delivered else { continue }
        if let intervalEnd {
          guard let hasWaited = try? await intervalEnd.wait() else { break }
          // Else it arrived between two intervals, and is the first.
          if hasWaited, let newest = run.newest.withLock({ $0 }) { arrival = newest }
        }
        delivered = arrival.number
        intervalEnd = sequence.clock.deadline(in: sequence.interval)
        return arrival.element
      }
      return nil
    }
  }
}
