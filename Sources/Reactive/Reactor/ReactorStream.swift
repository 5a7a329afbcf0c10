/// What flows through a ``Reactor`` at one of its three transforms: actions, mutations or states.
///
/// ```swift
/// func transform(action: ReactorStream<Action>) -> ReactorStream<Action> {
///   ReactorStream(action.filter { $0 != .ignored })
/// }
/// ```
///
/// A type of its own, so that a transform can't be written in a way that the compiler takes for another
/// function, and be passed by without a word.
public struct ReactorStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Nothing: failures are values here.
  public typealias Failure = Never

  /// Where the stream comes from, if nothing was done to it.
  let source: ReactorSource<Element>?
  private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

  /// Makes a stream of any sequence that doesn't throw.
  public init(_ base: some AsyncSequence<Element, Never> & Sendable) {
    source = nil
    begin = { base.makeAsyncIterator() }
  }

  init(of source: ReactorSource<Element>) {
    self.source = source
    begin = { source.makeAsyncIterator() }
  }

  /// Begins to read. What a transform was given is for one reader.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: begin())
  }

  /// The reader's end.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: any AsyncIteratorProtocol<Element, Never>

    /// Waits for the next element.
    ///
    /// - Parameter actor: the actor to come back to.
    /// - Returns: nil when there will be no more, because the reactor is gone for instance.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension ReactorStream.Iterator: Sendable {}
