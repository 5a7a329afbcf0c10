/// The state and the pending work of a reactor. Only the drain of its mailbox uses it, so it doesn't need a lock.
struct ReactorDrain<Action: Sendable, Mutation: Sendable, State: Sendable> {
  typealias Owner = any Reactor<Action, Mutation, State>
  typealias Message = ReactorMessage<Action, Mutation>
  typealias WorkID = ReactorWorkID

  private struct Work {
    let id: WorkID
    var steps: MutationSteps<Action, Mutation>
    /// Finishes when it is released together with the work.
    let duty: Duty?
    var lease: EffectLease?
  }

  let actions: ReactorTransform<Action>
  let mutations: ReactorTransform<Mutation>
  let states: ReactorTransform<State>
  private let mailbox: Mailbox<Message>
  private let seen: Current<State?>
  private var state: State
  private var works: [WorkID: Work] = [:]
  /// Work that a later action may end.
  private var guarded: Set<WorkID> = []
  private var lastID: WorkID = 0

  init(
    of reactor: Owner, _ mailbox: Mailbox<Message>, showing seen: Current<State?>
  ) {
    self.mailbox = mailbox
    actions = ReactorTransform(reactor.transform(action:)) { await mailbox.perform(.taken($0)) }
    mutations = ReactorTransform(reactor.transform(mutation:))
    states = ReactorTransform(reactor.transform(state:))
    self.seen = seen
    state = reactor.initialState
    show(nil)
  }

  mutating func handle(
    _ message: Message, _ duty: Duty?, _ effects: inout Effects<Message>, _ reactor: Owner
  ) {
    switch message {
    case .action(let action) where actions.isDirect:
      endGuarded(at: action, &effects, reactor)
      begin(action, duty, &effects, reactor)
    case .action(let action):
      actions.send(action, duty)
    case .taken(let action):
      endGuarded(at: action, &effects, reactor)
    case .transformedAction(let action):
      begin(action, duty, &effects, reactor)
    case .mutation(let mutation) where mutations.isDirect:
      reduce(mutation, duty, reactor)
    case .mutation(let mutation):
      mutations.send(mutation, duty)
    case .transformedMutation(let mutation):
      reduce(mutation, duty, reactor)
    case .stepEnded(let id, let hasFailed):
      guard let work = take(id, &effects), !hasFailed else { return }
      proceed(with: work, &effects, reactor)
    case .count(let answer):
      answer(works.count + guarded.count + effects.count)
    }
  }

  private mutating func endGuarded(
    at action: Action, _ effects: inout Effects<Message>, _ reactor: Owner
  ) {
    for id in guarded.sorted() where works[id]?.steps.end(at: action) == true {
      guard let work = take(id, &effects) else { continue }
      proceed(with: work, &effects, reactor)
    }
  }

  private mutating func begin(
    _ action: Action, _ duty: Duty?, _ effects: inout Effects<Message>, _ reactor: Owner
  ) {
    lastID += 1
    let steps = MutationSteps(reactor.mutate(action))
    proceed(with: Work(id: lastID, steps: steps, duty: duty), &effects, reactor)
  }

  /// Runs steps up to the first asynchronous one. Mutations with a transform enter it immediately, which preserves
  /// their order and guards the next step from the start.
  private mutating func proceed(
    with work: Work, _ effects: inout Effects<Message>, _ reactor: Owner
  ) {
    var work = work
    var passing: Progress?
    while let step = work.steps.next() {
      switch step {
      case .just(let mutation) where mutations.isDirect && states.isDirect:
        reduce(mutation, nil, reactor)
      case .just(let mutation):
        passing = enter(mutation, &effects, reactor)
      case .run(let body):
        return park(work, after: passing, &effects) { [mailbox] lease in
          try await body { mutation in
            await mailbox.perform(.mutation(mutation), from: lease)
          }
        }
      }
    }
    if passing == nil {
      work.duty?.progress.reach(.applied)
    } else {
      park(work, after: passing, &effects) { _ in }
    }
  }

  /// This is a separate function, so that the duty isn't retained after it returns.
  private mutating func enter(
    _ mutation: Mutation, _ effects: inout Effects<Message>, _ reactor: Owner
  ) -> Progress {
    let duty = Duty()
    handle(.mutation(mutation), duty, &effects, reactor)
    return duty.progress
  }

  private mutating func park(
    _ work: Work, after passing: Progress?, _ effects: inout Effects<Message>,
    running step: @escaping @Sendable (EffectLease) async throws -> Void
  ) {
    let (id, progress) = (work.id, work.duty?.progress)
    if passing == nil { progress?.reach(.applied) }
    var work = work
    work.lease = effects.start { [mailbox] lease in
      if let passing {
        await passing.wait(for: .applied)
        progress?.reach(.applied)
      }
      let hasFailed = (try? await step(lease)) == nil
      mailbox.post(.stepEnded(id, hasFailed: hasFailed), from: lease)
    }
    works[id] = work
    if work.steps.isGuarded { guarded.insert(id) }
  }

  /// Drops all remaining mutations of the work's current step.
  private mutating func take(_ id: WorkID, _ effects: inout Effects<Message>) -> Work? {
    guarded.remove(id)
    guard let work = works.removeValue(forKey: id) else { return nil }
    if let lease = work.lease { effects.cancel(lease) }
    return work
  }

  private mutating func reduce(_ mutation: Mutation, _ duty: Duty?, _ reactor: Owner) {
    reactor.reduce(&state, mutation)
    show(duty)
  }

  private func show(_ duty: Duty?) {
    if states.isDirect {
      seen.set(state)
      duty?.progress.reach(.applied)
    } else {
      states.send(state, duty)
    }
  }
}
