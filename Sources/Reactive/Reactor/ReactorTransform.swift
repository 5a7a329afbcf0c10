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
