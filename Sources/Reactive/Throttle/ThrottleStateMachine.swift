/// Decides which elements ``AsyncThrottleLatestSequence`` lets through.
///
/// What is replaced is returned, so that its last reference doesn't go away under the driver's lock.
struct ThrottleStateMachine<Element: Sendable>: Sendable {
  private enum State: Sendable {
    /// The next element passes at once.
    case open
    /// An interval is under way, and at its end the held element passes.
    case closed(held: Element?)
  }

  private var state = State.open
  private var sourceHasEnded = false

  enum Arrival: Sendable {
    /// Let it through and begin an interval.
    case pass
    /// It is held in the place of another, if there is one.
    case hold(replaced: Element?)
  }

  mutating func arrived(_ element: Element) -> Arrival {
    switch state {
    case .open:
      state = .closed(held: nil)
      return .pass
    case .closed(let held):
      state = .closed(held: element)
      return .hold(replaced: held)
    }
  }

  enum IntervalEnd: Sendable {
    case pass(Element, beginsInterval: Bool)
    case open
  }

  mutating func intervalEnded() -> IntervalEnd {
    guard case .closed(let held?) = state else {
      state = .open
      return .open
    }
    state = .closed(held: nil)
    return .pass(held, beginsInterval: !sourceHasEnded)
  }

  /// The source has ended.
  ///
  /// - Returns: whether an interval has to be waited for, because an element is held.
  mutating func sourceEnded() -> Bool {
    sourceHasEnded = true
    if case .closed(_?) = state { return true }
    return false
  }
}
