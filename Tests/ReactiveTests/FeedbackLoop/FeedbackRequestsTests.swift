import ConcurrencyPrimitives
import Reactive
import ReactiveTesting
import TestSupport
import Testing

/// Behavior 3 of the loop, for sets and dictionaries.
@Suite("react(requests:)", .timeLimit(.minutes(5)))
struct FeedbackRequestsTests {
  @Test("in a set, new members start, removed ones are canceled, and others keep running")
  func set() async throws {
    let (source, input) = AsyncStream.makeStream(of: Set<Int>.self)
    let log = Watched<[String]>([])
    let probe = Probe(
      FeedbackLoop<Set<Int>, Set<Int>>(
        initialState: [1], reduce: { $0 = $1 },
        feedbacks: [
          .react(requests: { $0 }) { request, _ in
            log.update { $0.append("+\(request)") }
            await cancellation()
            log.update { $0.append("-\(request)") }
          },
          .events(source),
        ]))
    try await probe.expect(.started("1"), .state([1]))
    input.yield([1, 2])
    try await probe.expect(.event([1, 2]), .started("2"), .state([1, 2]))
    input.yield([1, 2])
    try await probe.expect(.event([1, 2]), .state([1, 2]))
    input.yield([2, 3])
    try await probe.expect(.event([2, 3]), .cancelled("1"), .started("3"), .state([2, 3]))
    input.yield([])
    _ = try await probe.nextState()
    try await probe.finish()
    #expect(log.current.sorted() == ["+1", "+2", "+3", "-1", "-2", "-3"])
  }

  @Test("in a dictionary, a changed value is passed to the running effect")
  func dictionary() async throws {
    let (source, input) = AsyncStream.makeStream(of: [String: Int].self)
    let log = Watched<[String: [Int]]>([:])
    let probe = Probe(
      FeedbackLoop<[String: Int], [String: Int]>(
        initialState: ["a": 1], reduce: { $0 = $1 },
        feedbacks: [
          .react(requests: { $0 }) { key, requests, _ in
            for await request in requests {
              log.update { $0[key, default: []].append(request) }
            }
            log.update { $0[key, default: []].append(0) }
          },
          .events(source),
        ]))
    try await probe.expect(.started("1"), .state(["a": 1]))
    for states in [["a": 2], ["a": 2], ["a": 3]] {
      input.yield(states)
      try await probe.expect(.event(states), .state(states))
    }
    input.yield(["a": 3, "b": 1])
    try await probe.expect(
      .event(["a": 3, "b": 1]), .started("1"), .state(["a": 3, "b": 1]))
    // Every change has arrived, in order, and no equal one.
    try await log.value { $0 == ["a": [1, 2, 3], "b": [1]] ? () : nil }
    input.yield(["b": 1])
    try await probe.expect(.event(["b": 1]), .cancelled("3"), .state(["b": 1]))
    try await log.value { $0 == ["a": [1, 2, 3, 0], "b": [1]] ? () : nil }
    input.yield([:])
    try await probe.expect(.event([:]), .cancelled("1"), .state([:]))
    try await probe.finish()
  }

  @Test("in a dictionary, only a new key restarts a finished effect")
  func dictionaryReturned() async throws {
    let (source, input) = AsyncStream.makeStream(of: [Int: String].self)
    let probe = Probe(
      FeedbackLoop<[Int: String], [Int: String]>(
        initialState: [1: "a"], reduce: { $0 = $1 },
        feedbacks: [.react(requests: { $0 }) { _, _, _ in }, .events(source)]))
    try await probe.expect(.started("a"), .state([1: "a"]))
    input.yield([1: "b"])
    try await probe.expect(.event([1: "b"]), .state([1: "b"]))
    input.yield([2: "b"])
    try await probe.expect(.event([2: "b"]), .cancelled("b"), .started("b"), .state([2: "b"]))
    try await probe.finish()
  }

  @Test("a stored set isn't examined if an event doesn't change it")
  func unchangedSet() async {
    let looks = Locked(0)
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let wanted = Set((0..<1_000).map { Costly(number: $0, looks: looks) })
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 = $1 },
      feedbacks: [
        .react(requests: { _ in wanted }) { _, _ in await cancellation() }, .events(source),
      ])
    var states = loop.makeAsyncIterator()
    _ = await states.next()
    looks.withLock { $0 = 0 }
    for event in 1...10 {
      input.yield(event)
      _ = await states.next()
    }
    #expect(looks.withLock { $0 } == 0)
  }

  @Test(
    "a set or dictionary needs one lookup per member, and two after a removal",
    arguments: [false, true])
  func costs(isDictionary: Bool) async {
    let count = 1_000
    let looks = Locked(0)
    let (source, input) = AsyncStream.makeStream(of: Range<Int>.self)
    let wanted: @Sendable (Range<Int>) -> [Costly: Int] = { range in
      Dictionary(uniqueKeysWithValues: range.map { (Costly(number: $0, looks: looks), 0) })
    }
    // The sets are made by the step too; that isn't counted.
    let uncounted: @Sendable (Range<Int>) -> [Costly: Int] = { range in
      let before = looks.withLock { $0 }
      let wanted = wanted(range)
      looks.withLock { $0 = before }
      return wanted
    }
    let loop = FeedbackLoop<Range<Int>, Range<Int>>(
      initialState: 0..<count, reduce: { $0 = $1 },
      feedbacks: [
        isDictionary
          ? .react(requests: uncounted) { _, _, _ in }
          : .react(
            requests: { range in
              let before = looks.withLock { $0 }
              let keys = Set(wanted(range).keys)
              looks.withLock { $0 = before }
              return keys
            }) { _, _ in },
        .events(source),
      ])
    var states = loop.makeAsyncIterator()
    _ = await states.next()
    // One look-up hashes once, and compares with few others. The new and the gone enter and leave the table.
    for (range, most) in [
      (0..<count + 1, count + 1), (0..<count, 2 * count), (1..<count + 1, 3 * count),
    ] {
      looks.withLock { $0 = 0 }
      input.yield(range)
      _ = await states.next()
      #expect(looks.withLock { $0 } <= most + 50)
    }
  }
}

/// A request that counts how often it is hashed.
struct Costly: Hashable, Sendable {
  let number: Int
  let looks: Locked<Int>

  func hash(into hasher: inout Hasher) {
    looks.withLock { $0 += 1 }
    hasher.combine(number)
  }

  static func == (left: Costly, right: Costly) -> Bool {
    left.number == right.number
  }
}
