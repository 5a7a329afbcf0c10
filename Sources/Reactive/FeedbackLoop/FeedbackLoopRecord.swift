/// What happens in a run of a ``FeedbackLoop``, for who observes it.
package enum FeedbackLoopRecord<State: Sendable, Event: Sendable>: Sendable {
  /// An event has its turn.
  case event(Event)
  /// A request is no longer asked for: its effect is cancelled if it still runs.
  ///
  /// Told in either case, so that what is told follows from the states alone.
  case cancelled(any Sendable)
  /// The effect of a request is started.
  case started(any Sendable)
  /// The task of an effect is over, whether it was cancelled before or not.
  case returned
  /// A state is about to be published.
  case state(State)
}
