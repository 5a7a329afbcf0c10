/// Turns the states of a ``FeedbackLoop`` into effects, and effects into its events.
///
/// An effect runs in a separate task, which inherits the consumer's priority and task-local values. It sends
/// events with `emit`:
///
/// - `emit` waits until the event is reduced or dropped.
/// - When the effect is cancelled or has returned, or the run is over, `emit` drops the event and returns at
///   once. It throws nothing, so an endless effect has to check `Task.isCancelled`.
///
/// Effects don't throw either. A failure is an event: it is reduced like any other answer, and no feedback
/// ends because of it.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  /// Sends an event to the loop, and returns when it is reduced or dropped.
  public typealias Emit = @Sendable (Event) async -> Void

  typealias Observe = @Sendable (FeedbackLoopRecord<State, Event>) -> Void

  /// Cancels the effects that a state no longer requests; the result starts the new ones.
  typealias Reaction = (State, inout Effects<Event>) -> (inout Effects<Event>) -> Void

  /// Makes the reaction for one run.
  let makeReaction: @Sendable (Observe?) -> Reaction
  var show: (@Sendable (State) async -> Void)?

  /// Runs an effect while the state requests it.
  ///
  /// ```swift
  /// .react(request: \.loadNextPage) { url, emit in await emit(.response(load(url))) }
  /// ```
  ///
  /// A new request starts its effect; an equal one changes nothing, even after the effect has returned. A
  /// different request cancels the effect and starts its own. nil cancels it, and the same request after nil
  /// starts it again.
  ///
  /// - Parameters:
  ///   - request: the request of a state, if any.
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

  /// Runs an effect for each member of a set while the state requests it.
  ///
  /// A new member starts its effect; a removed one cancels it; the others go on undisturbed.
  ///
  /// - Parameters:
  ///   - requests: the requests of a state.
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

  /// Runs an effect for each key of a dictionary while the state requests it, and passes it the changes of
  /// its request.
  ///
  /// ```swift
  /// .react(requests: \.openFiles) { path, contents, emit in
  ///   for await content in contents { await emit(.saved(path, write(content, to: path))) }
  /// }
  /// ```
  ///
  /// A new key starts its effect; a removed one cancels it. A changed request goes to the running effect, or
  /// to nobody if the effect has returned.
  ///
  /// - Parameters:
  ///   - requests: the requests of a state.
  ///   - effects: the effects of a key. Its `requests` are the first request, then each change, never two
  ///     equal ones in a row. Unread requests are kept; an effect that doesn't want them releases the stream.
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

  /// Feeds the events of a sequence into every run.
  ///
  /// The next event is read when the previous one has been reduced. Each run iterates the source anew,
  /// starting before its initial state is published. An `AsyncStream` has a single reader, so it serves one
  /// run only.
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
    // No state starts it, so observers needn't know.
    return Feedback { _ in feedback.makeReaction(nil) }
  }

  /// Connects a user interface: shows it every state, and feeds its events in.
  ///
  /// ```swift
  /// .bind(show: { @MainActor in list.rows = $0.rows }, events: taps.map { .selected($0) })
  /// ```
  ///
  /// - Parameters:
  ///   - show: receives each state in order, before the loop's consumer. The loop waits for it, so it must
  ///     not wait for the loop.
  ///   - source: the events, as in ``events(_:)``.
  /// - Returns: the feedback.
  public static func bind<Source: AsyncSequence & Sendable>(
    show: @escaping @Sendable (State) async -> Void, events source: Source
  ) -> Feedback where Source.Element == Event, Source.Failure == Never {
    var feedback = events(source)
    feedback.show = show
    return feedback
  }
}

struct RequestEffect<Event: Sendable, Request: Sendable>: Sendable {
  let run: @Sendable (_ emit: @escaping @Sendable (Event) async -> Void) async -> Void
  /// Where changes of the request go; nil if a changed request takes another effect.
  var changes: AsyncStream<Request>.Continuation?
}

private struct Member<Request> {
  var request: Request
  let lease: EffectLease
  let changes: AsyncStream<Request>.Continuation?
}

extension Feedback {
  /// A member stays while its request does: an equal request doesn't restart a returned effect.
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
