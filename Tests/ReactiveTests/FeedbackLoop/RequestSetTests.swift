import ConcurrencyPrimitives
import ReactiveTesting
import TestSupport
import Testing

@testable import Reactive

@Suite("react(requests:) with a RequestSet", .timeLimit(.minutes(5)))
struct RequestSetTests {
  @Test("new members start, removed ones are canceled, and others keep running")
  func effects() async throws {
    let (source, input) = AsyncStream.makeStream(of: [Int].self)
    // An event toggles numbers; none at all removes everything.
    let probe = Probe(
      FeedbackLoop<RequestSet<Int>, [Int]>(
        initialState: RequestSet([1]),
        reduce: { state, numbers in
          for number in numbers where !state.insert(number) { state.remove(number) }
          if numbers.isEmpty { state.removeAll() }
        },
        feedbacks: [
          .react(requests: { $0 }) { _, _ in await cancellation() }, .events(source),
        ]))
    try await probe.expect(.started("1"), .state(RequestSet([1])))
    input.yield([2])
    try await probe.expect(.event([2]), .started("2"), .state(RequestSet([1, 2])))
    // Gone and back, and there and gone, within one event.
    input.yield([2, 2, 3, 3])
    try await probe.expect(.event([2, 2, 3, 3]), .state(RequestSet([1, 2])))
    input.yield([1, 3])
    try await probe.expect(
      .event([1, 3]), .cancelled("1"), .started("3"), .state(RequestSet([2, 3])))
    input.yield([])
    _ = try await probe.nextState()
    try await probe.finish()
  }

  @Test("a step examines only the requests changed by its event")
  func costs() async {
    let looks = Locked(0)
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let loop = FeedbackLoop<RequestSet<Costly>, Int>(
      initialState: RequestSet((0..<1_000).map { Costly(number: $0, looks: looks) }),
      reduce: { state, number in
        let request = Costly(number: number, looks: looks)
        if !state.insert(request) { state.remove(request) }
      },
      feedbacks: [.react(requests: { $0 }) { _, _ in }, .events(source)])
    var states = loop.makeAsyncIterator()
    _ = await states.next()
    for number in [1_000, 1_001, 0, 1, 1_001] {
      looks.withLock { $0 = 0 }
      input.yield(number)
      _ = await states.next()
      // A removal hashes the neighbours in the table too.
      #expect(looks.withLock { $0 } <= 50)
    }
  }

  @Test("a reader knows the members of a request set after any changes", arguments: 0..<50)
  func reads(seed: UInt64) {
    var numbers = FuzzSource(seed: seed)
    var set = RequestSet<Int>()
    var other = set
    var reader = RequestSetReader<Int>()
    var known: Set<Int> = []
    for _ in 0..<500 {
      for _ in 0..<numbers.pick([0, 1, 3, 80]) {
        let number = numbers.below(60)
        switch numbers.below(200) {
        case 0: set.removeAll()
        case 1: set = RequestSet(0..<number)
        // Two copies that are changed in turn.
        case 2...4: swap(&set, &other)
        case 5: other = set
        case 6..<100: set.insert(number)
        default: set.remove(number)
        }
      }
      let difference = reader.difference(to: set)
      let (gone, come) = (difference?.gone.map(\.key) ?? [], difference?.come.map(\.key) ?? [])
      #expect(known.isSuperset(of: gone) && known.isDisjoint(with: come))
      #expect(Set(gone).count == gone.count && Set(come).count == come.count)
      known = known.subtracting(gone).union(come)
      #expect(known == set.members)
    }
  }
}
