/// One of the three places where a reactor may transform what flows through it.
struct ReactorTransform<Element: Sendable>: Sendable {
  typealias Output = any AsyncSequence<Element, Never> & Sendable

  private let source = ReactorSource<Element>()
  /// Nil if the transform gave back what it got: then nothing needs to take the detour.
  private let output: Output?

  init(_ transform: (ReactorSource<Element>) -> Output) {
    let output = transform(source)
    self.output = output as? ReactorSource<Element> === source ? nil : output
  }

  /// Whether the transform gave back what it got, and is passed by.
  var isDirect: Bool { output == nil }

  /// Sends an element in.
  func send(_ element: Element, _ duty: Duty?) {
    source.send(element, duty)
  }

  /// Reads what comes out, until it ends.
  ///
  /// - Parameter handle: gets an element and the duty of what went in last. The next is asked for when
  ///   it returns.
  func read(_ handle: (Element, Duty?) async -> Void) async {
    guard let output else { return }
    for await element in output {
      await handle(element, source.duty)
    }
    await source.close()
  }
}
