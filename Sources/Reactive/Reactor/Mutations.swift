/// The effects of an action of a ``Reactor``: immediate mutations, and work that emits mutations.
///
/// ```swift
/// case .search(let query):
///   [
///     .just(.setLoading(true)),
///     .run { emit in try await emit(.setResults(find(query))) }
///       .until { if case .search = $0 { true } else { false } },
///     .just(.setLoading(false)),
///   ]
/// ```
///
/// A list runs in order: each mutation is reduced before the next step begins. The work of different actions runs
/// concurrently.
///
/// A step that throws drops only the rest of its list. Use a mutation to show a failure in the state.
public struct Mutations<Action: Sendable, Mutation: Sendable>: Sendable, ExpressibleByArrayLiteral {
  /// Sends a mutation, and returns when it has been reduced.
  ///
  /// If the work has ended or its task is canceled, `emit` drops the mutation and returns immediately.
  public typealias Emit = @Sendable (Mutation) async -> Void

  typealias Body = @Sendable (@escaping Emit) async throws -> Void
  typealias Condition = @Sendable (Action) -> Bool

  enum Step: Sendable {
    case just(Mutation)
    case run(Body)
    case until([Step], Condition)
  }

  let steps: [Step]

  private init(steps: [Step]) {
    self.steps = steps
  }

  /// Combines effects, which run one after the other.
  public init(arrayLiteral elements: Self...) {
    self.init(steps: elements.flatMap(\.steps))
  }

  /// Emits the elements of a sequence as they arrive. If the sequence throws, the rest of the list is dropped.
  public init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
  where Elements.Element == Mutation {
    self = .run { emit in
      for try await element in elements {
        await emit(element)
      }
    }
  }

  /// No effects.
  public static var none: Self { Self(steps: []) }

  /// A single mutation, which is reduced when its turn comes.
  public static func just(_ mutation: Mutation) -> Self {
    Self(steps: [.just(mutation)])
  }

  /// Asynchronous work that emits any number of mutations, from any number of tasks.
  ///
  /// The work runs in a separate task, which is canceled by ``until(_:)`` and when the reactor is released. Capture
  /// only the required parts of the reactor, or capture the reactor weakly: an endless body that captures `self` keeps
  /// the reactor alive.
  public static func run(
    _ body: @escaping @Sendable (_ emit: @escaping Emit) async throws -> Void
  ) -> Self {
    Self(steps: [.run(body)])
  }

  /// These mutations, until a later action meets a condition.
  ///
  /// When the condition is met, the mutations end immediately: the running work is canceled, its remaining mutations
  /// aren't reduced, and the rest of the list continues. All this happens before that action itself is handled.
  ///
  /// - Parameter condition: receives each action as it was sent, before `transform(action:)`.
  /// - Returns: the same mutations with an end.
  public func until(_ condition: @escaping @Sendable (Action) -> Bool) -> Self {
    Self(steps: [.until(steps, condition)])
  }
}

/// Decides which step of ``Mutations`` is next.
struct MutationSteps<Action: Sendable, Mutation: Sendable>: Sendable {
  enum Step: Sendable {
    case just(Mutation)
    case run(Mutations<Action, Mutation>.Body)
  }

  private enum Entry: Sendable {
    case step(Mutations<Action, Mutation>.Step)
    /// Ends the part that is guarded by the condition: the entries above it, and the current step.
    case fence(Mutations<Action, Mutation>.Condition)
  }

  private var rest: [Entry]

  init(_ mutations: Mutations<Action, Mutation>) {
    rest = mutations.steps.reversed().map(Entry.step)
  }

  var isGuarded: Bool {
    rest.contains { if case .fence = $0 { true } else { false } }
  }

  mutating func next() -> Step? {
    while let entry = rest.popLast() {
      switch entry {
      case .fence: continue
      case .step(.just(let mutation)): return .just(mutation)
      case .step(.run(let body)): return .run(body)
      case .step(.until(let steps, let condition)):
        rest.append(.fence(condition))
        rest += steps.reversed().map(Entry.step)
      }
    }
    return nil
  }

  /// Handles a later action.
  ///
  /// - Returns: whether the action ends the current step. In this case, ``next()`` returns the step after the guarded
  ///   part.
  mutating func end(at action: Action) -> Bool {
    let end = rest.firstIndex { entry in
      if case .fence(let condition) = entry { condition(action) } else { false }
    }
    guard let end else { return false }
    rest.removeSubrange(end...)
    return true
  }
}
