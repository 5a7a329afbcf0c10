import ConcurrencyPrimitives
import Reactive
import ReactiveTesting
import TestSupport
import Testing

/// Behaviors 3 and 4 of the loop.
@Suite("react(request:)", .timeLimit(.minutes(5)))
struct FeedbackRequestTests {
  private typealias Loop = FeedbackLoop<Lookup, LookupEvent>

  private let source: AsyncStream<LookupEvent>
  private let input: AsyncStream<LookupEvent>.Continuation
  /// The requests whose effects were started, in order, and those that were cancelled.
  private let started = Watched<[Int]>([])
  private let cancelled = Watched<[Int]>([])

  init() {
    (source, input) = AsyncStream.makeStream()
  }

  /// A loop whose effects do nothing until they are cancelled.
  private var loop: Loop {
    .lookup(
      .react(request: \.request) { [started, cancelled] request, _ in
        started.update { $0.append(request) }
        await cancellation()
        cancelled.update { $0.append(request) }
      },
      .events(source))
  }

  private func ask(_ request: Int?, _ states: inout Loop.AsyncIterator) async {
    input.yield(.ask(request))
    #expect(await states.next()?.request == request)
  }

  @Test("a request starts its effect, and an equal request keeps it running")
  func starts() async throws {
    var states = loop.makeAsyncIterator()
    #expect(await states.next() == Lookup())
    await ask(1, &states)
    try await started.value { $0 == [1] ? () : nil }
    await ask(1, &states)
    await ask(1, &states)
    await ask(2, &states)
    try await started.value { $0.count == 2 ? () : nil }
    #expect(started.current == [1, 2])
    try await cancelled.value { $0 == [1] ? () : nil }
  }

  @Test("an equal request doesn't restart a finished effect")
  func finishedStays() async throws {
    let runs = Locked(0)
    let probe = Probe(
      Loop.lookup(
        .react(request: \.request) { request, emit in
          runs.withLock { $0 += 1 }
          await emit(.answer("\(request)"))
        },
        .events(source)))
    input.yield(.ask(1))
    try await probe.expect(
      .state(Lookup()),
      .event(.ask(1)), .started("1"), .state(Lookup(1)),
      .event(.answer("1")), .state(Lookup(1, answers: ["1"])))
    for _ in 0..<3 {
      input.yield(.ask(1))
      try await probe.expect(.event(.ask(1)), .state(Lookup(1, answers: ["1"])))
    }
    try await probe.finish()
    #expect(runs.withLock { $0 } == 1)
  }

  @Test("a different request cancels the effect and starts a new one")
  func replaces() async throws {
    let probe = Probe(loop)
    input.yield(.ask(1))
    input.yield(.ask(2))
    input.yield(.ask(nil))
    try await probe.expect(
      .state(Lookup()),
      .event(.ask(1)), .started("1"), .state(Lookup(1)),
      .event(.ask(2)), .cancelled("1"), .started("2"), .state(Lookup(2)),
      .event(.ask(nil)), .cancelled("2"), .state(Lookup()))
    try await probe.finish()
    #expect(Set(cancelled.current) == [1, 2])
  }

  @Test("a nil request cancels the effect, and the same request starts it again afterward")
  func nilCancels() async throws {
    let probe = Probe(loop)
    _ = try await probe.nextState()
    for _ in 0..<3 {
      input.yield(.ask(7))
      try await probe.expect(.event(.ask(7)), .started("7"), .state(Lookup(7)))
      input.yield(.ask(nil))
      try await probe.expect(.event(.ask(nil)), .cancelled("7"), .state(Lookup()))
    }
    try await probe.finish()
    #expect(started.current == [7, 7, 7])
  }

  @Test("a request in the initial state starts its effect")
  func initial() async {
    let loop = Loop.lookup(
      initially: 3,
      .react(request: \.request) { request, emit in await emit(.answer("\(request)")) })
    var states = loop.makeAsyncIterator()
    #expect(await states.next() == Lookup(3))
    #expect(await states.next() == Lookup(3, answers: ["3"]))
  }

  @Test("no event of a canceled effect is reduced, even one already emitted")
  func lease() async {
    for _ in 0..<100 {
      let (source, input) = AsyncStream.makeStream(of: LookupEvent.self)
      let emitted = Gate()
      let loop = Loop.lookup(
        initially: 1,
        .react(request: \.request) { request, emit in
          guard request == 1 else { return await emit(.answer("fresh")) }
          // Ignores its cancellation. One of these events cancels their own effect;
          // the events queued behind it must not arrive.
          await Task {
            await withTaskGroup { group in
              for _ in 0..<5 { group.addTask { await emit(.answer("stale")) } }
              group.addTask { await emit(.ask(2)) }
              for _ in 0..<5 { group.addTask { await emit(.answer("stale")) } }
            }
            await emit(.answer("stale"))
          }.value
          emitted.open()
        },
        .events(source))
      var states = loop.makeAsyncIterator()
      while let state = await states.next(), state.request == 1 {}
      let switched = await states.next()
      #expect(switched?.answers.last == "fresh")
      // Once all that was emitted has been reduced or dropped.
      let ending = Task {
        await emitted.wait()
        input.yield(.answer("end"))
      }
      while let state = await states.next(), state.answers.last != "end" {
        Issue.record("\(state) after \(String(describing: switched))")
      }
      await ending.value
    }
  }

  @Test("emit returns after its event was reduced")
  func emitWaits() async {
    let reduced = Locked(0)
    let ahead = Locked(0)
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0,
      reduce: { state, event in
        reduced.withLock { $0 = event }
        state = event
      },
      feedbacks: [
        .react(request: { _ in true }) { _, emit in
          for event in 1...100 {
            await emit(event)
            if reduced.withLock({ $0 }) != event { ahead.withLock { $0 += 1 } }
          }
        }
      ])
    for await state in loop where state == 100 { break }
    #expect(ahead.withLock { $0 } == 0)
  }
}
