internal import ConcurrencyPrimitives

/// One of the three transforms of a reactor.
struct ReactorTransform<Element: Sendable>: Sendable {
  private let source: ReactorSource<Element>
  private let output: ReactorStream<Element>

  /// Whether the transform returned its input, so that elements can bypass it.
  var isDirect: Bool { output.source === source }

  /// Calls the transform. `onTake` runs before each element goes in.
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
  /// - Parameter handle: Receives an element and the duty of the last input. The next element is read after it
  ///   returns.
  func read(_ handle: (Element, Duty?) async -> Void) async {
    guard !isDirect else { return }
    for await element in output {
      await handle(element, source.duty)
    }
    source.close()
  }
}

/// The input of a transform of a ``Reactor``, for its single reader.
///
/// When the reader asks for the next element, it is done with the one before.
final class ReactorSource<Element: Sendable>: AsyncSequence, Sendable {
  private struct Parcel: Sendable {
    let element: Element
    let duty: Duty?
  }

  private let parcels = Watched(Queue<Parcel>())
  private let handedOut = Locked<Duty?>(nil)
  private let onTake: @Sendable (Element) async -> Void

  /// - Parameter onTake: Runs before the reader gets an element.
  init(onTake: @escaping @Sendable (Element) async -> Void) {
    self.onTake = onTake
  }

  /// The duty of the element that the reader is working on.
  var duty: Duty? { handedOut.withLock { $0 } }

  func send(_ element: Element, _ duty: Duty?) {
    parcels.put(Parcel(element: element, duty: duty))
  }

  /// Closes the input: present and later elements are dropped.
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
