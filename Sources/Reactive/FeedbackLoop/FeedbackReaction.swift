/// What a feedback does in one run, in the two halves of a step.
protocol FeedbackReaction<State, Event>: AnyObject {
  associatedtype State: Sendable
  associatedtype Event: Sendable

  /// Cancels what a state no longer asks for.
  func cancelStale(for state: State, _ effects: inout Effects<Event>)

  /// Starts what the same state asks for and doesn't run.
  func startMissing(_ effects: inout Effects<Event>)
}

/// Keeps the effects of one feedback in step with the requests of the states.
///
/// A member stays as long as its request does, whether its effect has returned or not: an equal
/// request doesn't start it anew.
final class RequestReaction<
  State: Sendable, Event: Sendable, Key: Hashable & Sendable, Request: Equatable & Sendable
>: FeedbackReaction {
  typealias Effect = @Sendable (@escaping Feedback<State, Event>.Emit) async -> Void

  /// Where changes of a request go; nil when another request takes another effect.
  typealias Changes = AsyncStream<Request>.Continuation

  private struct Member {
    var request: Request
    let lease: EffectLease
    let changes: Changes?
  }

  private let requests: @Sendable (State) -> [Key: Request]
  private let makeEffect: @Sendable (Key, Request) -> (Effect, Changes?)
  private let observe: Feedback<State, Event>.Observe?
  private var wanted: [Key: Request] = [:]
  private var members: [Key: Member] = [:]

  init(
    requests: @escaping @Sendable (State) -> [Key: Request],
    makeEffect: @escaping @Sendable (Key, Request) -> (Effect, Changes?),
    observe: Feedback<State, Event>.Observe?
  ) {
    self.requests = requests
    self.makeEffect = makeEffect
    self.observe = observe
  }

  func cancelStale(for state: State, _ effects: inout Effects<Event>) {
    wanted = requests(state)
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
  }

  func startMissing(_ effects: inout Effects<Event>) {
    for (key, request) in wanted where members[key] == nil {
      let (effect, changes) = makeEffect(key, request)
      observe?(.started(request))
      let lease = effects.start { [mailbox = effects.mailbox, observe] lease in
        await effect { await mailbox.perform($0, from: lease) }
        observe?(.returned)
      }
      members[key] = Member(request: request, lease: lease, changes: changes)
    }
  }
}
