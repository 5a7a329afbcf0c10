/// The elements that differ from the one before.
struct DistinctSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Equatable & Sendable, Base.Failure == Never {
  typealias Element = Base.Element
  typealias Failure = Never

  let base: Base

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    var last: Element?

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let element = await base.next(isolation: actor) {
        guard element != last else { continue }
        last = element
        return element
      }
      return nil
    }
  }
}
