import Reactive
import Testing

// As the documentation of `Reactor` has it.
private final class CounterReactor: Reactor {
  enum Action { case increase, refresh }
  enum Mutation {
    case add(Int)
    case set(Int)
    case setLoading(Bool)
  }
  struct State: Equatable {
    var count = 0
    var isLoading = false
  }

  let initialState = State()
  let engine = Engine()
  private let load: @Sendable () async throws -> Int

  init(load: @escaping @Sendable () async throws -> Int) {
    self.load = load
  }

  func mutate(_ action: Action) -> Mutations<Action, Mutation> {
    switch action {
    case .increase:
      .just(.add(1))
    case .refresh:
      [
        .just(.setLoading(true)),
        .run { [load] emit in try await emit(.set(load())) }
          .until { if case .refresh = $0 { true } else { false } },
        .just(.setLoading(false)),
      ]
    }
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .add(let number): state.count += number
    case .set(let count): state.count = count
    case .setLoading(let isLoading): state.isLoading = isLoading
    }
  }
}

@Suite("Reactor example", .timeLimit(.minutes(5)))
struct ReactorExampleTests {
  @Test("the documented example counts as described")
  func counts() async {
    let counter = CounterReactor { 40 }
    await counter.send(.refresh).finished
    await counter.send(.increase).applied
    #expect(counter.currentState == CounterReactor.State(count: 41))
  }
}
