internal import Locking

/// What flows into a transform of a ``Reactor``: its actions, its mutations or its states.
///
/// It is for one reader: make one sequence of it, with any operators. When the reader asks for the next
/// element, it counts as done with the one before.
public final class ReactorSource<Element: Sendable>: AsyncSequence, Sendable {
  /// Nothing: failures are values here.
  public typealias Failure = Never

  fileprivate struct Parcel: Sendable {
    let element: Element
    let duty: Duty?
  }

  private let stream: AsyncStream<Parcel>
  private let input: AsyncStream<Parcel>.Continuation
  private let handedOut = Locked<Duty?>(nil)

  init() {
    (stream, input) = AsyncStream.makeStream()
  }

  /// The duty of the element that the reader has and is not done with.
  var duty: Duty? { handedOut.withLock { $0 } }

  func send(_ element: Element, _ duty: Duty?) {
    input.yield(Parcel(element: element, duty: duty))
  }

  /// Takes note that nobody reads any more: what is here or comes is dropped.
  func close() async {
    input.finish()
    for await _ in stream {}
    settle(nil)
  }

  private func settle(_ next: Duty?) {
    let last = handedOut.withLock { current in
      defer { current = next }
      return current
    }
    last?.progress.reach(.applied)
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: self, base: stream.makeAsyncIterator())
  }

  /// The reader's end.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: ReactorSource
    fileprivate var base: AsyncStream<Parcel>.Iterator

    /// Waits for the next element.
    ///
    /// - Parameter actor: the actor to come back to.
    /// - Returns: nil when the reactor is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      source.settle(nil)
      guard let parcel = await base.next(isolation: actor) else { return nil }
      source.settle(parcel.duty)
      return parcel.element
    }
  }
}

@available(*, unavailable)
extension ReactorSource.Iterator: Sendable {}
