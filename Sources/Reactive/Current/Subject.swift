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
/// Unlike an `AsyncStream`, it has any number of readers, one after the other or at once, and a reader that is
/// cancelled ends nothing but itself. So an effect that is cancelled and restarted continues to receive the taps.
///
/// - A reader gets every element sent after it began: in order, each exactly once. Elements without a reader are lost;
///   a ``Current`` keeps the latest for later observers.
/// - All readers see the same order, even if several tasks send at once.
/// - Sending never waits. Each reader's unread elements are kept without limit, so a reader that stops reading
///   should leave.
/// - After ``finish()``, or after this object is released, each reader reads the elements that are left and then
///   ends.
public final class Subject<Element: Sendable>: AsyncSequence, Sendable {
  /// Elements never fail.
  public typealias Failure = Never

  /// Notifies its observers, and holds no value itself.
  private let current = Current<Element?>(nil)

  /// Creates a subject without readers.
  public init() {}

  package var readerCount: Int { current.watcherCount }

  /// Passes an element to all readers.
  public func send(_ element: Element) {
    current.tell(element)
  }

  /// Ends each reader once it has read the remaining elements, and later readers at once.
  public func finish() {
    current.finish()
  }

  /// Starts reading. A reader reads until it is released, or until its task is cancelled while waiting.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: current.comingValues.makeAsyncIterator())
  }

  /// One reader, which doesn't keep the subject alive.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Current<Element?>.Values.Iterator

    /// Waits for the next element on the caller's actor; nil when no more will come or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor) ?? nil
    }
  }
}

@available(*, unavailable)
extension Subject.Iterator: Sendable {}
