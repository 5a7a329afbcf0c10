/// What an action of a ``Reactor`` leads to: mutations, some at once, some when work is done.
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
/// A list is worked through in order: each mutation is reduced before the next step begins. The
/// works of different actions run side by side.
///
/// When a step throws, the rest of the list is lost, and nothing else. What the state should know
/// about a failure is a mutation.
public struct Mutations<Action: Sendable, Mutation: Sendable>: Sendable, ExpressibleByArrayLiteral {
  /// Hands on one mutation, and returns when it was reduced.
  ///
  /// When the work has been ended meanwhile, the mutation is dropped and the call returns at once; so it
  /// does in a cancelled task.
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

  /// One after the other.
  public init(arrayLiteral elements: Self...) {
    self.init(steps: elements.flatMap(\.steps))
  }

  /// The elements of a sequence, as they come.
  ///
  /// When the sequence throws, the mutations that should have followed are lost.
  public init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
  where Elements.Element == Mutation {
    self = .run { emit in
      for try await element in elements {
        await emit(element)
      }
    }
  }

  /// Nothing.
  public static var none: Self { Self(steps: []) }

  /// One mutation, reduced as soon as it is its turn.
  public static func just(_ mutation: Mutation) -> Self {
    Self(steps: [.just(mutation)])
  }

  /// Work that takes its time and emits any number of mutations, from any number of tasks.
  ///
  /// It runs in a task of its own, which is cancelled by ``until(_:)`` and when the reactor is dropped.
  /// Let it capture what it needs of the reactor, or the reactor weakly: an endless body that captures
  /// `self` keeps the reactor alive.
  public static func run(
    _ body: @escaping @Sendable (_ emit: @escaping Emit) async throws -> Void
  ) -> Self {
    Self(steps: [.run(body)])
  }

  /// These mutations, until a later action is sent for which the condition holds.
  ///
  /// Then they end where they are: the running work is cancelled, nothing of it is reduced any more,
  /// and what follows in the list goes on, all before that action itself is looked at.
  ///
  /// - Parameter condition: looks at each action as it was sent, before `transform(action:)`.
  /// - Returns: the same mutations, with an end.
  public func until(_ condition: @escaping @Sendable (Action) -> Bool) -> Self {
    Self(steps: [.until(steps, condition)])
  }
}

/// Decides what comes next of ``Mutations``, and does nothing itself.
///
/// The step that ``next()`` gave last is the current one, until the next call.
struct MutationSteps<Action: Sendable, Mutation: Sendable>: Sendable {
  enum Step: Sendable {
    /// Reduce this.
    case just(Mutation)
    /// Run this.
    case run(Mutations<Action, Mutation>.Body)
  }

  private enum Entry: Sendable {
    case step(Mutations<Action, Mutation>.Step)
    /// Here ends what the condition guards: all above it, and the current step.
    case fence(Mutations<Action, Mutation>.Condition)
  }

  /// What is still to be done, the next at the end.
  private var rest: [Entry]

  init(_ mutations: Mutations<Action, Mutation>) {
    rest = mutations.steps.reversed().map(Entry.step)
  }

  /// Whether a later action may end the current step.
  var isGuarded: Bool {
    rest.contains { if case .fence = $0 { true } else { false } }
  }

  /// Goes on to the next step; nil after the last.
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

  /// A later action was sent.
  ///
  /// - Returns: whether it ends the current step; then ``next()`` gives what follows the guarded part.
  mutating func end(at action: Action) -> Bool {
    let end = rest.firstIndex { entry in
      if case .fence(let condition) = entry { condition(action) } else { false }
    }
    guard let end else { return false }
    rest.removeSubrange(end...)
    return true
  }
}
