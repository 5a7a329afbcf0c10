/// Converts the states of a ``FeedbackLoop`` to effects, and effects to its events.
///
/// An effect runs in a separate task, which inherits the consumer's priority and task-local values. It sends
/// events with `emit`:
///
/// - `emit` waits until the event is reduced or dropped.
/// - If the effect is canceled or has returned, or if the run is over, `emit` drops the event and returns immediately.
///   It doesn't throw, so an endless effect must check `Task.isCancelled`.
///
/// Effects don't throw either. A failure is an event, which is reduced like any other event and doesn't end the
/// feedback.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  /// Sends an event to the loop, and returns when the event is reduced or dropped.
  public typealias Emit = @Sendable (Event) async -> Void

  typealias Observe = @Sendable (FeedbackLoopRecord<State, Event>) -> Void

  /// Creates the reaction for one run.
  let makeReaction: @Sendable (Observe?) -> Reaction<State, Event>

  /// Runs an effect while the state requests it.
  ///
  /// ```swift
  /// .react(request: \.loadNextPage) { url, emit in await emit(.response(load(url))) }
  /// ```
  ///
  /// A new request starts its effect. An equal request has no effect, even after the first effect has returned. A
  /// different request cancels the running effect and starts its own. nil cancels the effect, and the same request
  /// after nil starts it again.
  ///
  /// - Parameters:
  ///   - request: the request of a state; nil if it doesn't have one.
  ///   - effects: the effects of a request.
  /// - Returns: the feedback.
  @inlinable
  public static func react<Request: Equatable & Sendable>(
    request: @escaping @Sendable (State) -> Request?,
    effects: @escaping @Sendable (_ request: Request, _ emit: @escaping Emit) async -> Void
  ) -> Feedback {
    Feedback(
      request,
      makeComparison: {
        var last = nil as Request?
        return { wanted in
          defer { last = wanted }
          return RequestDifference(from: last, to: wanted)
        }
      },
      makeEffect: { (_: Int, request) in RequestEffect { await effects(request, $0) } })
  }

  /// Runs an effect for each member of a set while the state requests it.
  ///
  /// A new member starts its effect, and a removed member cancels it. The others continue unaffected.
  ///
  /// A step with n requests requires a lookup for each request, and a second one if any was removed. It requires none
  /// for a stored set (`\.openFiles`) that the event didn't change. For thousands of requests that change often, use a
  /// ``RequestSet``.
  ///
  /// - Parameters:
  ///   - requests: the requests of a state.
  ///   - effects: the effects of a request.
  /// - Returns: the feedback.
  @inlinable
  public static func react<Request: Hashable & Sendable>(
    requests: @escaping @Sendable (State) -> Set<Request>,
    effects: @escaping @Sendable (_ request: Request, _ emit: @escaping Emit) async -> Void
  ) -> Feedback {
    Feedback(
      requests,
      makeComparison: {
        var last = [] as Set<Request>
        return { wanted in
          defer { last = wanted }
          return RequestDifference(from: last, to: wanted)
        }
      },
      makeEffect: { (_: Request, request) in RequestEffect { await effects(request, $0) } })
  }

  /// Runs an effect for each member of a set while the state requests it. It examines only the members that an event
  /// inserts or removes.
  ///
  /// - Parameters:
  ///   - requests: the requests of a state.
  ///   - effects: the effects of a request.
  /// - Returns: the feedback.
  public static func react<Request: Hashable & Sendable>(
    requests: @escaping @Sendable (State) -> RequestSet<Request>,
    effects: @escaping @Sendable (_ request: Request, _ emit: @escaping Emit) async -> Void
  ) -> Feedback {
    Feedback(
      requests,
      makeComparison: {
        var reader = RequestSetReader<Request>()
        return { reader.difference(to: $0) }
      },
      makeEffect: { (_: Request, request) in RequestEffect { await effects(request, $0) } })
  }

  /// Runs an effect for each key of a dictionary while the state requests it, and passes changes of the request to the
  /// effect.
  ///
  /// ```swift
  /// .react(requests: \.openFiles) { path, contents, emit in
  ///   for await content in contents { await emit(.saved(path, write(content, to: path))) }
  /// }
  /// ```
  ///
  /// A new key starts its effect, and a removed key cancels it. A changed request is passed to the running effect; it
  /// is dropped if the effect has returned. A step costs as much as with a set.
  ///
  /// - Parameters:
  ///   - requests: the requests of a state.
  ///   - effects: the effects of a key. Its `requests` are the first request, followed by each change, without
  ///     consecutive equal ones. Unread requests are kept; an effect that doesn't need them releases the stream.
  /// - Returns: the feedback.
  @inlinable
  public static func react<Key: Hashable & Sendable, Request: Equatable & Sendable>(
    requests: @escaping @Sendable (State) -> [Key: Request],
    effects:
      @escaping @Sendable (
        _ key: Key, _ requests: AsyncStream<Request>, _ emit: @escaping Emit
      ) async -> Void
  ) -> Feedback {
    Feedback(
      requests,
      makeComparison: {
        var last = [:] as [Key: Request]
        return { wanted in
          defer { last = wanted }
          return RequestDifference(from: last, to: wanted)
        }
      },
      makeEffect: { (key: Key, request) in
        let (stream, changes) = AsyncStream.makeStream(of: Request.self)
        changes.yield(request)
        return RequestEffect(changes: changes) { await effects(key, stream, $0) }
      })
  }

  /// Feeds the events of a sequence into every run.
  ///
  /// The next event is read after the previous one has been reduced. Each run iterates over the source separately,
  /// starting before its initial state is published. An `AsyncStream` supports only one reader, and therefore only one
  /// run.
  ///
  /// - Parameter source: the events.
  /// - Returns: the feedback.
  public static func events<Source: AsyncSequence & Sendable>(_ source: Source) -> Feedback
  where Source.Element == Event, Source.Failure == Never {
    Feedback { _ in
      var isReading = false
      return Reaction(
        cancel: { _, _ in },
        start: { effects in
          if isReading { return }
          isReading = true
          effects.start { [mailbox = effects.mailbox] lease in
            for await event in source {
              await mailbox.perform(event, from: lease)
            }
          }
        })
    }
  }

  /// Connects a user interface: shows it the newest state, and receives its events.
  ///
  /// ```swift
  /// .bind(show: { @MainActor in list.rows = $0.rows }, events: taps.map { .selected($0) })
  /// ```
  ///
  /// The loop doesn't wait for the view. States that follow each other while the view is busy aren't shown, except the
  /// newest, so a slow view is at most one state behind. Only the loop's consumer sees every state.
  ///
  /// - Parameters:
  ///   - show: shows a state. It is called for one state at a time, in order, until the run ends.
  ///   - source: the events, as in ``events(_:)``.
  /// - Returns: the feedback.
  public static func bind<Source: AsyncSequence & Sendable>(
    show: @escaping @Sendable (State) async -> Void, events source: Source
  ) -> Feedback where Source.Element == Event, Source.Failure == Never {
    let feedback = events(source)
    return Feedback { observe in
      let reaction = feedback.makeReaction(observe)
      let shown = Current<State?>(nil)
      var isBound = false
      return Reaction(
        cancel: reaction.cancel,
        start: { effects in
          reaction.start(&effects)
          if isBound { return }
          isBound = true
          effects.start { [states = shown.values] _ in
            for await case let state? in states { await show(state) }
          }
        },
        publish: { shown.set($0) })
    }
  }
}
