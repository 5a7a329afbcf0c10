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
