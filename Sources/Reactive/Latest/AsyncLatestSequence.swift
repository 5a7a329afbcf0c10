/// The values of the body that runs for the newest element of a sequence.
///
/// Made by `mapLatest(_:)` and `latest(_:)` of a sequence that does not throw, which say how it
/// behaves.
public struct AsyncLatestSequence<Base: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence,
  Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// What the bodies emit.
  public typealias Element = Output

  /// Nothing: failures are values here.
  public typealias Failure = Never

  /// Hands one value to the consumer, and returns when it was taken or discarded.
  public typealias Emit = @Sendable (Output) async -> Void

  typealias Body = @Sendable (Base.Element, @escaping Emit) async -> Void

  private let base: Base
  private let body: Body

  init(_ base: Base, body: @escaping Body) {
    self.base = base
    self.body = body
  }

  /// Makes a run of its own, which starts at the first call of `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(LatestRun(base: base, body: body))
  }

  /// The consumer's end of one run.
  public struct Iterator: AsyncIteratorProtocol {
    /// Ends the run when the last copy of the iterator is gone: that is all a `break` leaves to see.
    private final class Lifetime: Sendable {
      let run: LatestRun<Base, Output>

      init(_ run: LatestRun<Base, Output>) {
        self.run = run
      }

      deinit {
        run.cancel()
      }
    }

    private let lifetime: Lifetime

    init(_ run: LatestRun<Base, Output>) {
      lifetime = Lifetime(run)
    }

    /// Waits for the next value, on the caller's actor.
    ///
    /// - Parameter actor: the actor to come back to.
    /// - Returns: nil when the source has ended and the last body has returned, or when the calling
    ///   task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Output? {
      await lifetime.run.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension AsyncLatestSequence.Iterator: Sendable {}
