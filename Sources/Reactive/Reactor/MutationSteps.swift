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
