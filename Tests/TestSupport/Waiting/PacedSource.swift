/// A source that sends each element once its reader is done with the one before.
///
/// A reader takes elements of an `AsyncStream` some time later, but a test that moves a clock must know when.
public final class PacedSource<Element: Sendable>: AsyncSequence, Sendable {
  /// The source never fails.
  public typealias Failure = Never

  private struct State: Sendable {
    var sent: [Element] = []
    var isFinished = false
    /// How many elements the reader has asked for.
    var asked = 0
  }

  private let state = Watched(State())

  /// Creates a source.
  public init() {}

  /// Sends an element to the one reader, and returns when the reader asks for another.
  public func send(_ element: Element) async {
    let count = state.update { state in
      state.sent.append(element)
      return state.sent.count
    }
    _ = try? await state.value { $0.asked > count ? () : nil }
  }

  /// Ends the source after the elements already sent.
  public func finish() {
    state.update { $0.isFinished = true }
  }

  /// Makes the only iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: self)
  }

  /// The reader's end of the source.
  public struct Iterator: AsyncIteratorProtocol {
    let source: PacedSource

    /// Waits for the next element; nil at the end, or if the task is cancelled.
    public func next(isolation actor: isolated (any Actor)?) async -> Element? {
      let index = source.state.update { state in
        state.asked += 1
        return state.asked - 1
      }
      let next = try? await source.state.value { state -> Element?? in
        if index < state.sent.count { return .some(state.sent[index]) }
        return state.isFinished ? .some(nil) : nil
      }
      return next ?? nil
    }
  }
}
