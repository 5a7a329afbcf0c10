import ConcurrencyPrimitives

/// A source that counts its iterators.
struct CountingSource: AsyncSequence, Sendable {
  private let elements: [Int]
  private let counter = Locked(0)

  init(elements: [Int]) {
    self.elements = elements
  }

  var runs: Int { counter.withLock { $0 } }

  func makeAsyncIterator() -> Iterator {
    counter.withLock { $0 += 1 }
    return Iterator(rest: elements[...])
  }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<Int>

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      rest.popFirst()
    }
  }
}
