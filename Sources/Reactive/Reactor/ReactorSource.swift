internal import Locking

/// What is sent into a transform of a ``Reactor``, for its one reader.
///
/// When the reader asks for the next element, it counts as done with the one before.
final class ReactorSource<Element: Sendable>: AsyncSequence, Sendable {
  private struct Parcel: Sendable {
    let element: Element
    let duty: Duty?
  }

  private let parcels = Watched(Queue<Parcel>())
  private let handedOut = Locked<Duty?>(nil)
  private let onTake: @Sendable (Element) async -> Void

  /// - Parameter onTake: is waited for before the reader gets an element.
  init(onTake: @escaping @Sendable (Element) async -> Void) {
    self.onTake = onTake
  }

  /// The duty of the element that the reader has and is not done with.
  var duty: Duty? { handedOut.withLock { $0 } }

  func send(_ element: Element, _ duty: Duty?) {
    parcels.put(Parcel(element: element, duty: duty))
  }

  /// Takes note that nobody reads any more: what is here or comes is dropped.
  func close() {
    parcels.close()
    settle(nil)
  }

  private func settle(_ next: Duty?) {
    let last = handedOut.withLock { current in
      defer { current = next }
      return current
    }
    last?.progress.reach(.applied)
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(source: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: ReactorSource

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      source.settle(nil)
      guard let parcel = await source.parcels.next(isolation: actor) else { return nil }
      await source.onTake(parcel.element)
      source.settle(parcel.duty)
      return parcel.element
    }
  }
}
