import Reactive

/// A reactor whose actions each run work that emits one mutation.
final class CountingReactor: Reactor {
  enum Action: Sendable {
    case increase
  }

  let initialState = 0
  let engine = Engine()

  func mutate(_ action: Action) -> Mutations<Action, Int> {
    let token = Token()
    return .run { emit in
      await emit(1)
      withExtendedLifetime(token) {}
    }
  }

  func reduce(_ state: inout Int, _ mutation: Int) {
    state += mutation
  }
}
