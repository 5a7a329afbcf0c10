/// Decides which elements ``AsyncThrottleLatestSequence`` lets through.
///
/// The states: *open*, where the next element passes at once, and *in an interval*, at whose end the
/// held element passes, if there is one. What is replaced is returned, so that its last reference
/// doesn't go away under the driver's lock.
struct ThrottleStateMachine<Element: Sendable>: Sendable {
  private var isInInterval = false
  private var held: Element?
  private var sourceHasEnded = false

  /// An element has arrived.
  ///
  /// - Returns: whether to let it through and begin an interval; else the element it replaces, if any.
  mutating func arrived(_ element: Element) -> (passes: Bool, replaced: Element?) {
    guard isInInterval else {
      isInInterval = true
      return (true, nil)
    }
    defer { held = element }
    return (false, held)
  }

  /// An interval has ended.
  ///
  /// - Returns: what to let through, if anything, and whether that begins another interval.
  mutating func intervalEnded() -> (passes: Element?, beginsInterval: Bool) {
    defer { held = nil }
    isInInterval = held != nil
    return (held, isInInterval && !sourceHasEnded)
  }

  /// The source has ended.
  ///
  /// - Returns: whether the end of the interval has to be waited for, because an element is held.
  mutating func sourceEnded() -> Bool {
    sourceHasEnded = true
    return held != nil
  }
}
