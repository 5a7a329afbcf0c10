internal import ConcurrencyPrimitives

struct ReactorTransform<Element: Sendable>: Sendable {
  private let source: ReactorSource<Element>
  private let output: ReactorStream<Element>

  /// Whether the transform returned its input, so that elements can bypass it.
  var isDirect: Bool { output.source === source }

  init(
    _ transform: (ReactorStream<Element>) -> ReactorStream<Element>,
    onTake: @escaping @Sendable (Element) async -> Void = { _ in }
  ) {
    source = ReactorSource(onTake: onTake)
    output = transform(ReactorStream(of: source))
  }

  func send(_ element: Element, _ duty: Duty?) {
    source.send(element, duty)
  }

  /// Reads the output until it ends. `handle` receives each element with the duty of the latest input.
  func read(_ handle: (Element, Duty?) async -> Void) async {
    guard !isDirect else { return }
    for await element in output {
      await handle(element, source.duty)
    }
    source.close()
  }
}

/// The input of a transform. Its single reader is done with an element when it requests the next one.
final class ReactorSource<Element: Sendable>: AsyncSequence, Sendable {
  private struct Parcel: Sendable {
    let element: Element
    let duty: Duty?
  }

  private let parcels = Watched(Queue<Parcel>())
  private let handedOut = Locked<Duty?>(nil)
  private let onTake: @Sendable (Element) async -> Void

  init(onTake: @escaping @Sendable (Element) async -> Void) {
    self.onTake = onTake
  }

  var duty: Duty? { handedOut.withLock { $0 } }

  func send(_ element: Element, _ duty: Duty?) {
    parcels.put(Parcel(element: element, duty: duty))
  }

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
