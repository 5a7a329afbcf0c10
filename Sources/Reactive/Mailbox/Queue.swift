internal import Locking

/// What waits for its turn, in order of arrival, until the queue is closed.
struct Queue<Element: Sendable>: Sendable {
  private var arrived: [Element] = []
  /// What arrived earlier, turned round: the next one is the last.
  private var due: [Element] = []
  private(set) var isClosed = false

  fileprivate var isEmpty: Bool { arrived.isEmpty && due.isEmpty }

  fileprivate mutating func append(_ element: Element) {
    if !isClosed { arrived.append(element) }
  }

  fileprivate mutating func popFirst() -> Element? {
    if due.isEmpty {
      swap(&due, &arrived)
      due.reverse()
    }
    return due.popLast()
  }

  /// - Returns: all that was there, to be let go of outside the lock.
  fileprivate mutating func close() -> Queue {
    defer {
      self = Queue()
      isClosed = true
    }
    return self
  }
}

/// A queue that one task reads and any may write to.
///
/// Not an `AsyncStream`, because one that has finished keeps what it holds until somebody reads it, and
/// who waits for such an element would wait for as long.
extension Watched {
  /// Puts an element at the end. A closed queue refuses it.
  func put<Element>(_ element: Element) where State == Queue<Element> {
    update { $0.append(element) }
  }

  /// Waits for the next element; nil when the queue is closed, or the calling task is cancelled.
  func next<Element>(isolation: isolated (any Actor)?) async -> Element?
  where State == Queue<Element> {
    await take(isolation: isolation, when: { $0.isClosed || !$0.isEmpty }, { $0.popFirst() }) ?? nil
  }

  /// Drops what is queued and whatever comes, and lets the reader go.
  func close<Element>() where State == Queue<Element> {
    _ = update { $0.close() }
  }
}
