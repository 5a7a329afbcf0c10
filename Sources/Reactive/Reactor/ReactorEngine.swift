internal import ConcurrencyPrimitives

/// The engine that runs a ``Reactor``.
///
/// Only the reactor holds it: when the reactor is released, so is its engine, and everything that runs ends.
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

  /// Nil until there is a state.
  private let seen = Current<State?>(nil)
  let mailbox = Mailbox<ReactorMessage<Action, Mutation>>()
  private let use = Locked(Use())

  /// Creates an idle engine.
  public init() {}

  deinit {
    mailbox.finish()
    shown.finish()
  }

  /// The visible state.
  var shown: Current<State?> { use.withLock { $0.stub }?.shown ?? seen }

  func send(_ action: Action, to owner: Owner) -> ActionTicket {
    start(owner)
    use.withLock { $0.stub }?.record(action)
    // If the reactor is stubbed, its mailbox has finished: the message is dropped, and the ticket with it.
    return ActionTicket(progress: mailbox.send(.action(action)))
  }

  /// Starts at the first call.
  func start(_ owner: Owner) {
    let isFirst = use.withLock { use in
      defer { use.hasBegun = true }
      return !use.hasBegun
    }
    guard isFirst else { return }
    // Nothing here holds the reactor, so that only its owner decides how long it lives.
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

/// A message in the mailbox of a ``Reactor``.
enum ReactorMessage<Action: Sendable, Mutation: Sendable>: Sendable {
  /// An action as it was sent.
  case action(Action)
  /// The transform is about to get an action.
  case taken(Action)
  /// An action as the transform returned it.
  case transformedAction(Action)
  /// A mutation as some work emitted it.
  case mutation(Mutation)
  /// A mutation as the transform returned it.
  case transformedMutation(Mutation)
  /// The running step of an action's work returned or threw.
  case stepEnded(ReactorWorkID, hasFailed: Bool)
  /// A request for the number of entries in all tables.
  case count(@Sendable (Int) -> Void)
}

/// The identity of an action's work.
typealias ReactorWorkID = Int
