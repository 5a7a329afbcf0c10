/// The difference between the requests of a state and those of the previous state.
///
/// It is inlinable, so that it is compiled for the caller's types: a step with many requests spends almost all its time
/// here.
@usableFromInline
struct RequestDifference<Key: Hashable & Sendable, Request: Equatable & Sendable>: Sendable {
  @usableFromInline var gone: [(key: Key, request: Request)] = []
  @usableFromInline var come: [(key: Key, request: Request)] = []
  @usableFromInline var changed: [(key: Key, request: Request)] = []

  @inlinable
  init() {}

  /// The difference, in which a changed request counts as a different one. Here and below, nil if the requests haven't
  /// changed.
  @inlinable
  init?(from old: Request?, to new: Request?) where Key == Int {
    guard old != new else { return nil }
    if let old { gone = [(0, old)] }
    if let new { come = [(0, new)] }
  }

  @inlinable
  init?(from old: Set<Request>, to new: Set<Request>) where Key == Request {
    // Comparing sets that share their storage takes constant time.
    guard old != new else { return nil }
    for request in new where !old.contains(request) {
      come.append((request, request))
    }
    let missing = old.count + come.count - new.count
    guard missing > 0 else { return }
    for request in old where !new.contains(request) {
      gone.append((request, request))
      if gone.count == missing { return }
    }
  }

  @inlinable
  init?(from old: [Key: Request], to new: [Key: Request]) {
    guard old != new else { return nil }
    for (key, request) in new {
      guard let known = old[key] else {
        come.append((key, request))
        continue
      }
      if known != request { changed.append((key, request)) }
    }
    let missing = old.count + come.count - new.count
    guard missing > 0 else { return }
    for (key, request) in old where new[key] == nil {
      gone.append((key, request))
      if gone.count == missing { return }
    }
  }
}

/// The part of a ``Feedback`` in one run. In each step, all reactions cancel effects before any of them starts one, and
/// all of them start effects before any of them publishes.
@usableFromInline
struct Reaction<State: Sendable, Event: Sendable> {
  /// Cancels the effects that a state no longer requests.
  let cancel: (State, inout Effects<Event>) -> Void
  /// Starts the effects of new requests.
  let start: (inout Effects<Event>) -> Void
  var publish: ((State) -> Void)?
}

/// The effect of a request, and the destination of the request's changes.
@usableFromInline
struct RequestEffect<Event: Sendable, Request: Sendable>: Sendable {
  let run: @Sendable (_ emit: @escaping @Sendable (Event) async -> Void) async -> Void
  var changes: AsyncStream<Request>.Continuation?

  @usableFromInline
  init(
    changes: AsyncStream<Request>.Continuation? = nil,
    run: @escaping @Sendable (_ emit: @escaping @Sendable (Event) async -> Void) async -> Void
  ) {
    self.run = run
    self.changes = changes
  }
}

private struct Member<Request> {
  let lease: EffectLease
  let changes: AsyncStream<Request>.Continuation?
}

extension Feedback {
  /// A member exists as long as its request: an equal request doesn't restart an effect that has returned.
  ///
  /// `makeComparison` returns, for each run, a function that compares the requests of a state with those of the
  /// previous state.
  @usableFromInline
  init<Requests: Sendable, Key, Request>(
    _ requests: @escaping @Sendable (State) -> Requests,
    makeComparison: @escaping @Sendable () -> (Requests) -> RequestDifference<Key, Request>?,
    makeEffect: @escaping @Sendable (Key, Request) -> RequestEffect<Event, Request>
  ) {
    self.init { observe in
      let compare = makeComparison()
      var coming: RequestDifference<Key, Request>?
      var members: [Key: Member<Request>] = [:]
      return Reaction(
        cancel: { state, effects in
          coming = compare(requests(state))
          guard let change = coming else { return }
          for (key, request) in change.changed {
            members[key]?.changes?.yield(request)
          }
          for (key, request) in change.gone {
            guard let member = members.removeValue(forKey: key) else { continue }
            effects.cancel(member.lease)
            member.changes?.finish()
            observe?(.cancelled(request))
          }
        },
        start: { effects in
          guard let change = coming else { return }
          coming = nil
          for (key, request) in change.come {
            let effect = makeEffect(key, request)
            observe?(.started(request))
            let lease = effects.start { [mailbox = effects.mailbox] lease in
              await effect.run { await mailbox.perform($0, from: lease) }
              observe?(.returned)
            }
            members[key] = Member(lease: lease, changes: effect.changes)
          }
        })
    }
  }
}
