internal import ConcurrencyPrimitives

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Transforms each element, and gives up on an element as soon as a newer one arrives.
  ///
  /// ```swift
  /// for await issues in names.mapLatest({ await tracker.issues(of: $0) }) {
  ///   show(issues)
  /// }
  /// ```
  ///
  /// - A newer element cancels the transformation of the older one at once and starts its own,
  ///   without waiting for the older to return: a transformation that ignores cancellation runs on
  ///   beside the newer one, and its result is dropped.
  /// - A result belongs to the consumer when `next()` returns it. One that is ready but not yet
  ///   taken when a newer element arrives is dropped, so that nothing of an older element appears
  ///   after the newer has been read from the source.
  /// - The last element's result is always delivered, also when the source ends before it is ready.
  /// - The source is read as fast as it produces, never slowed down by a running transformation
  ///   or by the consumer.
  /// - Nothing starts before the first `next()`. Each iterator is a separate run.
  /// - Cancelling the consumer's task, or leaving its loop, cancels the transformation and the
  ///   reading of the source. A consumer that is cancelled while it works on a value is noticed
  ///   when it asks for the next one or drops the iterator.
  ///
  /// The source must not throw (`Failure == Never`), and neither can the transformation: one
  /// failed lookup must not end the sequence for the elements to come. Make failures values, for
  /// instance a `Result`, before they enter.
  ///
  /// - Parameter transform: turns an element into a result. It runs in a task of its own that
  ///   inherits the priority and the task-local values of the first `next()`.
  /// - Returns: the results of the elements that were not superseded, in order.
  public func mapLatest<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) async -> Output
  ) -> AsyncLatestSequence<Self, Output> {
    latest { value, emit in
      await emit(transform(value))
    }
  }

  /// Runs a body for each element that may emit any number of values, and gives up on it as soon
  /// as a newer element arrives.
  ///
  /// ```swift
  /// let lists = names.latest { name, emit in
  ///   await emit([])
  ///   for await page in pages(of: name) {
  ///     await emit(page)
  ///   }
  /// }
  /// ```
  ///
  /// The rules of ``mapLatest(_:)`` hold, for values instead of the one result. Beyond them:
  ///
  /// - `emit` waits until the consumer has taken the value, so a body never runs ahead by more
  ///   than one value. It may be called from several tasks at once; values keep their order.
  /// - Once the body is superseded or the consumer is gone, `emit` discards the value and returns
  ///   at once. It throws nothing: the body's task is cancelled, so an endless body has to look at
  ///   `Task.isCancelled`.
  /// - `emit` called from a cancelled task, or after the body returned, discards the value too.
  ///
  /// - Parameter body: receives the element and `emit`. It runs in a task of its own that inherits
  ///   the priority and the task-local values of the first `next()`.
  /// - Returns: what the bodies emitted before they were superseded, in order.
  public func latest<Output: Sendable>(
    _ body:
      @escaping @Sendable (
        _ value: Element, _ emit: @escaping AsyncLatestSequence<Self, Output>.Emit
      ) async -> Void
  ) -> AsyncLatestSequence<Self, Output> {
    AsyncLatestSequence(self, body: body)
  }
}

/// The values of the body that runs for the newest element of a sequence.
///
/// Made by `mapLatest(_:)` and `latest(_:)` of a sequence that does not throw, which say how it
/// behaves.
public struct AsyncLatestSequence<Base: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence,
  Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// The elements that the bodies emit.
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

  /// Makes a separate run, which starts with the first `next()`.
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

/// One run of an ``AsyncLatestSequence``.
///
/// The tasks of the run hold this object, and this object holds the tasks so that it can cancel
/// them. ``cancel()`` or the end of the tasks undoes the circle; the iterator calls the former when
/// it goes away.
final class LatestRun<Base: AsyncSequence & Sendable, Output: Sendable>: Sendable
where Base.Element: Sendable, Base.Failure == Never {
  typealias Body = AsyncLatestSequence<Base, Output>.Body

  private struct Emission: Sendable {
    let number: Int
    let value: Output
  }

  private struct State: Sendable {
    var hasBegun = false
    var isCancelled = false
    var source: Task<Void, Never>?
    var sourceHasEnded = false
    /// How many elements the source has produced. The body of the newest has this number.
    var elements = 0
    /// The body of the newest element, if it hasn't returned.
    var body: Task<Void, Never>?
    var bodyHasEnded = true
    /// The elements that the newest body has emitted and the consumer hasn't read, in order.
    ///
    /// One at most, unless a body emits from several tasks at once.
    var emissions: [Emission] = []
    var lastEmission = 0
    /// All emissions up to this one have been taken or dropped: their emitters needn't wait.
    var settled = 0

    var isOver: Bool { isCancelled || sourceHasEnded && bodyHasEnded && emissions.isEmpty }
  }

  private let base: Base
  private let body: Body
  private let state = Watched(State())

  init(base: Base, body: @escaping Body) {
    self.base = base
    self.body = body
  }

  /// Waits for the next value of the newest body.
  ///
  /// The consumer takes the value when it really runs. Handing it over with the wake-up would let a
  /// consumer whose actor is busy receive the value of an element that was superseded while it waited
  /// for its turn.
  func next(isolation actor: isolated (any Actor)?) async -> Output? {
    await withTaskCancellationHandler {
      start()
      let emission = await state.take(
        isolation: actor, when: { !$0.emissions.isEmpty || $0.isOver },
        { $0.emissions.isEmpty ? nil : $0.emissions.removeFirst() })
      guard let emission, let emission else {
        // The handler isn't run if the task leaves before its turn.
        if Task.isCancelled { cancel() }
        return nil
      }
      settle(emission.number)
      return emission.value
    } onCancel: {
      cancel()
    }
  }

  /// Ends the run: cancels the source and the body, and resumes all waiters.
  func cancel() {
    drop { state in
      let source = state.source.take()
      state.isCancelled = true
      return source
    }
  }

  /// Starts to read the source, at the first call.
  private func start() {
    let isFirst = state.update { state in
      defer { state.hasBegun = true }
      return !state.hasBegun && !state.isCancelled
    }
    guard isFirst else { return }
    let source = Task { await readSource() }
    let isCancelled = state.update { state in
      if !state.isCancelled && !state.sourceHasEnded { state.source = source }
      return state.isCancelled
    }
    if isCancelled { source.cancel() }
  }

  private func readSource() async {
    for await element in base {
      drop { state in
        state.elements += 1
        state.bodyHasEnded = false
        return nil
      }
      // Nobody else counts elements.
      let (number, isOver) = state.read { ($0.elements, $0.isCancelled) }
      if isOver { return }
      let task = Task { await runBody(number, on: element) }
      let isCancelled = state.update { state in
        if !state.isCancelled && !state.bodyHasEnded { state.body = task }
        return state.isCancelled
      }
      if isCancelled { task.cancel() }
    }
    state.update { state in
      state.sourceHasEnded = true
      state.source = nil
    }
  }

  /// Gives up on the running body and what it emitted.
  ///
  /// Before anything else the consumer gets no more of it, and its emitters are let go last, so that
  /// they find themselves cancelled.
  ///
  /// - Parameter change: what happens to the state at the same moment; returns what else to cancel.
  private func drop(_ change: (inout State) -> Task<Void, Never>?) {
    let (body, other, dropped) = state.update { state in
      defer { state.emissions = [] }
      return (state.body.take(), change(&state), state.emissions)
    }
    other?.cancel()
    body?.cancel()
    if let last = dropped.last { settle(last.number) }
  }

  /// Lets the emitters go of all up to this one.
  private func settle(_ emission: Int) {
    state.update { $0.settled = max($0.settled, emission) }
  }

  private func runBody(_ number: Int, on element: Base.Element) async {
    await body(element) { await self.emit($0, by: number) }
    _ = state.update { state -> Task<Void, Never>? in
      guard state.elements == number else { return nil }
      state.bodyHasEnded = true
      return state.body.take()
    }
  }

  private func emit(_ value: Output, by body: Int) async {
    let number = state.update { state -> Int? in
      guard !state.isCancelled, state.elements == body, !state.bodyHasEnded, !Task.isCancelled
      else { return nil }
      state.lastEmission += 1
      state.emissions.append(Emission(number: state.lastEmission, value: value))
      return state.lastEmission
    }
    guard let number else { return }
    await state.wait { $0.settled >= number }
    guard Task.isCancelled else { return }
    // It may have been neither taken nor dropped.
    _ = state.update { state in
      state.emissions.firstIndex { $0.number == number }.map { state.emissions.remove(at: $0) }
    }
  }
}
