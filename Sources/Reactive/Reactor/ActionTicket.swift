/// The progress of an action sent to a ``Reactor``.
///
/// ```swift
/// await reactor.send(.increase).applied
/// #expect(reactor.currentState.count == 1)
/// ```
///
/// Both waits also end when the waiting task is cancelled, and when the reactor is released, which stops the
/// action.
///
/// With a custom `transform(action:)`, an action counts as applied or finished once this holds for everything that the
/// transform produced before it read the next action. If the transform holds the action back (in a debounce, say), the
/// action counts as finished when it is read; wait for the state instead.
public struct ActionTicket: Sendable {
  let progress: Progress

  /// Waits until all synchronous effects of the action are in the state.
  ///
  /// These are the mutations before the first ``Mutations/run(_:)`` (or sequence) that `mutate` returned,
  /// which has started by then; without one, all mutations. They have passed the transforms of mutations and
  /// states, unless a transform holds them back.
  public var applied: Void {
    get async { await progress.wait(for: .applied) }
  }

  /// Waits until all work of the action has ended, and all its mutations are in the state.
  ///
  /// Work ends by returning, by throwing, by its ``Mutations/until(_:)``, or with the reactor.
  public var finished: Void {
    get async { await progress.wait(for: .finished) }
  }
}
