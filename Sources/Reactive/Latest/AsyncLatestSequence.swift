internal import ConcurrencyPrimitives

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Transforms each element, and abandons the element as soon as a newer one arrives.
  ///
  /// ```swift
  /// for await issues in names.mapLatest({ await tracker.issues(of: $0) }) {
  ///   show(issues)
  /// }
  /// ```
  ///
  /// - A newer element cancels the running transformation and starts its own at once. A transformation that
  ///   ignores cancellation continues beside the newer one, and its result is dropped.
  /// - A result belongs to the consumer when `next()` returns it. If a newer element arrives before that, a
  ///   ready result is dropped: once a newer element has been read from the source, nothing of an older one
  ///   appears.
  /// - The last element's result is always delivered, even if the source ends before it is ready.
  /// - The source is read as fast as it produces. Neither a transformation nor the consumer slows it down.
  /// - Nothing starts before the first `next()`. Each iterator is a separate run.
  /// - Cancelling the consumer's task, or leaving its loop, cancels the transformation and the reading of the
  ///   source. If the consumer is cancelled while it works on a value, the run ends when the consumer asks
  ///   for the next one or drops the iterator.
  ///
  /// Neither the source nor the transformation may throw: a failed lookup must not end the sequence for later
  /// elements. Make a failure a value first, for instance a `Result`.
  ///
  /// - Parameter transform: turns an element into a result. It runs in a separate task that inherits the
  ///   priority and the task-local values of the first `next()`.
  /// - Returns: the results of the elements that were not superseded, in order.
  public func mapLatest<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) async -> Output
  ) -> AsyncLatestSequence<Self, Output> {
    latest { value, emit in
      await emit(transform(value))
    }
  }

  /// Runs a body that may emit any number of values for each element, and abandons it as soon as a newer
  /// element arrives.
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
  /// The rules of ``mapLatest(_:)`` hold for each value. In addition:
  ///
  /// - `emit` waits until the consumer has taken the value, so a body is never more than one value ahead.
  ///   Several tasks may call it at once; values keep their order.
  /// - When the body is superseded or the consumer is gone, `emit` discards the value and returns at once. It
  ///   throws nothing, but the body's task is cancelled: an endless body has to check `Task.isCancelled`.
  /// - `emit` also discards the value in a cancelled task, and after the body has returned.
  ///
  /// - Parameter body: receives the element and `emit`. It runs in a separate task that inherits the priority
  ///   and the task-local values of the first `next()`.
  /// - Returns: the values that the bodies emitted before they were superseded, in order.
  public func latest<Output: Sendable>(
    _ body:
      @escaping @Sendable (
        _ value: Element, _ emit: @escaping AsyncLatestSequence<Self, Output>.Emit
      ) async -> Void
  ) -> AsyncLatestSequence<Self, Output> {
    AsyncLatestSequence(self, body: body)
  }

  /// Passes on an element when no newer one has arrived for a while.
  ///
  /// ```swift
  /// for await text in texts.debounce(for: .seconds(0.3)).removeDuplicates() {
  ///   search(text)
  /// }
  /// ```
  ///
  /// The rules of ``mapLatest(_:)`` hold: the last element is delivered even if the source ends before its pause is
  /// over, and a consumer that is too slow gets the newest element only.
  ///
  /// - Parameters:
  ///   - pause: the time for which the source must be quiet.
  ///   - clock: measures the pause.
  /// - Returns: the elements that a pause followed, in order.
  public func debounce(
    for pause: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> AsyncLatestSequence<Self, Element> {
    latest { element, emit in
      guard (try? await clock.sleep(for: pause)) != nil else { return }
      await emit(element)
    }
  }
}

/// The values of the body that runs for the newest element of a sequence.
///
/// Made by `mapLatest(_:)` and `latest(_:)` of a sequence that doesn't throw; they document its behavior.
public struct AsyncLatestSequence<Base: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence,
  Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// The elements that the bodies emit.
  public typealias Element = Output

  /// Failures are values here.
  public typealias Failure = Never

  /// Hands a value to the consumer, and returns when it is taken or discarded.
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
    /// Ends the run when the last copy of the iterator is gone: the only sign of a `break`.
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

    /// Waits for the next value on the caller's actor; nil when the source has ended and the last body has
    /// returned, or when the calling task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Output? {
      await lifetime.run.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension AsyncLatestSequence.Iterator: Sendable {}

/// The run and its tasks hold each other; ``cancel()`` or the end of the tasks breaks the cycle.
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
    /// The number of elements that the source has produced; the newest body has this number.
    var elements = 0
    var body: Task<Void, Never>?
    var bodyHasEnded = true
    /// The newest body's unread values, in order. More than one only if several tasks emit.
    var emissions: [Emission] = []
    var lastEmission = 0
    /// Emissions up to this number were taken or dropped: their emitters needn't wait.
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

  /// The consumer takes the value when it actually runs. A wake-up that carried the value could give a consumer on a
  /// busy actor the value of an element superseded meanwhile.
  func next(isolation actor: isolated (any Actor)?) async -> Output? {
    await withTaskCancellationHandler {
      start()
      let emission = await state.take(
        isolation: actor, when: { !$0.emissions.isEmpty || $0.isOver },
        { $0.emissions.isEmpty ? nil : $0.emissions.removeFirst() })
      guard let emission, let emission else {
        // The handler doesn't run if the task leaves before its turn.
        if Task.isCancelled { cancel() }
        return nil
      }
      settle(emission.number)
      return emission.value
    } onCancel: {
      cancel()
    }
  }

  func cancel() {
    drop { state in
      let source = state.source.take()
      state.isCancelled = true
      return source
    }
  }

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
      // Only this task counts elements.
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

  /// Abandons the running body. Its emitters resume last, so that they find themselves cancelled.
  private func drop(_ change: (inout State) -> Task<Void, Never>?) {
    let (body, other, dropped) = state.update { state in
      defer { state.emissions = [] }
      return (state.body.take(), change(&state), state.emissions)
    }
    other?.cancel()
    body?.cancel()
    if let last = dropped.last { settle(last.number) }
  }

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
