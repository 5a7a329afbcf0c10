/// What runs behind a ``Reactor`` from its first action to its end: the mailbox and its drain.
///
/// Everything here holds the reactor weakly, so that its owner alone decides how long it lives.
final class ReactorRun<Action: Sendable, Mutation: Sendable, State: Sendable>: Sendable {
  typealias Owner = any Reactor<Action, Mutation, State>

  enum Message: Sendable {
    /// An action as it was sent.
    case action(Action, Duty)
    /// The transform is about to get an action.
    case taken(Action)
    /// An action as the transform gave it.
    case transformedAction(Action, Duty)
    /// A mutation as some work emitted it.
    case mutation(Mutation, Duty)
    /// A mutation as the transform gave it.
    case transformedMutation(Mutation, Duty)
    /// The running step of an action's work returned or threw.
    case stepEnded(ReactorDrain<Action, Mutation, State>.WorkID, hasFailed: Bool)
    /// Somebody wants to know how many entries all tables have together.
    case count(@Sendable (Int) -> Void)
  }

  private let mailbox = Mailbox<Message>()
  /// Nil until the first state is known.
  private let seen: Current<State?>

  init(seen: Current<State?>) {
    self.seen = seen
  }

  func start(_ owner: Owner) {
    Task { [weak owner] in
      guard let setup = owner.map({ ReactorDrain(of: $0, seen: seen, run: self) }) else { return }
      var drain = setup
      let (actions, mutations, states) = (drain.actions, drain.mutations, drain.states)
      await withDiscardingTaskGroup { readers in
        readers.addTask {
          await actions.read { action, duty in
            await self.carryOut(for: duty) { .transformedAction(action, $0) }
          }
        }
        readers.addTask {
          await mutations.read { mutation, duty in
            await self.carryOut(for: duty) { .transformedMutation(mutation, $0) }
          }
        }
        readers.addTask { [seen] in await states.read { state, _ in seen.set(state) } }
        await mailbox.drain { message, effects in
          guard let owner else { return }
          drain.handle(message, &effects, owner)
        }
        readers.cancelAll()
      }
    }
  }

  /// Ends everything, at once.
  func finish() {
    mailbox.finish()
  }

  func send(_ action: Action) -> ActionTicket {
    ActionTicket(progress: post { .action(action, $0) })
  }

  func countEntries(_ answer: @escaping @Sendable (Int) -> Void) {
    mailbox.post(.count(answer))
  }

  /// Returns when the drain knows that the transform is about to get an action.
  func take(_ action: Action) async {
    await mailbox.perform(.taken(action))
  }

  /// One step of an action's work, under its own lease.
  func perform(
    _ step: (EffectLease) async throws -> Void, _ lease: EffectLease,
    of work: ReactorDrain<Action, Mutation, State>.WorkID
  ) async {
    var hasFailed = false
    do {
      try await step(lease)
    } catch {
      hasFailed = true
    }
    mailbox.post(.stepEnded(work, hasFailed: hasFailed), from: lease)
  }

  func emit(_ mutation: Mutation, from lease: EffectLease) async {
    await carryOut(from: lease) { .mutation(mutation, $0) }
  }

  /// Posts, and returns when it was applied or dropped.
  private func carryOut(
    for parent: Duty? = nil, from lease: EffectLease? = nil, _ message: (Duty) -> Message
  ) async {
    await post(for: parent, from: lease, message).wait(for: .applied)
  }

  /// A function of its own, so that nothing but the message holds the duty when it returns.
  private func post(
    for parent: Duty? = nil, from lease: EffectLease? = nil, _ message: (Duty) -> Message
  ) -> Progress {
    let duty = Duty(of: parent)
    mailbox.post(message(duty), from: lease)
    return duty.progress
  }
}
