/// Reads a sequence one element at a time, also from inside an expectation.
final class Reader<Base: AsyncSequence> where Base.Failure == Never {
  private var iterator: Base.AsyncIterator

  init(_ base: Base) {
    iterator = base.makeAsyncIterator()
  }

  func next(isolation actor: isolated (any Actor)? = #isolation) async -> Base.Element? {
    await iterator.next(isolation: actor)
  }
}
