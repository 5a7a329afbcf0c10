internal import PlatformModules

/// What a request may do, by the budget that all processes share.
enum BudgetReservation: Sendable, Hashable {
  /// It may be sent. ``SharedBudgetFile/finish(_:_:_:mayHaveArrived:at:)`` must follow.
  case granted(UInt64)
  /// As many requests of all processes are under way as are left.
  case full
  /// Nothing is left until then, by the local clock.
  case spent(until: Date)
  /// The server asks everybody to slow down until then, by the local clock.
  case paused(until: Date)
  /// Nothing is known: the file can't be read or written.
  case unknown
}
