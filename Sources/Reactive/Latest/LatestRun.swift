internal import Locking

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
    /// What the newest body has emitted and the consumer has not taken, in order.
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

  /// Ends the run: cancels the source and the body, and lets everybody go who waits.
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
