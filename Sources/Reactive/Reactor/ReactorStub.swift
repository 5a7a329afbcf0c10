internal import Locking

/// Stands in for what a ``Reactor`` does: takes down actions, shows the states that a test wants shown.
///
/// Made by ``Reactor/stub()``.
public final class ReactorStub<Action: Sendable, State: Sendable>: Sendable {
  private let seen: Current<State?>
  private let sent = Locked<[Action]>([])

  init(seen: Current<State?>) {
    self.seen = seen
  }

  /// What was sent since the reactor is stubbed, in order.
  public var actions: [Action] { sent.withLock { $0 } }

  /// Makes this the reactor's state, for whoever reads or watches it.
  public func show(_ state: State) {
    seen.set(state)
  }

  func record(_ action: Action) {
    sent.withLock { $0.append(action) }
  }
}
