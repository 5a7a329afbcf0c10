internal import PlatformModules

/// The decision about a request, according to the budget that all processes share.
enum BudgetReservation: Sendable, Hashable {
  /// It may be sent. ``SharedBudgetFile/finish(_:_:_:mayHaveArrived:at:)`` must follow.
  case granted(UInt64)
  /// The requests in flight in all processes use up the rest of the budget.
  case full
  /// Nothing is left until this time, by the local clock.
  case spent(until: Date)
  /// The server asks all clients to slow down until this time, by the local clock.
  case paused(until: Date)
  /// The budget is unknown, because the file can't be read or written.
  case unknown
}
