extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Drops elements that are equal to the previous one.
  public func removeDuplicates() -> some AsyncSequence<Element, Never> & Sendable
  where Element: Equatable {
    AsyncRemoveDuplicatesSequence(base: self, areEqual: ==)
  }
}

/// The elements of a sequence that differ from the previous one.
struct AsyncRemoveDuplicatesSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  typealias Element = Base.Element
  typealias Failure = Never

  let base: Base
  let areEqual: @Sendable (Element, Element) -> Bool

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), areEqual: areEqual)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate let areEqual: @Sendable (Element, Element) -> Bool
    fileprivate var last: Element?

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
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
