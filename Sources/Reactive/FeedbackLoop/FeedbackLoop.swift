/// A sequence of states that result from events, with effects that result from states.
///
/// ```swift
/// nonisolated struct Search {
///   var name = ""
///   var issues: [Issue]?
///   var request: String? { issues == nil && !name.isEmpty ? name : nil }
/// }
/// nonisolated enum Event { case typed(String), found([Issue]) }
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
/// - Nothing happens before the first `next()`. Each iterator is a separate run, which begins with the initial state as
///   its first element, and ends with its iterator or the consumer's task.
/// - Each event is reduced once, in order of arrival, and results in one element, even if that equals the previous one.
///   An event that a state causes waits for its turn.
/// - A step consists of these actions: reduce the event, cancel the effects that are no longer requested, start the new
///   ones, and publish the state. When a state is published, its stale effects are canceled, and events from them
///   aren't reduced, even if they were already sent.
/// - **The loop keeps pace with its consumer.** An event is reduced when the consumer requests the next state, on the
///   consumer's actor, without a task or a buffer in between. So the consumer always processes the newest state and
///   sees every state. Memory is bounded without dropping states, because effects and sources of events wait in `emit`.
///   On the other hand, effects aren't canceled while the consumer is busy, so it should do long work elsewhere. It
///   must not wait for anything that requires a later state.
/// - A slow view receives the newest state with ``Feedback/bind(show:events:)``, or with `shareLatest()` if several
///   views share the loop.
/// - In a module whose default isolation is the main actor, declare the types of the state, the events and the requests
///   `nonisolated`, because the loop and its effects use them anywhere.
public struct FeedbackLoop<State: Sendable, Event: Sendable>: AsyncSequence, Sendable {
  /// The states.
  public typealias Element = State

  /// The sequence doesn't fail; failures are events.
  public typealias Failure = Never

  /// Changes a state according to an event. It must not have side effects.
  public typealias Reduce = @Sendable (_ state: inout State, _ event: Event) -> Void

  private let initialState: State
  private let reduce: Reduce
  private let feedbacks: [Feedback<State, Event>]
  private var observe: Feedback<State, Event>.Observe?

  /// Creates a loop without starting it.
  ///
  /// - Parameters:
  ///   - initialState: the first state of every run.
  ///   - reduce: changes a state according to an event.
  ///   - feedbacks: convert states to effects, and effects to events.
  public init(
    initialState: State, reduce: @escaping Reduce, feedbacks: [Feedback<State, Event>]
  ) {
    self.initialState = initialState
    self.reduce = reduce
    self.feedbacks = feedbacks
  }

  /// `observe` is called within the steps, and by the task of an effect that has returned.
  package func observed(
    by observe: @escaping @Sendable (FeedbackLoopRecord<State, Event>) -> Void
  ) -> FeedbackLoop {
    var loop = self
    loop.observe = observe
    return loop
  }

  /// Creates a separate run, which starts with the first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      run: FeedbackRun(
        state: initialState, reduce: reduce, feedbacks: feedbacks, observe: observe))
  }

  /// The consumer's end of one run, which ends when the last copy of the iterator is released.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let run: FeedbackRun<State, Event>

    /// Waits for the next state on the caller's actor; nil when the calling task is canceled.
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
  /// Reported even if the effect has returned, so that reports depend only on the states.
  case cancelled(any Sendable)
  case started(any Sendable)
  case returned
  case state(State)
}

/// One run of a ``FeedbackLoop``, driven by the reader of its states.
///
/// Not `Sendable`, because the iterator owns it. Effects only know its mailbox.
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
