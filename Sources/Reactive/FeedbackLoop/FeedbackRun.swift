/// One run of a ``FeedbackLoop``, driven by who asks for its states.
///
/// Not `Sendable`: the iterator owns it, and the effects know its mailbox only.
final class FeedbackRun<State: Sendable, Event: Sendable> {
  private var state: State
  private let reduce: FeedbackLoop<State, Event>.Reduce
  private let reactions: [Feedback<State, Event>.Reaction]
  private let shows: [@Sendable (State) async -> Void]
  private let observe: Feedback<State, Event>.Observe?
  private let mailbox: Mailbox<Event>
  private var effects: Effects<Event>
  private var isStarted = false

  init(
    state: State, reduce: @escaping FeedbackLoop<State, Event>.Reduce,
    feedbacks: [Feedback<State, Event>], observe: Feedback<State, Event>.Observe?
  ) {
    self.state = state
    self.reduce = reduce
    self.observe = observe
    reactions = feedbacks.map { $0.makeReaction(observe) }
    shows = feedbacks.compactMap(\.show)
    mailbox = Mailbox()
    effects = Effects(of: mailbox)
  }

  deinit {
    mailbox.finish()
    effects.cancelAll()
  }

  func next(isolation actor: isolated (any Actor)?) async -> State? {
    if isStarted {
      guard
        await mailbox.handleNext(
          &effects,
          { event, _, effects in
            observe?(.event(event))
            reduce(&state, event)
            adjust(&effects)
          })
      else { return nil }
    } else {
      isStarted = true
      guard !Task.isCancelled else {
        mailbox.finish()
        return nil
      }
      adjust(&effects)
    }
    observe?(.state(state))
    for show in shows {
      await show(state)
    }
    return state
  }

  /// Cancels and starts what the state asks for; of all feedbacks first the one, then the other.
  private func adjust(_ effects: inout Effects<Event>) {
    let starts = reactions.map { $0(state, &effects) }
    for start in starts {
      start(&effects)
    }
  }
}
