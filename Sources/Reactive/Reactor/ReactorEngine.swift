internal import ConcurrencyPrimitives

/// The engine that runs a ``Reactor``.
///
/// Only the reactor retains it. When the reactor is released, its engine is released too, and all its work ends.
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

  private let seen = Current<State?>(nil)
  let mailbox = Mailbox<ReactorMessage<Action, Mutation>>()
  private let use = Locked(Use())

  /// Creates an idle engine.
  public init() {}

  deinit {
    mailbox.finish()
    shown.finish()
  }

  var shown: Current<State?> { use.withLock { $0.stub }?.shown ?? seen }

  func send(_ action: Action, to owner: Owner) -> ActionTicket {
    start(owner)
    use.withLock { $0.stub }?.record(action)
    // The mailbox of a stubbed reactor is finished, so it drops the message and the ticket.
    return ActionTicket(progress: mailbox.send(.action(action)))
  }

  func start(_ owner: Owner) {
    let isFirst = use.withLock { use in
      defer { use.hasBegun = true }
      return !use.hasBegun
    }
    guard isFirst else { return }
    // The task doesn't retain the reactor, so that only the owner of the reactor determines its lifetime.
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

enum ReactorMessage<Action: Sendable, Mutation: Sendable>: Sendable {
  case action(Action)
  /// The transform is about to read an action.
  case taken(Action)
  case transformedAction(Action)
  case mutation(Mutation)
  case transformedMutation(Mutation)
  case stepEnded(ReactorWorkID, hasFailed: Bool)
  /// Requests the number of entries in all tables, for tests.
  case count(@Sendable (Int) -> Void)
}

typealias ReactorWorkID = Int
