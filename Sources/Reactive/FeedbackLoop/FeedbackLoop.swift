/// States that follow from events, with effects that follow from states.
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
/// - Nothing happens before the first `next()`. Each iterator is a separate run. It begins with the initial
///   state as its first element, and ends with its iterator or the consumer's task.
/// - Each event is reduced once, in order of arrival, and gives one element, even if equal to the previous
///   one. An event that a state causes waits for its turn.
/// - A step is: reduce, cancel the effects that are no longer requested, start the new ones, publish. When a
///   state is published, its stale effects are cancelled, and nothing they emitted will be reduced, even if
///   it was on its way.
/// - **The loop keeps step with its consumer.** An event is reduced when the consumer asks for the next
///   state, on the consumer's actor, with no task and no buffer in between. So the consumer always works on
///   the newest state and sees every state; memory is bounded without dropping any, because effects and
///   sources of events wait in `emit`. In return, a consumer should do long work elsewhere, since nothing is
///   cancelled meanwhile, and must not wait for anything that only a later state brings about.
/// - A view that may be slow gets the newest state by ``Feedback/bind(show:events:)``, or by `shareLatest().newest`
///   if several views share the loop.
public struct FeedbackLoop<State: Sendable, Event: Sendable>: AsyncSequence, Sendable {
  /// The states.
  public typealias Element = State

  /// A failure is an event.
  public typealias Failure = Never

  /// Changes a state to the one that follows from an event. It must have no side effects.
  public typealias Reduce = @Sendable (_ state: inout State, _ event: Event) -> Void

  private let initialState: State
  private let reduce: Reduce
  private let feedbacks: [Feedback<State, Event>]
  private var observe: Feedback<State, Event>.Observe?

  /// Creates a loop without starting it.
  ///
  /// - Parameters:
  ///   - initialState: the first state of every run.
  ///   - reduce: changes a state to the one that follows from an event.
  ///   - feedbacks: turn states into effects, and effects into events.
  public init(
    initialState: State, reduce: @escaping Reduce, feedbacks: [Feedback<State, Event>]
  ) {
    self.initialState = initialState
    self.reduce = reduce
    self.feedbacks = feedbacks
  }

  /// `observe` is called inside the steps, and by the task of an effect that has returned.
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

    /// Waits for the next state on the caller's actor; nil when the calling task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      await run.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension FeedbackLoop.Iterator: Sendable {}

/// A report from a run of a ``FeedbackLoop``.
package enum FeedbackLoopRecord<State: Sendable, Event: Sendable>: Sendable {
  case event(Event)
  /// Reported even if the effect has returned, so that reports depend on the states alone.
  case cancelled(any Sendable)
  case started(any Sendable)
  case returned
  case state(State)
}

/// One run of a ``FeedbackLoop``, driven by the reader of its states.
///
/// Not `Sendable`: the iterator owns it, and effects only know its mailbox.
final class FeedbackRun<State: Sendable, Event: Sendable> {
  private var state: State
  private let reduce: FeedbackLoop<State, Event>.Reduce
  private let reactions: [Reaction<State, Event>]
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
    return state
  }

  private func adjust(_ effects: inout Effects<Event>) {
    for reaction in reactions { reaction.cancel(state, &effects) }
    for reaction in reactions { reaction.start(&effects) }
    for reaction in reactions { reaction.publish?(state) }
  }
}
