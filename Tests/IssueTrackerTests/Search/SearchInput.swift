import TestSupport

/// Typed texts or pulls; a test can wait until one was taken.
final class SearchInput<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never

  private let stream: AsyncStream<Element>
  private let input: AsyncStream<Element>.Continuation
  private let sent = Watched(0)
  private let asked = Watched(0)
  private let hasEnded = Watched(false)

  init() {
    (stream, input) = AsyncStream.makeStream()
    input.onTermination = { [hasEnded] _ in hasEnded.update { $0 = true } }
  }

  func send(_ element: Element) {
    sent.update { $0 += 1 }
    input.yield(element)
  }

  /// Waits until the last reader has left.
  func end() async throws {
    try await hasEnded.value { $0 ? () : nil }
  }

  func finish() {
    input.finish()
  }

  /// Waits until the reader is done with all that was sent: it asks for more.
  func allTaken() async throws {
    let count = sent.current
    try await asked.value { $0 > count ? () : nil }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(asked: asked, base: stream.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    let asked: Watched<Int>
    var base: AsyncStream<Element>.Iterator

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      asked.update { $0 += 1 }
      return await base.next(isolation: actor)
    }
  }
}

extension SearchInput<Void> {
  func send() { send(()) }
}
