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

  private struct Use: Sendable {
    var hasBegun = false
    var stub: ReactorStub<Action, State>?
  }

  /// Nil until there is a first state.
  private let seen = Current<State?>(nil)
  let mailbox = Mailbox<ReactorMessage<Action, Mutation>>()
  private let use = Locked(Use())

  /// Creates an engine that does nothing yet.
  public init() {}

  deinit {
    mailbox.finish()
    shown.finish()
  }

  /// The state as it is shown.
  var shown: Current<State?> { use.withLock { $0.stub }?.shown ?? seen }

  func send(_ action: Action, to owner: Owner) -> ActionTicket {
    start(owner)
    use.withLock { $0.stub }?.record(action)
    // A stub has finished the mailbox: the message is dropped, and the ticket with it.
    return ActionTicket(progress: mailbox.send(.action(action)))
  }

  /// Starts at the first call.
  func start(_ owner: Owner) {
    let isFirst = use.withLock { use in
      defer { use.hasBegun = true }
      return !use.hasBegun
    }
    guard isFirst else { return }
    // Nothing in here holds the reactor, so that its owner alone decides how long it lives.
    Task { [weak owner, mailbox, seen] in
      guard let built = owner.map({ ReactorDrain(of: $0, mailbox, showing: seen) }) else { return }
      var drain = built
      let (actions, mutations, states) = (drain.actions, drain.mutations, drain.states)
      await withDiscardingTaskGroup { readers in
        readers.addTask {
          await actions.read { action, duty in
            await mailbox.perform(.transformedAction(action), for: duty)
          }
        }
        readers.addTask {
          await mutations.read { mutation, duty in
            await mailbox.perform(.transformedMutation(mutation), for: duty)
          }
        }
        readers.addTask { await states.read { state, _ in seen.set(state) } }
        await mailbox.drain { message, duty, effects in
          guard let owner else { return }
          drain.handle(message, duty, &effects, owner)
        }
        readers.cancelAll()
      }
    }
  }

  func stub(for owner: Owner) -> ReactorStub<Action, State> {
    let fresh = ReactorStub<Action, State>(showing: owner.currentState)
    let stub = use.withLock { use in
      let stub = use.stub ?? fresh
      use = Use(hasBegun: true, stub: stub)
      return stub
    }
    mailbox.finish()
    seen.finish()
    return stub
  }
}

/// What goes through the mailbox of a ``Reactor``.
enum ReactorMessage<Action: Sendable, Mutation: Sendable>: Sendable {
  /// An action as it was sent.
  case action(Action)
  /// The transform is about to get an action.
  case taken(Action)
  /// An action as the transform gave it.
  case transformedAction(Action)
  /// A mutation as some work emitted it.
  case mutation(Mutation)
  /// A mutation as the transform gave it.
  case transformedMutation(Mutation)
  /// The running step of an action's work returned or threw.
  case stepEnded(ReactorWorkID, hasFailed: Bool)
  /// Somebody wants to know how many entries all tables have together.
  case count(@Sendable (Int) -> Void)
}

/// Tells the work of one action from that of others.
typealias ReactorWorkID = Int
