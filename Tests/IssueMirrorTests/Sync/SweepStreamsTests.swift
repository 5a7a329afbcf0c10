import GitHubAPI
import HTTPTargets
import IssueMirror
import TestSupport
import TestTraits
import Testing

@Suite("The concurrent streams of a sweep", .tags(.heavy))
struct SweepStreamsTests {
  /// A feed, and how its items lie on it.
  struct Distribution: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var pageSize = SweepAnswer.pageSize
    var times: @Sendable (inout FuzzSource) -> [Int]
  }

  private static let span = 315_360_000
  private static let began = 1_780_000_000
  private static let created = began - span

  private static let distributions = [
    Distribution(testDescription: "even") { _ in
      (0..<40_000).map { created + $0 * (span / 40_000) }
    },
    Distribution(testDescription: "all in the last month") { dice in
      (0..<40_000).map { _ in began - 1 - dice.below(2_592_000) }
    },
    Distribution(testDescription: "all in the first day") { dice in
      (0..<40_000).map { _ in created + dice.below(86_400) }
    },
    Distribution(testDescription: "ever denser") { dice in
      (0..<40_000).map { _ in
        let share = Double(dice.below(1_000_000)) / 1_000_000
        return began - 1 - Int(Double(span) * share * share * share * share)
      }
    },
    Distribution(testDescription: "bursts of an hour") { dice in
      let bursts = (0..<20).map { _ in began - 3_600 - dice.below(span) }
      return (0..<40_000).map { index in
        index % 4 == 0 ? began - 1 - dice.below(span) : bursts[index % 20] + dice.below(3_600)
      }
    },
    // Larger pages where there are so many: what is counted is pages.
    Distribution(testDescription: "most in one second", pageSize: runsFullTests ? 5_000 : 500) {
      dice in
      let second = began - dice.below(span)
      let (together, others) = runsFullTests ? (1_000_000, 200_000) : (100_000, 20_000)
      return Array(repeating: second, count: together)
        + (0..<others).map { _ in began - 1 - dice.below(span) }
    },
  ]

  /// All requests of a round are answered before the next: with equal answers, the time that a sync takes is
  /// the number of its rounds.
  ///
  /// Only a second can't be divided. The rest is shared: a stretch is cut at the latest when its stream has
  /// had a page of the pace that makes it long, and cutting down to a second takes as many rounds as the
  /// stretch's length has bits.
  @Test(
    "a sweep's streams stay busy until the end, however the items are distributed",
    arguments: distributions)
  func rounds(_ distribution: Distribution) throws {
    var dice = FuzzSource(seed: 6)
    let times = distribution.times(&dice)
    let server = SimulatedFeed(
      updatedAt: times, now: Self.began + 100, pageSize: distribution.pageSize)
    let jobs = 8
    var machine = SweepStateMachine(
      Sweep(everything: .first, created: Self.created, began: Self.began, streams: jobs),
      jobs: jobs)
    var rounds = 0
    var requests = 0
    var ids: Set<Int64> = []
    while !machine.isComplete {
      let asks = machine.asks()
      guard !asks.isEmpty else { break }
      rounds += 1
      requests += asks.count
      for ask in asks {
        let page = server.page(ask.place)
        ids.formUnion(page.ids)
        let items = page.ids.compactMap { server.items[$0] }
        machine.receive(
          SweepAnswer(items, next: page.next, askedAt: Self.began + 100), to: ask)
      }
    }
    #expect(machine.failure == nil)
    #expect(ids.count == server.items.count)
    let pages = (times.count + distribution.pageSize - 1) / distribution.pageSize
    let fullest = Dictionary(grouping: times) { $0 }.values.map(\.count).max() ?? 0
    let fullestPages = (fullest + distribution.pageSize - 1) / distribution.pageSize
    // Items that may appear late are read by one stream, at the end.
    let late = times.count { $0 >= Self.began - 2 * Sweep.lateness } / distribution.pageSize
    #expect(rounds <= max(pages / jobs, fullestPages) + 20 + late)
    #expect(requests <= pages + pages / 4 + 2 * jobs)
  }

  @Test("a sweep's streams take over part of a slow one's work, unless it can't be divided")
  func cutting() throws {
    var machine = SweepStateMachine(
      Sweep(
        purpose: .first, began: 1_000,
        stretches: [Stretch(position: 0, end: 1_000), Stretch(position: 999, end: nil)]),
      jobs: 3)
    // Nothing is known of the stretch yet, and the open one has to wait.
    let first = machine.asks()
    #expect(first.map(\.place) == [.since(0)])
    let link = PageLink("/items?since=0&after=10&id=1")
    machine.receive(answer(from: 0, to: 10, next: link), to: try #require(first.first))
    // 99 pages of the first one, and then 49; of the other nothing is known yet.
    let others = machine.asks()
    #expect(others.map(\.place) == [.page(link), .since(505), .since(257)])
    #expect(
      machine.sweep.stretches == [
        Stretch(position: 10, end: 257), Stretch(position: 257, end: 505),
        Stretch(position: 505, end: 1_000),
        Stretch(position: 999, end: nil),
      ])
  }

  @Test(
    "a sweep's failed streams leave their part to the next sync, and the others complete"
  )
  func failing() throws {
    let sweep = Sweep(everything: .first, created: 0, began: 1_000, streams: 4)
    var machine = SweepStateMachine(sweep, jobs: 4)
    let asks = machine.asks()
    #expect(asks.map(\.place) == [.since(0), .since(250), .since(500), .since(750)])
    machine.fail(asks[1], NetworkError(.timedOut, "it took too long"))
    for index in [0, 2, 3] {
      machine.receive(SweepAnswer(entries: [], next: nil, askedAt: 2_000), to: asks[index])
    }
    let rest = machine.asks()
    #expect(rest.isEmpty)
    #expect(machine.inFlight == 0)
    #expect(machine.failure?.code == .timedOut)
    #expect(!machine.isComplete)
    #expect(
      machine.sweep.stretches == [
        Stretch(position: 250, end: 500), Stretch(position: 880, end: nil),
      ])
    #expect(machine.sweep.stored == 0)

    machine = SweepStateMachine(machine.sweep, jobs: 4)
    let again = machine.asks()
    #expect(again.map(\.place) == [.since(250)])
    machine.receive(answer(from: 310, to: 312, next: nil), to: try #require(again.first))
    let last = machine.asks()
    // From the last change that was seen on: there is one to be asked for with an entity tag.
    #expect(last.map(\.place) == [.since(311)])
    machine.receive(
      answer(from: 312, to: 312, next: nil, entityTag: "\"t\""), to: try #require(last.first))
    #expect(machine.isComplete)
    #expect(machine.sweep.syncedTo == 312)
    #expect(machine.entityTag == "\"t\"")
    #expect(machine.sweep.stored == 4)
  }

  @Test("a sweep's streams remember the last change seen before an interruption")
  func latest() throws {
    var sweep = Sweep(everything: .first, created: 0, began: 1_000, streams: 2)
    var machine = SweepStateMachine(sweep, jobs: 2)
    let asks = machine.asks()
    machine.receive(answer(from: 310, to: 312, next: nil), to: asks[0])
    machine.fail(asks[1], NetworkError(.timedOut, "it took too long"))
    sweep = machine.sweep

    machine = SweepStateMachine(sweep, jobs: 2)
    let again = machine.asks()
    machine.receive(
      SweepAnswer(entries: [], next: nil, askedAt: 2_000), to: try #require(again.first))
    #expect(machine.asks().map(\.place) == [.since(311)])
  }

  @Test("a sweep's surplus streams wait for a free place")
  func moreStretchesThanJobs() {
    var machine = SweepStateMachine(
      Sweep(everything: .first, created: 0, began: 1_000, streams: 8), jobs: 2)
    let asks = machine.asks()
    #expect(asks.map(\.place) == [.since(0), .since(125)])
    #expect(machine.inFlight == 2)
  }

  @Test("a sweep's streams don't follow a cycle of pages")
  func circles() throws {
    var machine = SweepStateMachine(Sweep(changesSince: 100, began: 1_000), jobs: 1)
    let circle = PageLink("/items?after=1&id=1")
    while let ask = machine.next() {
      machine.receive(answer(from: 100, to: 200, next: circle), to: ask)
    }
    #expect(machine.failure?.code == .decoding)

    machine = SweepStateMachine(Sweep(changesSince: 100, began: 1_000), jobs: 1)
    var pages = 0
    while let ask = machine.next() {
      pages += 1
      let link = PageLink("/items?after=1&id=\(pages)")
      machine.receive(SweepAnswer(entries: [], next: link, askedAt: 2_000), to: ask)
    }
    #expect(pages == 21)
    #expect(machine.failure?.code == .decoding)
  }

  @Test(
    "a sweep's streams don't follow pages without new items forever",
    arguments: [
      [[(1, 200), (2, 200)]], [[(1, 200)], [(2, 200)], [(1, 200)]], [[(1, 5_000)]],
      [[(1, 200), (2, 5_000)]],
    ] as [[[(Int64, Int)]]], [false, true])
  func stale(turns: [[(Int64, Int)]], isNumbered: Bool) throws {
    var machine = SweepStateMachine(Sweep(changesSince: 100, began: 1_000), jobs: 1)
    var pages = 0
    while let ask = machine.next() {
      let entries = turns[pages % turns.count].map { SweepAnswer.Entry(id: $0, updatedAt: $1) }
      pages += 1
      let name = isNumbered ? "page" : "after"
      let link = PageLink("/items?\(name)=\(pages)&id=\(pages)")
      machine.receive(SweepAnswer(entries: entries, next: link, askedAt: 2_000), to: ask)
    }
    #expect(pages < 30)
    #expect(machine.failure?.message.contains("nothing new") == true)
  }

  @Test("a sweep's streams don't follow an item that changes on every page forever")
  func restless() throws {
    var machine = SweepStateMachine(Sweep(changesSince: 100, began: 1_000), jobs: 1)
    var pages = 0
    while let ask = machine.next() {
      pages += 1
      let entry = SweepAnswer.Entry(id: 1, updatedAt: 100 + pages)
      let link = PageLink("/items?after=\(pages)")
      machine.receive(SweepAnswer(entries: [entry], next: link, askedAt: 1_000_000), to: ask)
    }
    #expect(pages < 30)
    #expect(machine.failure?.code == .decoding)
  }

  @Test(
    "a sweep's streams refuse a list in another order, which could look complete too early",
    arguments: [[300, 200], [98], [100, 99], [2_500, 200, 150]])
  func otherOrder(times: [Int]) throws {
    var machine = SweepStateMachine(Sweep(changesSince: 100, began: 1_000), jobs: 1)
    let asks = machine.asks()
    let entries = times.map { SweepAnswer.Entry(id: Int64($0), updatedAt: $0) }
    machine.receive(
      SweepAnswer(entries: entries, next: PageLink("/items?page=2"), askedAt: 2_000),
      to: try #require(asks.first))
    #expect(machine.failure?.code == .decoding)
    #expect(machine.sweep.stretches == [Stretch(position: 99, end: nil)])
  }

  @Test(
    "a sweep's streams keep no entity tag of a list that can grow without changing its first page")
  func entityTags() throws {
    for count in [0, 1, 99, 100] {
      var machine = SweepStateMachine(Sweep(changesSince: 100, began: 1_000), jobs: 1)
      let asks = machine.asks()
      let entries = (0..<count).map { SweepAnswer.Entry(id: Int64($0), updatedAt: 100) }
      machine.receive(
        SweepAnswer(entries: entries, next: nil, askedAt: 2_000, entityTag: "\"t\""),
        to: try #require(asks.first))
      #expect(machine.isComplete)
      #expect(machine.entityTag == ([1, 99].contains(count) ? "\"t\"" : nil))
    }
  }

  @Test(
    "a sweep's streams distinguish page numbers from cursors",
    arguments: [
      ("/items?page=2", true), ("/items?per_page=100&page=12", true),
      ("/items?after=x%3D&page=2", false), ("/items?after=x", false), ("/page?x=page", false),
    ])
  func numbers(target: String, isNumbered: Bool) throws {
    var machine = SweepStateMachine(Sweep(changesSince: 100, began: 1_000), jobs: 1)
    let link = PageLink(target)
    let first = machine.asks()
    machine.receive(answer(from: 100, to: 200, next: link), to: try #require(first.first))
    let second = machine.asks()
    #expect(second.map(\.place) == [isNumbered ? .since(200) : .page(link)])
  }

  private func answer(
    from first: Int, to last: Int, next: PageLink?, entityTag: String? = nil
  ) -> SweepAnswer {
    SweepAnswer(
      entries: [
        SweepAnswer.Entry(id: 1, updatedAt: first), SweepAnswer.Entry(id: 2, updatedAt: last),
      ], next: next, askedAt: 2_000, entityTag: entityTag)
  }
}

extension SweepStateMachine {
  /// All that it wants now.
  fileprivate mutating func asks() -> [SweepAsk] {
    var asks: [SweepAsk] = []
    while let ask = next() { asks.append(ask) }
    return asks
  }
}
