/// Passes each element to all current readers.
///
/// ```swift
/// let taps = Subject<Void>()
/// let loop = FeedbackLoop<Search, Event>(
///   initialState: Search(), reduce: reduce,
///   feedbacks: [
///     .react(request: \.query) { query, emit in
///       for await _ in taps { await emit(.more(of: query)) }
///     }
///   ])
/// taps.send(())
/// ```
///
/// Unlike an `AsyncStream`, it supports any number of readers, both sequential and concurrent, and canceling a reader
/// ends only that reader. So an effect that is canceled and restarted continues to receive the taps.
///
/// - A reader receives every element sent after it began: in order, each exactly once. Elements sent without a reader
///   are lost; a ``Current`` keeps the latest value for later observers.
/// - All readers see the same order, even if several tasks send elements concurrently.
/// - Sending never waits. Each reader's unread elements are kept without limit, so a reader that stops reading should
///   leave.
/// - After ``finish()``, or after this object is released, each reader reads the remaining elements and then ends.
public final class Subject<Element: Sendable>: AsyncSequence, Sendable {
  /// The sequence doesn't fail.
  public typealias Failure = Never

  /// Notifies its observers, and doesn't store a value itself.
  private let current = Current<Element?>(nil)

  /// Creates a subject without readers.
  public init() {}

  package var readerCount: Int { current.watcherCount }

  /// Passes an element to all readers.
  public func send(_ element: Element) {
    current.tell(element)
  }

  /// Ends each reader after it has read the remaining elements. Later readers end immediately.
  public func finish() {
    current.finish()
  }

  /// Starts reading. A reader reads until it is released, or until its task is canceled while it waits.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: current.comingValues.makeAsyncIterator())
  }

  /// One reader, which doesn't keep the subject alive.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Current<Element?>.Values.Iterator

    /// Waits for the next element on the caller's actor. Returns nil when no more elements will come or the task is
    /// canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor) ?? nil
    }
  }
}

@available(*, unavailable)
extension Subject.Iterator: Sendable {}
