import IssueMirror
import TestSupport
import TestTraits
import Testing

@Suite("A sweep of a changing feed", .tags(.heavy))
struct SweepConvergenceTests {
  private static let year = 31_536_000
  private static let began = 1_780_000_000

  /// 500 items in one second, another 150 in the last one, and the others all over a year.
  private static func makeServer(
    _ dice: inout FuzzSource, numbersPages: Bool
  ) -> SimulatedFeed {
    let dense = began - 1 - dice.below(year)
    var times = (0..<600).map { _ in began - dice.below(year) }
    times += Array(repeating: dense, count: 500) + Array(repeating: began - 1, count: 150)
    return SimulatedFeed(updatedAt: times, now: began, numbersPages: numbersPages)
  }

  @Test(
    "a sweep converges with the server, whatever changes during the sweep",
    arguments: [false, true])
  func schedules(numbersPages: Bool) {
    let name = "sweeps, \(numbersPages ? "page numbers" : "cursors")"
    let failure = FuzzTest(name, iterations: 20).run { dice in
      let server = Self.makeServer(&dice, numbersPages: numbersPages)
      let jobs = 1 + dice.below(9)
      var sync = SimulatedSync(server, jobs: jobs, seed: dice.next())
      let schedule = SimulatedSync.Schedule(
        changes: 400, failures: dice.below(4), crashes: dice.below(4),
        changesWithinPages: dice.once(in: 2))
      try sync.run(
        Sweep(
          everything: .first, created: Self.began - Self.year, began: Self.began, streams: jobs),
        schedule)
      // Every item up to the synced time is kept, except deleted ones.
      let settled = sync.syncedTo - 1
      for item in sync.server.items.values where item.updatedAt < settled {
        try check(sync.kept[item.id] == item, "\(item) is kept as \(sync.kept[item.id] as Any)")
      }

      sync.server.now += 5
      try sync.run(Sweep(changesSince: sync.syncedTo, began: sync.server.now))
      for item in sync.server.items.values {
        try check(sync.kept[item.id] == item, "\(item) stays \(sync.kept[item.id] as Any)")
      }

      try sync.run(
        Sweep(
          everything: .verification, created: Self.began - Self.year, began: sync.server.now,
          streams: jobs))
      sync.bury()
      try check(sync.kept == sync.server.items, "what is gone is kept")
    }
    #expect(failure == nil)
  }

  @Test("a sweep checks once for further changes, and then ends")
  func changes() throws {
    var sync = SimulatedSync(
      SimulatedFeed(updatedAt: Array(1...1000).map { $0 * 10 }, now: 20_000), jobs: 8, seed: 1)
    try sync.run(Sweep(changesSince: 9_500, began: 20_000))
    // 51 entries, and the last one again.
    #expect(sync.requests == 2)
    #expect(sync.syncedTo == 10_000)
    #expect(sync.kept.count == 51)
    try sync.run(Sweep(changesSince: sync.syncedTo, began: 20_000))
    #expect(sync.requests == 3)
    #expect(sync.syncedTo == 10_000)
  }

  @Test("a sweep reads 12,000 pages of one second twice, if the server numbers its pages")
  func fullSecond() throws {
    let server = SimulatedFeed(
      updatedAt: Array(repeating: 400, count: 12_000), now: 500, numbersPages: true, pageSize: 1)
    var sync = SimulatedSync(server, jobs: 2, seed: 1)
    try sync.run(Sweep(everything: .first, created: 300, began: 500, streams: 2))
    #expect(sync.kept.count == 12_000)
  }

  @Test(
    "a sweep finds changes within the second in which it was read", arguments: [false, true])
  func unsettled(numbersPages: Bool) throws {
    let server = SimulatedFeed(
      updatedAt: Array(repeating: 500, count: 30), now: 500, numbersPages: numbersPages)
    var sync = SimulatedSync(server, jobs: 2, seed: 1)
    try sync.run(Sweep(everything: .first, created: 400, began: 500, streams: 2))
    sync.server.change(7)
    sync.server.now = 600
    try sync.run(Sweep(changesSince: sync.syncedTo, began: 600))
    #expect(sync.kept[7] == sync.server.items[7])
    #expect(sync.kept == sync.server.items)
  }

  @Test(
    "a sweep ends even if the server's clock is behind its items", arguments: [false, true])
  func clockBehind(numbersPages: Bool) throws {
    let server = SimulatedFeed(
      updatedAt: (0..<950).map { 10_000 + $0 / 120 * 30 }, now: 500, numbersPages: numbersPages)
    var sync = SimulatedSync(server, jobs: 4, seed: 3)
    try sync.run(Sweep(everything: .first, created: 100, began: 500, streams: 4))
    #expect(sync.kept == sync.server.items)
    #expect(sync.requests < 100)
    #expect(sync.syncedTo <= sync.server.now)
  }
}
