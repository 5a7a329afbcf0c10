import GitHubAPI
import HTTPTargets
import IssueMirror
import TestSupport
import Testing

/// A sync of a simulated feed whose pages come in any order, while the server changes, pages get lost, and
/// the whole is cut off and begun again with what was kept.
struct SimulatedSync {
  /// The possible events.
  struct Schedule {
    /// How many changes the server makes at most.
    var changes = 0
    /// How many pages fail at most.
    var failures = 0
    /// How often everything is cut off at most.
    var crashes = 0
    /// Whether items change while the server reads a page, after it has found them.
    var changesWithinPages = false
  }

  /// The stored items.
  private(set) var kept: [Int64: SimulatedFeed.Item] = [:]
  /// The ids that a verification has seen.
  private(set) var seen: Set<Int64> = []
  private(set) var syncedTo = 0
  private(set) var requests = 0
  var server: SimulatedFeed
  private var schedule = Schedule()
  private var dice: FuzzSource
  private let jobs: Int

  init(_ server: SimulatedFeed, jobs: Int, seed: UInt64) {
    self.server = server
    self.jobs = jobs
    dice = FuzzSource(seed: seed)
  }

  private struct Request {
    var ask: SweepAsk
    var askedAt: Int
    var served: (items: [SimulatedFeed.Item], next: PageLink?)?
  }

  /// Goes through a sweep, however often it is cut off.
  mutating func run(_ sweep: Sweep, _ schedule: Schedule = Schedule()) throws {
    self.schedule = schedule
    var stored = sweep
    var machine = SweepStateMachine(stored, jobs: jobs)
    var flight: [Request] = []
    while !machine.isComplete {
      while let ask = machine.next() {
        requests += 1
        flight.append(Request(ask: ask, askedAt: server.now))
        try check(flight.count <= jobs, "\(flight.count) requests are in flight")
      }
      if flight.isEmpty || happens(\.crashes, once: 40) {
        // A stream has failed and the others are done, or the process was killed.
        machine = SweepStateMachine(stored, jobs: jobs)
        flight = []
        continue
      }
      disturb()
      let index = dice.below(flight.count)
      if happens(\.failures, once: 20) {
        machine.fail(flight.remove(at: index).ask, NetworkError(.timedOut, "it took too long"))
      } else if let (items, next) = flight[index].served {
        let request = flight.remove(at: index)
        machine.receive(
          SweepAnswer(items, next: next, askedAt: request.askedAt), to: request.ask)
        try check(machine.failure?.code != .decoding, "\(machine.failure?.message ?? "")")
        keep(items, sweep.purpose)
        stored = machine.sweep
      } else {
        flight[index].served = try serve(flight[index].ask)
      }
    }
    syncedTo = try #require(machine.sweep.syncedTo)
  }

  private mutating func serve(
    _ ask: SweepAsk
  ) throws -> ([SimulatedFeed.Item], PageLink?) {
    let (ids, next) = server.page(ask.place)
    // Found, but not read yet.
    if schedule.changesWithinPages, let id = ids.last, happens(\.changes, once: 3) {
      server.change(id)
    }
    return (ids.compactMap { server.items[$0] }, next)
  }

  private mutating func keep(_ items: [SimulatedFeed.Item], _ purpose: Sweep.Purpose) {
    for item in items {
      if purpose == .verification { seen.insert(item.id) }
      if let old = kept[item.id], old.updatedAt > item.updatedAt { continue }
      kept[item.id] = item
    }
  }

  /// Buries what a verification has not seen and the server doesn't have.
  mutating func bury() {
    for id in kept.keys where !seen.contains(id) && server.items[id] == nil { kept[id] = nil }
  }

  private mutating func disturb() {
    if dice.once(in: 3) { server.now += 1 }
    while happens(\.changes, once: 2) {
      let id = Int64(1 + dice.below(server.items.count + 5))
      switch dice.below(8) {
      case 0: server.add()
      case 1: server.remove(id)
      default: server.change(id)
      }
    }
  }

  private mutating func happens(
    _ left: WritableKeyPath<Schedule, Int>, once times: Int
  ) -> Bool {
    guard schedule[keyPath: left] > 0, dice.once(in: times) else { return false }
    schedule[keyPath: left] -= 1
    return true
  }
}
