/// What is done about one request.
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
  /// A member stays as long as its request does, whether its effect has returned or not: an equal
  /// request doesn't start it anew.
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
