/// The numbers from 1, made on request, so that the source holds no memory.
struct Numbers: AsyncSequence, Sendable {
  private let last: Int

  init(upTo last: Int) {
    self.last = last
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(last: last)
  }

  struct Iterator: AsyncIteratorProtocol {
    let last: Int
    private var current = 0

    init(last: Int) {
      self.last = last
    }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      guard current < last else { return nil }
      current += 1
      return current
    }
  }
}
