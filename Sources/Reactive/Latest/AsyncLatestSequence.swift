internal import ConcurrencyPrimitives

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Transforms each element, and abandons it as soon as a newer element arrives.
  ///
  /// ```swift
  /// for await issues in names.mapLatest({ await tracker.issues(of: $0) }) {
  ///   show(issues)
  /// }
  /// ```
  ///
  /// - A newer element cancels the running transformation and starts its own immediately. A transformation that ignores
  ///   cancellation continues in parallel, and its result is dropped.
  /// - The consumer owns a result when `next()` returns it. If a newer element arrives before that, a result that is
  ///   ready is dropped: after a newer element has been read from the source, results of older elements never appear.
  /// - The last element's result is always delivered, even if the source ends before it is ready.
  /// - The source is read as fast as it produces elements. Neither a transformation nor the consumer slows it down.
  /// - Nothing starts before the first `next()`. Each iterator is a separate run.
  /// - Canceling the consumer's task, or leaving its loop, cancels the transformation and the reading of the source.
  ///   If the consumer is canceled while it processes a value, the run ends when the consumer requests the next value
  ///   or releases the iterator.
  ///
  /// Neither the source nor the transformation may throw, because a failed lookup must not end the sequence for later
  /// elements. Convert failures to values first, for example to a `Result`.
  ///
  /// - Parameter transform: converts an element to a result. It runs in a separate task that inherits the priority and
  ///   the task-local values of the first `next()`.
  /// - Returns: the results of the elements that weren't superseded, in order.
  public func mapLatest<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) async -> Output
  ) -> some AsyncSequence<Output, Never> & Sendable {
    latest { value, emit in
      await emit(transform(value))
    }
  }

  /// Runs a body for each element, which may emit any number of values. The body is abandoned as soon as a newer
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
  /// The rules of ``mapLatest(_:)`` apply to each value. In addition:
  ///
  /// - `emit` waits until the consumer has received the value, so a body is never more than one value ahead. Several
  ///   tasks may call it concurrently; values keep their order.
  /// - When the body is superseded or the consumer is gone, `emit` discards the value and returns immediately. It
  ///   doesn't throw, but the body's task is canceled, so an endless body must check `Task.isCancelled`.
  /// - `emit` also discards the value in a canceled task, and after the body has returned.
  ///
  /// - Parameter body: receives the element and `emit`. It runs in a separate task that inherits the priority
  ///   and the task-local values of the first `next()`.
  /// - Returns: the values that the bodies emitted before they were superseded, in order.
  public func latest<Output: Sendable>(
    _ body:
      @escaping @Sendable (
        _ value: Element, _ emit: @escaping @Sendable (Output) async -> Void
      ) async -> Void
  ) -> some AsyncSequence<Output, Never> & Sendable {
    AsyncLatestSequence(self, body: body)
  }

  /// Passes on an element when no newer element has arrived for a while.
  ///
  /// ```swift
  /// for await text in texts.debounce(for: .seconds(0.3)).removeDuplicates() {
  ///   search(text)
  /// }
  /// ```
  ///
  /// The rules of ``mapLatest(_:)`` apply: the last element is delivered even if the source ends before its pause is
  /// over, and a consumer that is too slow receives only the newest element.
  ///
  /// - Parameters:
  ///   - pause: the time for which the source must be quiet.
  ///   - clock: measures the pause.
  /// - Returns: the elements that were followed by a pause, in order.
  public func debounce(
    for pause: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<Element, Never> & Sendable {
    latest { element, emit in
      guard (try? await clock.deadline(in: pause)()) != nil else { return }
      await emit(element)
    }
  }
}

/// The values of the body that runs for the newest element of a sequence.
struct AsyncLatestSequence<Base: AsyncSequence & Sendable, Output: Sendable>: AsyncSequence,
  Sendable
where Base.Element: Sendable, Base.Failure == Never {
  typealias Element = Output
  typealias Failure = Never

  /// Passes a value to the consumer, and returns when the value is received or discarded.
  typealias Emit = @Sendable (Output) async -> Void

  typealias Body = @Sendable (Base.Element, @escaping Emit) async -> Void

  private let base: Base
  private let body: Body

  init(_ base: Base, body: @escaping Body) {
    self.base = base
    self.body = body
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(LatestRun(base: base, body: body))
  }

  /// The consumer's end of one run.
  struct Iterator: AsyncIteratorProtocol {
    /// Ends the run when the last copy of the iterator is released, which is the only indication of a `break`.
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

    mutating func next(isolation actor: isolated (any Actor)?) async -> Output? {
      await lifetime.run.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension AsyncLatestSequence.Iterator: Sendable {}

/// The run and its tasks retain each other; ``cancel()`` or the end of the tasks breaks the cycle.
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
    /// The number of elements from the source, which is also the number of the newest body.
    var elements = 0
    var body: Task<Void, Never>?
    var bodyHasEnded = true
    /// The newest body's unread values, in order. There can be more than one only if several tasks emit.
    var emissions: [Emission] = []
    var lastEmission = 0
    /// Emissions up to this number were received or dropped, so their emitters don't have to wait.
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

  /// The consumer takes the value when it actually runs. If the wake-up contained the value, a consumer on a busy actor
  /// could receive the value of an element that was superseded in the meantime.
  func next(isolation actor: isolated (any Actor)?) async -> Output? {
    await withTaskCancellationHandler {
      start()
      let emission = await state.take(
        isolation: actor, when: { !$0.emissions.isEmpty || $0.isOver },
        { $0.emissions.isEmpty ? nil : $0.emissions.removeFirst() })
      guard let emission, let emission else {
        // The handler doesn't run if the task returns before its turn.
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
      return !state.hasBegun
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
    var source = base.makeAsyncIterator()
    var isCancelled = false
    while let element = await source.next(isolation: nil) {
      // Only `next()` in a canceled task ends a source that its owner keeps, such as an `AsyncStream`.
      if isCancelled { return }
      isCancelled = Task.isCancelled
      drop { state in
        state.elements += 1
        state.bodyHasEnded = false
        return nil
      }
      // Only this task changes the number of elements.
      let (number, isOver) = state.read { ($0.elements, $0.isCancelled) }
      if isOver { continue }
      let task = Task { await runBody(number, on: element) }
      let isTooLate = state.update { state in
        if !state.isCancelled && !state.bodyHasEnded { state.body = task }
        return state.isCancelled
      }
      if isTooLate { task.cancel() }
    }
    state.update { state in
      state.sourceHasEnded = true
      state.source = nil
    }
  }

  /// Abandons the running body. Its emitters resume last, so that their task is already canceled.
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
    // The value may have been neither received nor dropped.
    _ = state.update { state in
      state.emissions.firstIndex { $0.number == number }.map { state.emissions.remove(at: $0) }
    }
  }
}
