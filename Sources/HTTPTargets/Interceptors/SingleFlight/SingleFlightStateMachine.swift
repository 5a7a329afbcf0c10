/// Who waits for which piece of work, so that equal work is under way once.
///
/// A flight is there from its first waiter until it has ended, or until the last waiter has left: the next
/// who comes begins another one. It tells updates on the way, of which late ones get the last.
struct SingleFlightStateMachine<
  Key: Hashable & Sendable, Waiter: Sendable, Update: Sendable
>: Sendable {
  /// A waiter's place.
  struct Ticket: Sendable {
    let key: Key
    let flight: Int
    let waiter: Int
  }

  private struct Flight {
    let number: Int
    var waiters: [Int: Waiter]
    var latest: Update?
  }

  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0

  /// How many flights are under way.
  var count: Int { flights.count }

  /// How many wait for them.
  var waiterCount: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }

  /// Somebody wants the result of work that may be under way.
  ///
  /// - Returns: The place among the others, and what they were told last; nil when there are none.
  mutating func join(_ key: Key, _ waiter: Waiter) -> (ticket: Ticket, latest: Update?)? {
    guard let flight = flights[key] else { return nil }
    lastNumber += 1
    flights[key]?.waiters[lastNumber] = waiter
    return (Ticket(key: key, flight: flight.number, waiter: lastNumber), flight.latest)
  }

  /// Somebody begins work that isn't under way.
  mutating func start(_ key: Key, _ waiter: Waiter) -> Ticket {
    precondition(flights[key] == nil, "there is such a flight already")
    lastNumber += 1
    flights[key] = Flight(number: lastNumber, waiters: [lastNumber: waiter])
    return Ticket(key: key, flight: lastNumber, waiter: lastNumber)
  }

  /// A waiter doesn't wait any more.
  ///
  /// - Returns: Whether it was the last one: then the work is to be cancelled.
  mutating func leave(_ ticket: Ticket) -> Bool {
    guard flights[ticket.key]?.number == ticket.flight,
      flights[ticket.key]?.waiters.removeValue(forKey: ticket.waiter) != nil,
      flights[ticket.key]?.waiters.isEmpty == true
    else { return false }
    flights[ticket.key] = nil
    return true
  }

  /// The work tells how it goes.
  ///
  /// - Returns: Whom to tell.
  mutating func update(_ ticket: Ticket, _ update: Update) -> [Waiter] {
    guard flights[ticket.key]?.number == ticket.flight else { return [] }
    flights[ticket.key]?.latest = update
    return flights[ticket.key].map { Array($0.waiters.values) } ?? []
  }

  /// The work has ended.
  ///
  /// - Returns: Who gets the result.
  mutating func finish(_ ticket: Ticket) -> [Waiter] {
    guard flights[ticket.key]?.number == ticket.flight,
      let flight = flights.removeValue(forKey: ticket.key)
    else { return [] }
    return Array(flight.waiters.values)
  }
}
