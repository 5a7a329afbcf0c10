/// The progress of an action sent to a ``Reactor``.
///
/// ```swift
/// await reactor.send(.increase).applied
/// #expect(reactor.currentState.count == 1)
/// ```
///
/// Both waits also end when the waiting task is canceled, and when the reactor is released, which stops the action.
///
/// With a custom `transform(action:)`, an action counts as applied or finished once this is true for everything that
/// the transform produced before it read the next action. If the transform delays the action (for example with a
/// debounce), the action counts as finished when it is read. In that case, wait for the state instead.
public struct ActionTicket: Sendable {
  let progress: Progress

  /// Waits until the state contains all synchronous effects of the action.
  ///
  /// These are the mutations before the first ``Mutations/run(_:)`` (or sequence) that `mutate` returned, which has
  /// then started. Without asynchronous work, they are all mutations. They have passed the transforms of mutations and
  /// states, unless a transform delays them.
  public var applied: Void {
    get async { await progress.wait(for: .applied) }
  }

  /// Waits until all work of the action has ended, and the state contains all its mutations.
  ///
  /// Work ends when it returns, when it throws, with its ``Mutations/until(_:)``, or with the reactor.
  public var finished: Void {
    get async { await progress.wait(for: .finished) }
  }
}
