/// Turns the states of a ``FeedbackLoop`` into effects, and effects into its events.
///
/// An effect runs in a separate task, which inherits the priority and the task-local values of the consumer,
/// and receives `emit` to send events:
///
/// - `emit` waits until the event was reduced or dropped.
/// - Once the effect is cancelled or has returned, or the run is over, `emit` drops the event and
///   returns at once; so it does in a cancelled task. It throws nothing: an endless effect has to
///   look at `Task.isCancelled`.
///
/// Effects don't throw either. A failure is an event, so that it is reduced like any other answer and
/// no feedback dies of it.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  /// Hands one event to the loop, and returns when it was reduced or dropped.
  public typealias Emit = @Sendable (Event) async -> Void

  typealias Observe = @Sendable (FeedbackLoopRecord<State, Event>) -> Void

  /// Cancels the effects that a state no longer asks for, and gives what starts those it does.
  typealias Reaction = (State, inout Effects<Event>) -> (inout Effects<Event>) -> Void

  /// Makes what the feedback does in one run.
  let makeReaction: @Sendable (Observe?) -> Reaction
  /// Receives every state before the consumer.
  var show: (@Sendable (State) async -> Void)?

  /// Runs an effect while the state asks for it.
  ///
  /// ```swift
  /// .react(request: \.loadNextPage) { url, emit in await emit(.response(load(url))) }
  /// ```
  ///
  /// A request starts its effect, an equal one leaves it alone, also when it has returned. Another
  /// one cancels it and starts its own; nil cancels it, and the same request after nil starts again.
  ///
  /// - Parameters:
  ///   - request: what a state asks for, if anything.
  ///   - effects: the effects of a request.
  /// - Returns: the feedback.
  public static func react<Request: Equatable & Sendable>(
    request: @escaping @Sendable (State) -> Request?,
    effects: @escaping @Sendable (_ request: Request, _ emit: @escaping Emit) async -> Void
  ) -> Feedback {
    Feedback(
      requests: { request($0).map { [0: $0] } ?? [:] },
      makeEffect: { _, request in RequestEffect(run: { await effects(request, $0) }) })
  }

  /// Runs an effect for each member of a set while the state asks for it.
  ///
  /// A member that comes starts its effect, one that goes cancels it; those that stay are not disturbed.
  ///
  /// - Parameters:
  ///   - requests: what a state asks for, in no particular order.
  ///   - effects: the effects of a request.
  /// - Returns: the feedback.
  public static func react<Request: Hashable & Sendable>(
    requests: @escaping @Sendable (State) -> Set<Request>,
    effects: @escaping @Sendable (_ request: Request, _ emit: @escaping Emit) async -> Void
  ) -> Feedback {
    Feedback(
      requests: { Dictionary(uniqueKeysWithValues: requests($0).map { ($0, $0) }) },
      makeEffect: { _, request in RequestEffect(run: { await effects(request, $0) }) })
  }

  /// Runs an effect for each member of a dictionary while the state asks for it, and tells it how its
  /// request changes.
  ///
  /// ```swift
  /// .react(requests: \.openFiles) { path, contents, emit in
  ///   for await content in contents { await emit(.saved(path, write(content, to: path))) }
  /// }
  /// ```
  ///
  /// A key that comes starts its effect, one that goes cancels it. A request that changes under its key
  /// doesn't: the running effect receives it. After the effect has returned nobody does.
  ///
  /// - Parameters:
  ///   - requests: what a state asks for, in no particular order.
  ///   - effects: the effects of a key. `requests` is the one that started it, then every change,
  ///     without equal ones in succession. It keeps those that are not read yet; an effect that doesn't
  ///     want them lets go of it.
  /// - Returns: the feedback.
  public static func react<Key: Hashable & Sendable, Request: Equatable & Sendable>(
    requests: @escaping @Sendable (State) -> [Key: Request],
    effects:
      @escaping @Sendable (
        _ key: Key, _ requests: AsyncStream<Request>, _ emit: @escaping Emit
      ) async -> Void
  ) -> Feedback {
    Feedback(
      requests: requests,
      makeEffect: { key, request in
        let (stream, changes) = AsyncStream.makeStream(of: Request.self)
        changes.yield(request)
        return RequestEffect(run: { await effects(key, stream, $0) }, changes: changes)
      })
  }

  /// Lets the events of a sequence into every run, for as long as the run lasts.
  ///
  /// The next one is read when the one before was reduced. Each run iterates the source again, from
  /// before its initial state is published; an `AsyncStream`, which ends with its first reader, serves
  /// one run only.
  ///
  /// - Parameter source: the events.
  /// - Returns: the feedback.
  public static func events<Source: AsyncSequence & Sendable>(_ source: Source) -> Feedback
  where Source.Element == Event, Source.Failure == Never {
    let feedback = react(
      request: { _ in true },
      effects: { _, emit in
        for await event in source {
          await emit(event)
        }
      })
    // No effect of any state, so nothing to observe.
    return Feedback { _ in feedback.makeReaction(nil) }
  }

  /// Connects a user interface: shows it every state, and lets its events in.
  ///
  /// ```swift
  /// .bind(show: { @MainActor in list.rows = $0.rows }, events: taps.map { .selected($0) })
  /// ```
  ///
  /// - Parameters:
  ///   - show: receives each state in order, before the consumer of the loop does. The loop waits for
  ///     it, so it must not wait for the loop.
  ///   - source: as in ``events(_:)``.
  /// - Returns: the feedback.
  public static func bind<Source: AsyncSequence & Sendable>(
    show: @escaping @Sendable (State) async -> Void, events source: Source
  ) -> Feedback where Source.Element == Event, Source.Failure == Never {
    var feedback = events(source)
    feedback.show = show
    return feedback
  }
}

/// The effect of a request.
struct RequestEffect<Event: Sendable, Request: Sendable>: Sendable {
  let run: @Sendable (_ emit: @escaping @Sendable (Event) async -> Void) async -> Void
  /// Where changes of the request go; nil when another request takes another effect.
  var changes: AsyncStream<Request>.Continuation?
}

/// A request that the states ask for, and its effect.
private struct Member<Request> {
  var request: Request
  let lease: EffectLease
  let changes: AsyncStream<Request>.Continuation?
}

extension Feedback {
  /// A feedback that keeps its effects in step with the requests of the states.
  ///
  /// A member stays as long as its request does, whether its effect has returned or not: an equal request
  /// doesn't start it again.
  init<Key: Hashable & Sendable, Request: Equatable & Sendable>(
    requests: @escaping @Sendable (State) -> [Key: Request],
    makeEffect: @escaping @Sendable (Key, Request) -> RequestEffect<Event, Request>
  ) {
    self.init { observe in
      var members: [Key: Member<Request>] = [:]
      return { state, effects in
        let wanted = requests(state)
        for (key, member) in members where wanted[key] != member.request {
          if let request = wanted[key], let changes = member.changes {
            members[key]?.request = request
            changes.yield(request)
          } else {
            members[key] = nil
            effects.cancel(member.lease)
            member.changes?.finish()
            observe?(.cancelled(member.request))
          }
        }
        return { effects in
          for (key, request) in wanted where members[key] == nil {
            let effect = makeEffect(key, request)
            observe?(.started(request))
            let lease = effects.start { [mailbox = effects.mailbox] lease in
              await effect.run { await mailbox.perform($0, from: lease) }
              observe?(.returned)
            }
            members[key] = Member(request: request, lease: lease, changes: effect.changes)
          }
        }
      }
    }
  }
}
