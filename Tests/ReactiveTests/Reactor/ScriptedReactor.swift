import Reactive
import TestSupport

/// A reactor whose actions and mutations are words, and whose state is the list of all that was reduced.
///
/// The caller passes its behavior in, so that a test shows all of it in one place.
final class ScriptedReactor: Reactor {
  typealias Action = String
  typealias Mutation = String
  typealias State = [String]
  typealias Words = ReactorStream<String>
  typealias States = ReactorStream<[String]>

  let initialState: [String] = []
  let engine = Engine()
  /// The calls in order: `mutate a`, `reduce b`.
  let log = Watched<[String]>([])

  private let onMutate: @Sendable (ScriptedReactor, String) -> Mutations<String, String>
  private let onReduce: @Sendable (ScriptedReactor, String) -> Void
  private let transforms: Transforms

  struct Transforms: Sendable {
    var action: @Sendable (Words) -> Words = { $0 }
    var mutation: @Sendable (Words) -> Words = { $0 }
    var state: @Sendable (States) -> States = { $0 }
  }

  /// Creates a reactor; an action is its own mutation, unless `onMutate` says otherwise.
  init(
    transforms: Transforms = Transforms(),
    onMutate: @escaping @Sendable (ScriptedReactor, String) -> Mutations<String, String> = {
      .just($1)
    },
    onReduce: @escaping @Sendable (ScriptedReactor, String) -> Void = { _, _ in }
  ) {
    self.transforms = transforms
    self.onReduce = onReduce
    self.onMutate = onMutate
  }

  func mutate(_ action: String) -> Mutations<String, String> {
    log.update { $0.append("mutate \(action)") }
    return onMutate(self, action)
  }

  func reduce(_ state: inout [String], _ mutation: String) {
    log.update { $0.append("reduce \(mutation)") }
    onReduce(self, mutation)
    state.append(mutation)
  }

  func transform(action: Words) -> Words {
    transforms.action(action)
  }

  func transform(mutation: Words) -> Words {
    transforms.mutation(mutation)
  }

  func transform(state: States) -> States {
    transforms.state(state)
  }
}

extension Reactor {
  /// The states from now on, up to and with the first that is wanted.
  func states(until isLast: (State) -> Bool) async -> [State] {
    var states: [State] = []
    for await state in allStates {
      states.append(state)
      if isLast(state) { break }
    }
    return states
  }
}

/// The ways in which something can go through a reactor: each transform left alone, or taking the detour.
enum Detour: String, CaseIterable, Sendable {
  case none
  case actions
  case mutations
  case states
  case all

  var transforms: ScriptedReactor.Transforms {
    var transforms = ScriptedReactor.Transforms()
    if self == .actions || self == .all { transforms.action = { ReactorStream($0.map { $0 }) } }
    if self == .mutations || self == .all { transforms.mutation = { ReactorStream($0.map { $0 }) } }
    if self == .states || self == .all { transforms.state = { ReactorStream($0.map { $0 }) } }
    return transforms
  }
}
