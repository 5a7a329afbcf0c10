/// What goes through the mailbox of a ``Reactor``.
enum ReactorMessage<Action: Sendable, Mutation: Sendable>: Sendable {
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
  case stepEnded(ReactorWorkID, hasFailed: Bool)
  /// Somebody wants to know how many entries all tables have together.
  case count(@Sendable (Int) -> Void)
}

/// Tells the work of one action from that of others.
typealias ReactorWorkID = Int

extension Mailbox {
  /// Posts a message that somebody waits for.
  ///
  /// A function of its own, so that nothing but the message holds the duty when it returns.
  func post(
    for parent: Duty? = nil, from lease: EffectLease? = nil, _ message: (Duty) -> Message
  ) -> Progress {
    let duty = Duty(of: parent)
    post(message(duty), from: lease)
    return duty.progress
  }
}
