/// States that follow from events, and effects that follow from states.
///
/// ```swift
/// struct Search {
///   var name = ""
///   var issues: [Issue]?
///   var request: String? { issues == nil && !name.isEmpty ? name : nil }
/// }
/// enum Event { case typed(String), found([Issue]) }
///
/// let search = FeedbackLoop<Search, Event>(
///   initialState: Search(),
///   reduce: { state, event in
///     switch event {
///     case .typed(let name): state = Search(name: name)
///     case .found(let issues): state.issues = issues
///     }
///   },
///   feedbacks: [
///     .react(request: \.request) { name, emit in await emit(.found(issues(of: name))) },
///     .events(typedNames.map { .typed($0) }),
///   ])
/// for await state in search { show(state) }
/// ```
///
/// - Nothing happens before the first `next()`. Each iterator is a run of its own: it begins at the
///   initial state, which is the first element, and ends with its iterator or the consumer's task.
/// - Each event is reduced once, in order of arrival, and gives one element, equal to the one before
///   or not. An event that a state causes waits for its turn.
/// - A step is: reduce, cancel the effects that are no longer asked for, start those that are, publish.
///   Who sees a state may rely on its stale effects being cancelled, and nothing that they emitted is
///   reduced any more, even if it was on its way.
/// - **The loop keeps step with its consumer.** An event is reduced when the consumer asks for the
///   next state, on the consumer's actor; there is no task and no buffer in between. So a state is the
///   newest one while it is worked on, every state is seen, and memory is bounded without dropping any:
///   effects and sources of events wait in `emit`. The other side of it: a consumer that works long on
///   a state should do so elsewhere, since nothing is cancelled meanwhile, and it must not wait for
///   something that only a later state brings about.
public struct FeedbackLoop<State: Sendable, Event: Sendable>: AsyncSequence, Sendable {
  /// The states.
  public typealias Element = State

  /// Nothing: a failure is an event.
  public typealias Failure = Never

  /// Changes a state to the one that follows from an event; has no other effect.
  public typealias Reduce = @Sendable (_ state: inout State, _ event: Event) -> Void

  private let initialState: State
  private let reduce: Reduce
  private let feedbacks: [Feedback<State, Event>]
  private var observe: Feedback<State, Event>.Observe?

  /// Creates a loop, and starts nothing.
  ///
  /// - Parameters:
  ///   - initialState: where every run begins.
  ///   - reduce: changes a state to the one that follows from an event.
  ///   - feedbacks: turn states into effects and effects into events.
  public init(
    initialState: State, reduce: @escaping Reduce, feedbacks: [Feedback<State, Event>]
  ) {
    self.initialState = initialState
    self.reduce = reduce
    self.feedbacks = feedbacks
  }

  /// The same loop, whose runs report what happens.
  ///
  /// - Parameter observe: called from inside the steps, and from the task of an effect that has returned.
  /// - Returns: the loop.
  package func observed(
    by observe: @escaping @Sendable (FeedbackLoopRecord<State, Event>) -> Void
  ) -> FeedbackLoop {
    var loop = self
    loop.observe = observe
    return loop
  }

  /// Makes a separate run, which starts with the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      run: FeedbackRun(
        state: initialState, reduce: reduce, feedbacks: feedbacks, observe: observe))
  }

  /// The consumer's end of one run, which ends when the last copy is gone.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let run: FeedbackRun<State, Event>

    /// Waits for the next state, on the caller's actor.
    ///
    /// - Parameter actor: the actor to come back to.
    /// - Returns: nil when the calling task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      await run.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension FeedbackLoop.Iterator: Sendable {}

/// An event in a run of a ``FeedbackLoop``, for observers.
package enum FeedbackLoopRecord<State: Sendable, Event: Sendable>: Sendable {
  /// An event has its turn.
  case event(Event)
  /// A request is no longer asked for: its effect is cancelled if it still runs.
  ///
  /// Reported in either case, so that the reports depend on the states alone.
  case cancelled(any Sendable)
  /// The effect of a request is started.
  case started(any Sendable)
  /// The task of an effect is over, whether it was cancelled before or not.
  case returned
  /// A state is about to be published.
  case state(State)
}

/// One run of a ``FeedbackLoop``, driven by the reader of its states.
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
