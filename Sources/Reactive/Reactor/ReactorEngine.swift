internal import Locking

/// Where a ``Reactor`` runs.
///
/// A reactor holds one, and nobody else does: when the reactor goes away, so does its engine, and with
/// it everything that runs.
///
/// ```swift
/// let engine = Engine()
/// ```
public final class ReactorEngine<Action: Sendable, Mutation: Sendable, State: Sendable>: Sendable {
  typealias Owner = any Reactor<Action, Mutation, State>

  enum Mode: Sendable {
    case running(ReactorRun<Action, Mutation, State>)
    case stubbed(ReactorStub<Action, State>)
  }

  /// The state as it is shown; nil until there is a first.
  let seen = Current<State?>(nil)
  /// Nil until the first action or the first look at the state.
  private let mode = Locked<Mode?>(nil)

  /// Creates an engine that does nothing yet.
  public init() {}

  deinit {
    if case .running(let run) = mode.withLock({ $0 }) { run.finish() }
    seen.finish()
  }

  /// Starts at the first call.
  func mode(for owner: Owner) -> Mode {
    if let mode = mode.withLock({ $0 }) { return mode }
    let run = ReactorRun<Action, Mutation, State>(seen: seen)
    let (mode, isFirst) = mode.withLock { mode -> (Mode, Bool) in
      if let mode { return (mode, false) }
      mode = .running(run)
      return (.running(run), true)
    }
    if isFirst { run.start(owner) }
    return mode
  }

  func stub(for owner: Owner) -> ReactorStub<Action, State> {
    let fresh = ReactorStub<Action, State>(seen: seen)
    let replaced = mode.withLock { mode in
      let replaced = mode
      if case .stubbed = mode { return replaced }
      mode = .stubbed(fresh)
      return replaced
    }
    switch replaced {
    case .stubbed(let stub): return stub
    case .running(let run): run.finish()
    case nil: seen.set(owner.initialState)
    }
    return fresh
  }
}
