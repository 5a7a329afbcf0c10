/// Turns the states of a ``FeedbackLoop`` into effects, and effects into its events.
///
/// An effect runs in a separate task, which inherits the consumer's priority and task-local values. It sends
/// events with `emit`:
///
/// - `emit` waits until the event is reduced or dropped.
/// - When the effect is cancelled or has returned, or the run is over, `emit` drops the event and returns at
///   once. It throws nothing, so an endless effect has to check `Task.isCancelled`.
///
/// Effects don't throw either. A failure is an event: it is reduced like any other event, and no feedback ends because
/// of it.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  /// Sends an event to the loop, and returns when it is reduced or dropped.
  public typealias Emit = @Sendable (Event) async -> Void

  typealias Observe = @Sendable (FeedbackLoopRecord<State, Event>) -> Void

  /// Makes the reaction for one run.
  let makeReaction: @Sendable (Observe?) -> Reaction<State, Event>

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
  /// A new member starts its effect; a removed one cancels it; the others continue undisturbed.
  ///
  /// A step with n requests takes one look-up for each, and a second one if any has gone. Neither is needed for a
  /// stored set (`\.openFiles`) that the event left alone. For thousands of requests that change often, keep them in
  /// a ``RequestSet``.
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

  /// Runs an effect for each member of a set while the state requests it, and looks only at the members that an event
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

  /// Runs an effect for each key of a dictionary while the state requests it, and passes it the changes of
  /// its request.
  ///
  /// ```swift
  /// .react(requests: \.openFiles) { path, contents, emit in
  ///   for await content in contents { await emit(.saved(path, write(content, to: path))) }
  /// }
  /// ```
  ///
  /// A new key starts its effect; a removed one cancels it. A changed request goes to the running effect, and is
  /// dropped if the effect has returned. A step costs as much as with a set.
  ///
  /// - Parameters:
  ///   - requests: the requests of a state.
  ///   - effects: the effects of a key. Its `requests` are the first request, then each change, never two
  ///     equal ones in a row. Unread requests are kept; an effect that doesn't want them releases the stream.
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
  /// The next event is read when the previous one has been reduced. Each run iterates the source anew,
  /// starting before its initial state is published. An `AsyncStream` has a single reader, so it serves one
  /// run only.
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

  /// Connects a user interface: shows it the newest state, and feeds its events in.
  ///
  /// ```swift
  /// .bind(show: { @MainActor in list.rows = $0.rows }, events: taps.map { .selected($0) })
  /// ```
  ///
  /// The loop doesn't wait for the view. States that follow each other while the view is busy are not shown, except
  /// the newest, so a view that is too slow lags behind by no more than one state. Only the loop's consumer sees
  /// every state.
  ///
  /// - Parameters:
  ///   - show: shows a state. It is called for one state at a time, in order, until the run is over.
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
          effects.start { [states = shown.values.newest] _ in
            for await case let state? in states { await show(state) }
          }
        },
        publish: { shown.set($0) })
    }
  }
}
