extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Drops elements that are equal to the previous one.
  public func removeDuplicates() -> AsyncRemoveDuplicatesSequence<Self> where Element: Equatable {
    AsyncRemoveDuplicatesSequence(base: self, areEqual: ==)
  }
}

/// The elements of a sequence that differ from the previous one.
///
/// Created by `removeDuplicates()` of a sequence that doesn't throw.
public struct AsyncRemoveDuplicatesSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// The elements of the base.
  public typealias Element = Base.Element

  /// The sequence doesn't fail; failures are values.
  public typealias Failure = Never

  let base: Base
  let areEqual: @Sendable (Element, Element) -> Bool

  /// Creates an iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), areEqual: areEqual)
  }

  /// An iterator that remembers the previous element.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate let areEqual: @Sendable (Element, Element) -> Bool
    fileprivate var last: Element?

    /// Waits for the next different element on the caller's actor; nil when the base ends.
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
