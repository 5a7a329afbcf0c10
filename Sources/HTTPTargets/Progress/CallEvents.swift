/// What happens to a call.
public enum CallEvent: Sendable {
  /// A body has come further on its way.
  case progress(TransferProgress)
  /// The answer is there; nothing follows.
  case completed(Response)
}

/// The progress of a call, and then its answer: see ``Provider/events(_:)``.
public struct CallEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = CallEvent
  /// Why the call failed.
  public typealias Failure = NetworkError

  typealias Call =
    @Sendable (@escaping TransferProgress.Observer) async throws(NetworkError) -> Response

  private let call: Call

  init(_ call: @escaping Call) {
    self.call = call
  }

  /// Makes a call of its own, which starts with the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(CallEventsRun(call))
  }

  /// The reader's end of a call.
  public struct Iterator: AsyncIteratorProtocol {
    /// Cancels the call when the last copy of the iterator is gone: that is all a `break` leaves to see.
    private final class Lifetime: Sendable {
      let run: CallEventsRun

      init(_ run: CallEventsRun) {
        self.run = run
      }

      deinit { run.cancel() }
    }

    private let lifetime: Lifetime

    init(_ run: CallEventsRun) {
      lifetime = Lifetime(run)
    }

    /// Waits for the next event; nil after the answer.
    ///
    /// - Throws: ``NetworkError``, once, when the call fails; with code `cancelled` when the task is
    ///   cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> CallEvent? {
      try await lifetime.run.next()
    }
  }
}
