extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Leaves out the elements that are equal to the one before.
  ///
  /// - Returns: the elements that differ from the one before, in order.
  public func removeDuplicates() -> AsyncRemoveDuplicatesSequence<Self> where Element: Equatable {
    AsyncRemoveDuplicatesSequence(base: self, areEqual: ==)
  }
}

/// The elements of a sequence that differ from the one before.
///
/// Made by `removeDuplicates()` of a sequence that does not throw.
public struct AsyncRemoveDuplicatesSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// The elements of the base.
  public typealias Element = Base.Element

  /// Nothing: failures are values here.
  public typealias Failure = Never

  let base: Base
  let areEqual: @Sendable (Element, Element) -> Bool

  /// Makes an iterator over one of the base.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), areEqual: areEqual)
  }

  /// An iterator that knows the element before.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate let areEqual: @Sendable (Element, Element) -> Bool
    fileprivate var last: Element?

    /// Waits for the next element that differs, on the caller's actor; nil when the base ends.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let element = await base.next(isolation: actor) {
        if let last, areEqual(last, element) { continue }
        last = element
        return element
      }
      return nil
    }
  }
}

@available(*, unavailable)
extension AsyncRemoveDuplicatesSequence.Iterator: Sendable {}
