/// What the drain of a reactor's mailbox knows and does: the state, and the works that wait.
///
/// Touched by the drain alone, so it needs no lock.
struct ReactorDrain<Action: Sendable, Mutation: Sendable, State: Sendable> {
  typealias Run = ReactorRun<Action, Mutation, State>
  typealias WorkID = Int

  /// The work of one action, of which a step is running.
  private struct Work {
    let id: WorkID
    var steps: MutationSteps<Action, Mutation>
    /// Finished by being dropped with the work.
    let duty: Duty
    var lease: EffectLease?
  }

  let actions: ReactorTransform<Action>
  let mutations: ReactorTransform<Mutation>
  let states: ReactorTransform<State>
  private let run: Run
  private let seen: Current<State?>
  private var state: State
  private var works: [WorkID: Work] = [:]
  /// The works that a later action may end.
  private var guarded: Set<WorkID> = []
  private var lastID: WorkID = 0

  init(of reactor: Run.Owner, seen: Current<State?>, run: Run) {
    actions = ReactorTransform(reactor.transform(action:))
    mutations = ReactorTransform(reactor.transform(mutation:))
    states = ReactorTransform(reactor.transform(state:))
    self.run = run
    self.seen = seen
    state = reactor.initialState
    show(nil)
  }

  mutating func handle(
    _ message: Run.Message, _ effects: inout Effects<Run.Message>, _ reactor: Run.Owner
  ) {
    switch message {
    case .action(let action, let duty):
      endGuarded(at: action, &effects, reactor)
      if actions.isDirect {
        begin(action, duty, &effects, reactor)
      } else {
        actions.send(action, duty)
      }
    case .transformedAction(let action, let duty):
      begin(action, duty, &effects, reactor)
    case .mutation(let mutation, let duty):
      if mutations.isDirect {
        reduce(mutation, duty, reactor)
      } else {
        mutations.send(mutation, duty)
      }
    case .transformedMutation(let mutation, let duty):
      reduce(mutation, duty, reactor)
    case .stepEnded(let id, let hasFailed):
      guard let work = take(id, &effects), !hasFailed else { return }
      proceed(with: work, &effects, reactor)
    }
  }

  /// Ends what an action puts an end to, in the order in which it began.
  private mutating func endGuarded(
    at action: Action, _ effects: inout Effects<Run.Message>, _ reactor: Run.Owner
  ) {
    for id in guarded.sorted() where works[id]?.steps.end(at: action) == true {
      guard let work = take(id, &effects) else { continue }
      proceed(with: work, &effects, reactor)
    }
  }

  private mutating func begin(
    _ action: Action, _ duty: Duty, _ effects: inout Effects<Run.Message>, _ reactor: Run.Owner
  ) {
    lastID += 1
    let steps = MutationSteps(reactor.mutate(action))
    proceed(with: Work(id: lastID, steps: steps, duty: duty), &effects, reactor)
  }

  /// Takes steps until one has to be waited for.
  private mutating func proceed(
    with work: Work, _ effects: inout Effects<Run.Message>, _ reactor: Run.Owner
  ) {
    var work = work
    while let step = work.steps.next() {
      switch step {
      case .just(let mutation) where mutations.isDirect && states.isDirect:
        reduce(mutation, nil, reactor)
      case .just(let mutation):
        // It comes back through the transforms, and the next step must not begin before.
        return park(work, running: { emit in await emit(mutation) }, &effects)
      case .run(let body):
        work.duty.progress.reach(.applied)
        return park(work, running: body, &effects)
      }
    }
    work.duty.progress.reach(.applied)
  }

  private mutating func park(
    _ work: Work, running body: @escaping Mutations<Action, Mutation>.Body,
    _ effects: inout Effects<Run.Message>
  ) {
    var work = work
    work.lease = effects.start { [run, id = work.id] lease in
      await run.perform(body, of: id, lease)
    }
    works[work.id] = work
    if work.steps.isGuarded { guarded.insert(work.id) }
  }

  /// Takes a work out of the tables; from here on nothing of its last step is handled.
  private mutating func take(_ id: WorkID, _ effects: inout Effects<Run.Message>) -> Work? {
    guarded.remove(id)
    guard let work = works.removeValue(forKey: id) else { return nil }
    if let lease = work.lease { effects.cancel(lease) }
    return work
  }

  private mutating func reduce(_ mutation: Mutation, _ duty: Duty?, _ reactor: Run.Owner) {
    state = reactor.reduce(state, mutation)
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
