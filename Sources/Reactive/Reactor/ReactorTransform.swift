internal import Locking

/// One of the three places where a reactor may transform what flows through it.
struct ReactorTransform<Element: Sendable>: Sendable {
  private let source: ReactorSource<Element>
  private let output: ReactorStream<Element>

  /// Whether the transform gave back what it got: then nothing needs to take the detour.
  var isDirect: Bool { output.source === source }

  /// Calls the transform; `onTake` is waited for each time before an element goes in.
  init(
    _ transform: (ReactorStream<Element>) -> ReactorStream<Element>,
    onTake: @escaping @Sendable (Element) async -> Void = { _ in }
  ) {
    source = ReactorSource(onTake: onTake)
    output = transform(ReactorStream(of: source))
  }

  /// Sends an element in.
  func send(_ element: Element, _ duty: Duty?) {
    source.send(element, duty)
  }

  /// Reads what comes out, until it ends.
  ///
  /// - Parameter handle: gets an element and the duty of what went in last. The next is asked for when
  ///   it returns.
  func read(_ handle: (Element, Duty?) async -> Void) async {
    guard !isDirect else { return }
    for await element in output {
      await handle(element, source.duty)
    }
    source.close()
  }
}

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
