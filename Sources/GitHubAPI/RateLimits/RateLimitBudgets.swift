internal import HTTPTargets
internal import Locking

/// The budgets of an interceptor: one for each server and token.
final class RateLimitBudgets: Sendable {
  /// What a budget is of.
  struct Key: Hashable, Sendable {
    let origin: Origin
    /// A hash, so that no secret is kept; it is another one in each process.
    let credentials: Int

    /// The budget of a request; nil for one that can't be sent.
    init?(_ request: Request) {
      guard let origin = request.origin else { return nil }
      self.origin = origin
      credentials = request.headers[.authorization].hashValue
    }
  }

  private let budgets = Locked<[Key: RateLimitBudget]>([:])

  /// The budget of a key, made when it is first asked for.
  ///
  /// Where tokens come and go, those of old tokens are forgotten as soon as they hold nothing.
  func budget(of key: Key, _ make: () -> RateLimitBudget) -> RateLimitBudget {
    if let known = budgets.withLock({ $0[key] }) { return known }
    let made = make()
    let (budget, forgotten) = budgets.withLock { budgets in
      if let known = budgets[key] { return (known, [:]) }
      let idle = budgets.filter { $0.value.isIdle }
      for key in idle.keys { budgets[key] = nil }
      budgets[key] = made
      return (made, idle)
    }
    // Given back so that they end outside the lock.
    _ = forgotten
    return budget
  }
}
