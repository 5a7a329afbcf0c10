/// Tells how far an action that was sent to a ``Reactor`` has come.
///
/// ```swift
/// await reactor.send(.increase).applied
/// #expect(reactor.currentState.count == 1)
/// ```
///
/// Both waits also end when the waiting task is cancelled, and when the reactor is dropped: then the
/// action comes no further.
///
/// Behind a `transform(action:)` of the reactor's own, an action has come as far as what the transform
/// made of it before it asked for the next action. One that is held back (by a debounce, say) counts as
/// finished when it is taken; wait for the state instead.
public struct ActionTicket: Sendable {
  let progress: Progress

  /// Waits until the action was taken and all that it does without waiting is in the state.
  ///
  /// That is every mutation up to the first ``Mutations/run(_:)`` (or sequence) of what `mutate`
  /// returned, which has been started; every mutation, if there is none. With transforms of mutations
  /// or states: these too have passed them, as far as the transforms pass on without holding back.
  public var applied: Void {
    get async { await progress.wait(for: .applied) }
  }

  /// Waits until all the work of the action has ended, and all its mutations are in the state.
  ///
  /// Work ends by returning, by throwing, by its ``Mutations/until(_:)``, or with the reactor.
  public var finished: Void {
    get async { await progress.wait(for: .finished) }
  }
}
