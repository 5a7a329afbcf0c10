import GitHubAPI
import TestSupport
import Testing

@testable import IssueMirrorPostgres

@Suite("The shared points per minute of workers, without a database")
struct PointsLedgerTests {
  /// A server that notes when requests arrive, and workers with their blocks.
  private struct World {
    struct Worker {
      var block = BudgetBlock()
      /// The points of the block that the database keeps, and their expiry.
      var kept = 0
      var keptUntil = 0.0
      /// Until then it sends without asking.
      var freshUntil = 0.0
      var arriving: [Int] = []
      var unanswered: [Int] = []
    }

    let limit: Int
    var time = 1000.0
    var ledger = BudgetLedger(quota: 1 << 30, remaining: 1 << 30, reset: 1, secondsLeft: 1e9)
    var spendings: [Int: Int] = [:]
    var arrivals: [(time: Double, points: Int)] = []
    var workers: [Worker]

    init(limit: Int, workers: Int) {
      self.limit = limit
      self.workers = Array(repeating: Worker(), count: workers)
    }

    private mutating func spend(_ points: Int) {
      let slot = PointsLedger.slot
      spendings[Int(time) / slot, default: 0] += points
      spendings = spendings.filter { Double(($0.key + 1) * slot + PointsLedger.window) > time }
    }

    private mutating func exchange(
      _ index: Int, _ report: BudgetBlock.Report,
      _ change: (inout BudgetLedger, inout PointsLedger, _ unsent: Int, _ points: Int) -> Void
    ) {
      for other in workers.indices where workers[other].keptUntil <= time {
        spend(workers[other].kept)
        workers[other].kept = 0
      }
      let isKnown = workers[index].kept > 0
      spend(report.spent)
      var points = PointsLedger(
        limit: limit, spent: spendings.values.reduce(0, +),
        othersOutstanding: workers.reduce(0) { $0 + $1.kept } - workers[index].kept,
        outstanding: report.pointsInFlight + (isKnown ? report.points : 0))
      if !isKnown { workers[index].block.lose() }
      ledger.outstanding = 0
      change(&ledger, &points, isKnown ? report.unsent : 0, isKnown ? report.points : 0)
      workers[index].kept = points.outstanding
      workers[index].keptUntil = time + 60
      workers[index].freshUntil = time + 20
    }

    mutating func reserve(_ index: Int, _ cost: Int) {
      let report = workers[index].block.report()
      var reply = (grant: BudgetLedger.Grant.full, points: 0)
      exchange(index, report) { ledger, points, unsent, unspent in
        reply = BudgetAccount.reserve(cost, besides: unsent, unspent, &ledger, &points)
      }
      if case .granted(let count) = reply.grant {
        workers[index].block.add(count, points: reply.points)
      }
    }

    mutating func giveBack(_ index: Int) {
      var report = workers[index].block.report()
      workers[index].block.takeUnsent(into: &report)
      exchange(index, report) { _, points, _, unspent in points.outstanding -= unspent }
    }

    mutating func send(_ index: Int, _ cost: Int) {
      if time < workers[index].freshUntil, workers[index].block.send(points: cost) {
        workers[index].arriving.append(cost)
      } else {
        reserve(index, cost)
      }
    }

    mutating func arrive(_ index: Int) {
      guard let cost = workers[index].arriving.popLast() else { return }
      arrivals.append((time, cost))
      workers[index].unanswered.append(cost)
    }

    mutating func answer(_ index: Int, _ end: BudgetBlock.End) {
      guard let cost = workers[index].unanswered.popLast() else { return }
      workers[index].block.finish(end, points: cost, nil)
    }

    mutating func crash(_ index: Int) {
      while !workers[index].arriving.isEmpty { arrive(index) }
      let (kept, until) = (workers[index].kept, workers[index].keptUntil)
      workers.append(Worker())
      workers[workers.count - 1].kept = kept
      workers[workers.count - 1].keptUntil = until
      workers[index] = Worker()
    }

    /// The most points that arrived within a minute.
    var worstMinute: Int {
      var (worst, sum, first) = (0, 0, 0)
      for arrival in arrivals {
        sum += arrival.points
        while arrivals[first].time <= arrival.time - 60 {
          sum -= arrivals[first].points
          first += 1
        }
        worst = max(worst, sum)
      }
      return worst
    }
  }

  @Test(
    "no minute exceeds the allowed points in any order of events, and most points are used",
    arguments: 1...20)
  func neverTooMany(seed: UInt64) {
    var dice = FuzzSource(seed: seed)
    let limit = dice.pick([50, 200, 900])
    let crew = 1 + dice.below(6)
    var world = World(limit: limit, workers: crew)
    for _ in 0..<30_000 {
      let index = dice.below(crew)
      switch dice.below(16) {
      case 0...4: world.send(index, dice.once(in: 10) ? 5 : 1)
      case 5...9: world.arrive(index)
      case 10...13: world.answer(index, dice.once(in: 3) ? .free : .counted)
      case 14: world.time += Double(dice.below(100)) / 100
      default:
        if dice.once(in: 50) { world.giveBack(index) }
        if dice.once(in: 500) { world.crash(index) }
        if dice.once(in: 500) { world.time += Double(dice.below(60)) }
      }
    }
    #expect(world.worstMinute <= limit)
    #expect(world.worstMinute > limit / 2)
  }

  @Test("a worker without points takes nothing from the quota, and a write costs five points")
  func costs() {
    var ledger = BudgetLedger(quota: 100, remaining: 100, reset: 1, secondsLeft: 50)
    var points = PointsLedger(limit: 10, spent: 6)
    let write = BudgetAccount.reserve(5, besides: 0, 0, &ledger, &points)
    #expect(write == (.full, 0))
    #expect(ledger.remaining == 100 && points.outstanding == 0)
    let read = BudgetAccount.reserve(1, besides: 0, 0, &ledger, &points)
    #expect(read == (.granted(6), 4))
    // One with requests left needs only points.
    points = PointsLedger(limit: 10, outstanding: 1)
    let more = BudgetAccount.reserve(5, besides: 3, 1, &ledger, &points)
    #expect(more == (.granted(0), 4))
    #expect(ledger.remaining == 94)
    ledger.pause = 9
    let paused = BudgetAccount.reserve(1, besides: 3, 0, &ledger, &points)
    #expect(paused == (.paused(9), 0))
  }
}

private func == (
  one: (grant: BudgetLedger.Grant, points: Int), other: (BudgetLedger.Grant, Int)
) -> Bool {
  one.grant == other.0 && one.points == other.1
}
