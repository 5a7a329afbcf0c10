internal import PlatformModules

/// The decision about a request, according to the budget that all processes share.
enum BudgetReservation: Sendable, Hashable {
  /// The request may be sent. ``SharedBudgetFile/finish(_:_:_:mayHaveArrived:at:)`` must be called afterward.
  case granted(UInt64)
  /// The requests in flight in all processes use up the rest of the budget.
  case full
  /// The budget is used up until this time, by the local clock.
  case spent(until: Date)
  /// The server has asked clients to slow down until this time, by the local clock.
  case paused(until: Date)
  /// The budget is unknown, because the file can't be read or written.
  case unknown
}
