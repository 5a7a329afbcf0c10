import GitHubAPI
import TestSupport
import Testing

@testable import IssueMirrorPostgres

@Suite("The shared request budget of workers, without a database")
struct BudgetLedgerTests {
  /// A server that counts, and workers with their blocks. Requests take a while.
  private struct World {
    struct Worker {
      var block = BudgetBlock()
      /// The requests of the block that the database keeps.
      var outstanding = 0
      /// Answers under way: whether the server has counted the request.
      var answers: [(isCounted: Bool, quota: QuotaAnswer.Quota?)] = []
      var arriving = 0
    }

    let limit: Int
    var used = 0
    var reset = 1000
    var refused = 0
    var ledger = BudgetLedger()
    var workers: [Worker]

    init(limit: Int, workers: Int) {
      self.limit = limit
      self.workers = Array(repeating: Worker(), count: workers)
    }

    mutating func exchange(_ index: Int) -> BudgetLedger.Grant {
      let report = workers[index].block.report()
      ledger.othersOutstanding =
        workers.reduce(0) { $0 + $1.outstanding } - workers[index].outstanding
      ledger.outstanding = report.inFlight + report.unsent
      if let answer = report.answer { ledger.note(answer) }
      let grant = ledger.reserve()
      workers[index].outstanding = ledger.outstanding
      // As if there were points enough.
      if case .granted(let count) = grant { workers[index].block.add(count, points: 1000) }
      return grant
    }

    mutating func giveBack(_ index: Int) {
      var report = workers[index].block.report()
      workers[index].block.takeUnsent(into: &report)
      ledger.othersOutstanding =
        workers.reduce(0) { $0 + $1.outstanding } - workers[index].outstanding
      ledger.outstanding = report.inFlight + report.unsent
      if let answer = report.answer { ledger.note(answer) }
      ledger.giveBack(report.unsent)
      workers[index].outstanding = ledger.outstanding
    }

    /// A request reaches the server. One in `free` is answered with 304.
    mutating func arrive(_ index: Int, isFree: Bool) {
      workers[index].arriving -= 1
      if used >= limit { refused += 1 }
      let isCounted = !isFree && used < limit
      if isCounted { used += 1 }
      workers[index].answers.append(
        (
          isCounted,
          QuotaAnswer.Quota(limit: limit, remaining: limit - used, reset: reset, delay: 3600)
        ))
    }

    mutating func answer(_ index: Int, _ place: Int) {
      let answer = workers[index].answers.remove(at: place)
      workers[index].block.finish(
        answer.isCounted ? .counted : .free, answer.quota.map { QuotaAnswer(quota: $0) })
    }

    mutating func crash(_ index: Int) {
      // Its reservation stays until its block ends. Its sent requests still arrive.
      for _ in 0..<workers[index].arriving {
        if used >= limit { refused += 1 } else { used += 1 }
      }
      workers.append(Worker(outstanding: workers[index].outstanding))
      workers[index] = Worker()
    }

    mutating func renew() {
      (used, reset) = (0, reset + 3600)
      ledger.secondsLeft = -2
    }
  }

  @Test(
    "no order of events leads to a refused request or wastes much of the budget",
    arguments: 1...40)
  func neverOverdrawn(seed: UInt64) {
    var dice = FuzzSource(seed: seed)
    let limit = dice.pick([30, 100, 1000])
    let crew = 1 + dice.below(8)
    var world = World(limit: limit, workers: crew)
    for _ in 0..<3 {
      // Until no worker gets any more.
      var idle = 0
      while idle < 60 * crew {
        let index = dice.below(crew)
        idle += 1
        switch dice.below(8) {
        case 0...2:
          // As many at once as a sync sends.
          guard world.workers[index].block.inFlight < 8 else { break }
          if world.workers[index].block.send() {
            world.workers[index].arriving += 1
            idle = 0
          } else if case .granted = world.exchange(index) {
            idle = 0
          }
        case 3...4 where world.workers[index].arriving > 0:
          world.arrive(index, isFree: dice.once(in: 4))
        case 5...6 where !world.workers[index].answers.isEmpty:
          world.answer(index, dice.below(world.workers[index].answers.count))
        case 7 where dice.once(in: 4): world.giveBack(index)
        default: break
        }
      }
      // All that is under way comes to its end, as in a window of an hour.
      for index in 0..<crew {
        while world.workers[index].arriving > 0 { world.arrive(index, isFree: false) }
        while !world.workers[index].answers.isEmpty { world.answer(index, 0) }
      }
      #expect(world.refused == 0)
      // At most what was reserved or under way.
      let lost = limit - world.used
      let bound = min(crew * (BudgetLedger.largestBlock + 8), BudgetLedger.mostOutstanding)
      #expect(lost <= bound, "\(lost) of \(limit)")
      world.renew()
    }
  }

  @Test("a crashed worker loses no more of the budget than its reservation")
  func crashes() {
    var world = World(limit: 1000, workers: 4)
    for round in 0..<4000 {
      let index = round % 4
      if world.workers[index].block.send() {
        world.workers[index].arriving += 1
        world.arrive(index, isFree: false)
        if round % 400 == 7 { world.crash(index) } else { world.answer(index, 0) }
      } else {
        _ = world.exchange(index)
      }
    }
    #expect(world.refused == 0)
    #expect(world.used > 800)
    #expect(world.used <= 1000)
  }

  @Test("only a few requests are sent before the first response reports the quota")
  func unknown() {
    var world = World(limit: 1000, workers: 6)
    let grants = (0..<6).map { world.exchange($0) }
    #expect(grants == Array(repeating: .granted(1), count: 4) + [.full, .full])
    let isSent = world.workers[0].block.send()
    #expect(isSent)
    world.workers[0].arriving += 1
    world.arrive(0, isFree: false)
    world.answer(0, 0)
    let more = [world.exchange(0), world.exchange(5)]
    #expect(more == [.granted(BudgetLedger.largestBlock), .granted(BudgetLedger.largestBlock)])
    #expect(world.ledger.remaining == 1000 - 1 - 3 - 2 * BudgetLedger.largestBlock)
  }

  @Test("a small remainder is shared, and returned requests become available to others")
  func rest() {
    var ledger = BudgetLedger(quota: 100, remaining: 33, reset: 1, secondsLeft: 50)
    var grants = [ledger.reserve()]
    ledger.remaining = 1
    grants += [ledger.reserve(), ledger.reserve()]
    #expect(grants == [.granted(2), .granted(1), .full])
    ledger.giveBack(3)
    #expect((ledger.remaining, ledger.outstanding) == (3, 0))
    ledger.remaining = 0
    let spent = ledger.reserve()
    #expect(spent == .spent(51))
    // Never more than there are.
    ledger = BudgetLedger(quota: 100, remaining: 99, reset: 1, secondsLeft: 50, outstanding: 5)
    ledger.giveBack(5)
    #expect(ledger.remaining == 100)
  }

  @Test("an ended window is followed by a new one, and its late responses are ignored")
  func windows() {
    var ledger = BudgetLedger(
      quota: 100, remaining: 0, reset: 7, secondsLeft: -2, othersOutstanding: 4)
    let grant = ledger.reserve()
    #expect(grant == .granted(6))
    #expect(ledger.remaining == 90)
    ledger.note(QuotaAnswer(quota: .init(limit: 100, remaining: 0, reset: 7, delay: 0)))
    #expect(ledger.remaining == 90)
    // The first answer of the new one says how large it is.
    ledger.note(QuotaAnswer(quota: .init(limit: 60, remaining: 59, reset: 3607, delay: 3599)))
    #expect((ledger.quota, ledger.remaining) == (60, 59 - 10))
    // Others than the workers use the token too.
    ledger.note(QuotaAnswer(quota: .init(limit: 60, remaining: 20, reset: 3607, delay: 3000)))
    #expect(ledger.remaining == 10)
    ledger.note(QuotaAnswer(quota: .init(limit: 60, remaining: 40, reset: 3607, delay: 3000)))
    #expect(ledger.remaining == 10)
  }

  @Test("a response without a limit stops a worker only until the window ends")
  func unsized() {
    var ledger = BudgetLedger()
    ledger.note(QuotaAnswer(quota: .init(remaining: 0, reset: 7, delay: 100)))
    var grants = [ledger.reserve()]
    ledger.secondsLeft = -2
    grants.append(ledger.reserve())
    #expect(grants == [.spent(101), .granted(1)])
    ledger = BudgetLedger(quota: 60, remaining: 9, reset: 7, secondsLeft: 100)
    ledger.note(QuotaAnswer(quota: .init(remaining: 50, reset: 3607, delay: 100)))
    #expect((ledger.quota, ledger.remaining) == (60, 50))
  }

  @Test("all workers pause when the server asks one of them to slow down")
  func pause() {
    var ledger = BudgetLedger(quota: 100, remaining: 50, reset: 7, secondsLeft: 100)
    ledger.note(QuotaAnswer(pause: 30))
    ledger.note(QuotaAnswer(pause: 10))
    var grants = [ledger.reserve()]
    ledger.pause = 0
    grants.append(ledger.reserve())
    #expect(grants == [.paused(30), .granted(3)])
  }

  @Test("an unlimited server grants reservations of the same size")
  func unlimited() {
    var ledger = BudgetLedger()
    ledger.note(QuotaAnswer(isUnlimited: true))
    var grants = (0..<10).map { _ in ledger.reserve() }
    ledger.outstanding = 85
    grants.append(ledger.reserve())
    #expect(grants == Array(repeating: .granted(10), count: 9) + [.full, .granted(5)])
  }

  @Test("the later window wins, and within one window the lower remainder")
  func merging() {
    typealias Quota = QuotaAnswer.Quota
    let first = Quota(limit: 9, remaining: 5, reset: 1, delay: 1)
    let lower = Quota(limit: 9, remaining: 4, reset: 1, delay: 1)
    let later = Quota(limit: 9, remaining: 8, reset: 2, delay: 1)
    #expect(first.merged(with: lower) == lower && lower.merged(with: first) == lower)
    #expect(lower.merged(with: later) == later && later.merged(with: lower) == later)
    var answer = QuotaAnswer(quota: first, pause: 5)
    answer.merge(QuotaAnswer())
    answer.merge(QuotaAnswer(quota: lower, pause: 3))
    #expect(answer == QuotaAnswer(quota: lower, pause: 5))
  }
}
