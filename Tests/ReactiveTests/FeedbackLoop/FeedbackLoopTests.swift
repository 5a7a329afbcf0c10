import ConcurrencyPrimitives
import Reactive
import ReactiveTesting
import TestSupport
import Testing

/// Behaviors 1, 2 and 5 of the loop, and how a run ends.
@Suite("Feedback loop", .timeLimit(.minutes(5)))
struct FeedbackLoopTests {
  private typealias Loop = FeedbackLoop<Lookup, LookupEvent>

  // MARK: Runs

  @Test("nothing happens before the loop's first next()")
  func cold() async {
    let effects = Locked(0)
    let source = CountingSource(elements: [1])
    let loop = Loop.lookup(
      initially: 1,
      .react(request: \.request) { _, _ in effects.withLock { $0 += 1 } },
      .events(source.map { .ask($0) }))
    let iterator = loop.makeAsyncIterator()
    await Task.yield()
    #expect(effects.withLock { $0 } == 0)
    #expect(source.runs == 0)
    withExtendedLifetime(iterator) {}
  }

  @Test("each run outputs the initial state first and once")
  func runs() async {
    let loop = Loop.lookup(
      initially: 1,
      .react(request: \.request) { request, emit in await emit(.answer("\(request)")) })
    for _ in 0..<3 {
      var states = loop.makeAsyncIterator()
      #expect(await states.next() == Lookup(1))
      #expect(await states.next() == Lookup(1, answers: ["1"]))
    }
  }

  @Test("two concurrent runs are independent")
  func independent() async {
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [.react(request: { $0 < 10 ? $0 : nil }) { _, emit in await emit(1) }])
    var (first, second) = (loop.makeAsyncIterator(), loop.makeAsyncIterator())
    for expected in 0...10 {
      #expect(await first.next() == expected)
      #expect(await second.next() == expected)
    }
  }

  @Test("a consumer canceled before the start doesn't get or start anything")
  func cancelledBefore() async {
    let effects = Locked(0)
    let loop = Loop.lookup(
      initially: 1, .react(request: \.request) { _, _ in effects.withLock { $0 += 1 } })
    let states = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var states = loop.makeAsyncIterator()
      return await [states.next(), states.next()]
    }.value
    #expect(states == [nil, nil])
    #expect(effects.withLock { $0 } == 0)
  }

  // MARK: Steps

  @Test("each event causes one reduction and one state, even an equal one")
  func oneStateEach() async {
    let reduced = Locked(0)
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0,
      reduce: { state, event in
        reduced.withLock { $0 += 1 }
        state = event
      },
      feedbacks: [.events(elements([1, 1, 1, 2, 2]))])
    var states = loop.makeAsyncIterator()
    for (index, expected) in [0, 1, 1, 1, 2, 2].enumerated() {
      #expect(await states.next() == expected)
      #expect(reduced.withLock { $0 } == index)
    }
  }

  @Test("events are reduced in arrival order")
  func arrival() async {
    let loop = FeedbackLoop<[Int], Int>(
      initialState: [], reduce: { $0.append($1) }, feedbacks: [.events(elements(0..<100))])
    for await state in loop where state.count == 100 {
      #expect(state == Array(0..<100))
      break
    }
  }

  @Test("an event caused by a state output is queued and neither nested nor lost")
  func causedByState() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let reducing = Locked(false)
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0,
      reduce: { state, event in
        #expect(
          reducing.withLock { reducing in
            defer { reducing = true }
            return !reducing
          })
        // From inside the step, the earliest that anybody could send.
        if event < 100 { input.yield(event + 1) }
        state = event
        reducing.withLock { $0 = false }
      },
      feedbacks: [.bind(show: { if $0 == 0 { input.yield(1) } }, events: source)])
    var next = 0
    for await state in loop {
      #expect(state == next)
      next += 1
      if state == 100 { break }
    }
    #expect(next == 101)
  }

  @Test("a step reduces, then cancels stale effects, then publishes")
  func stepOrder() async {
    let trace = Locked<[String]>([])
    let note: @Sendable (String) -> Void = { text in trace.withLock { $0.append(text) } }
    // A cancellation handler runs inside the step; the body of an effect doesn't.
    let (begun, shown) = (Watched(0), Gate())
    func feedback(_ name: String) -> Feedback<Lookup, LookupEvent> {
      .react(request: \.request) { request, emit in
        await withTaskCancellationHandler {
          begun.update { $0 += 1 }
          await cancellation()
        } onCancel: {
          note("\(name)\(request) cancelled")
        }
      }
    }
    let loop = FeedbackLoop<Lookup, LookupEvent>(
      initialState: Lookup(1),
      reduce: {
        note("reduce")
        Lookup.reduce(&$0, $1)
      },
      feedbacks: [
        feedback("a"), feedback("b"),
        .bind(
          show: { state in
            note("show \(state.request ?? 0)")
            if state.request == 2 { shown.open() }
          }, events: elements([.ask(2)])),
      ])
    var states = loop.makeAsyncIterator()
    #expect(await states.next() == Lookup(1))
    try? await begun.value { $0 == 2 ? () : nil }
    #expect(await states.next() == Lookup(2))
    await shown.wait()
    #expect(
      trace.withLock { $0.filter { $0 != "show 1" } }
        == ["reduce", "a1 cancelled", "b1 cancelled", "show 2"])
  }

  @Test("stale effects of all feedbacks are canceled before any is started")
  func cancelledFirst() async throws {
    let (source, input) = AsyncStream.makeStream(of: LookupEvent.self)
    let loop = Loop.lookup(
      initially: 1,
      .react(request: \.request) { _, _ in },
      .react(requests: { Set([$0.request].compactMap { $0 }) }) { _, _ in },
      .events(source))
    try await loop.probed { probe in
      try await probe.expect(.started("1"), .started("1"), .state(Lookup(1)))
      input.yield(.ask(2))
      try await probe.expect(
        .event(.ask(2)), .cancelled("1"), .cancelled("1"), .started("2"), .started("2"),
        .state(Lookup(2)))
    }
  }

  @Test("when a state arrives, its stale effects are canceled and its own are started")
  func publishedLast() async {
    let running = Locked<Set<Int>>([])
    let started = Watched<Set<Int>>([])
    let (source, input) = AsyncStream.makeStream(of: LookupEvent.self)
    let loop = Loop.lookup(
      .react(request: \.request) { request, _ in
        await withTaskCancellationHandler {
          running.withLock { _ = $0.insert(request) }
          started.update { _ = $0.insert(request) }
          await cancellation()
        } onCancel: {
          running.withLock { _ = $0.remove(request) }
        }
      },
      .events(source))
    input.yield(.ask(0))
    for await state in loop {
      guard let request = state.request else { continue }
      #expect(!running.withLock { $0 }.contains { $0 != request })
      // It would wait for ever if the effect were not started by now.
      try? await started.value { $0.contains(request) ? () : nil }
      if request == 50 { break }
      input.yield(.ask(request + 1))
    }
  }

  // MARK: The consumer

  @Test("the loop doesn't reduce ahead of its consumer or drop a state")
  func keepsStep() async {
    let reduced = Locked(0)
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0,
      reduce: { state, event in
        reduced.withLock { $0 += 1 }
        state += event
      },
      feedbacks: [
        .events(elements(Array(repeating: 1, count: 1_000))),
        .react(request: { _ in true }) { _, emit in
          while !Task.isCancelled { await emit(0) }
        },
      ])
    var taken = 0
    for await state in loop {
      #expect(reduced.withLock { $0 } == taken)
      taken += 1
      await Task.yield()
      if state == 1_000 { break }
    }
  }

  @Test("leaving the loop over the states cancels effects and sources")
  func left() async {
    let (effect, source, reading) = (Gate(), Gate(), Gate())
    do {
      let loop = Loop.lookup(
        initially: 1,
        .react(request: \.request) { _, _ in
          await cancellation()
          effect.open()
        },
        .events(
          AsyncStream<LookupEvent> {
            reading.open()
            await cancellation()
            source.open()
            return nil
          }))
      for await _ in loop {
        await reading.wait()
        break
      }
    }
    await effect.wait()
    await source.wait()
  }

  @Test("canceling the consumer ends the states and cancels the effects")
  func cancelled() async {
    let (effect, first) = (Gate(), Gate())
    let loop = Loop.lookup(
      initially: 1,
      .react(request: \.request) { _, _ in
        await cancellation()
        effect.open()
      })
    let consumer = Task {
      var count = 0
      for await _ in loop {
        count += 1
        first.open()
      }
      return count
    }
    await first.wait()
    consumer.cancel()
    #expect(await consumer.value == 1)
    await effect.wait()
  }

  @Test("an emit that waits for a consumer returns at the end of the run")
  func emitAfterEnd() async {
    let (emitting, returned) = (Gate(), Gate())
    do {
      let loop = Loop.lookup(
        initially: 1,
        .react(request: \.request) { _, emit in
          // In a task of its own, which isn't cancelled with the effect.
          await Task {
            emitting.open()
            await emit(.answer("unheard"))
          }.value
          returned.open()
        })
      var states = loop.makeAsyncIterator()
      _ = await states.next()
      await emitting.wait()
    }
    await returned.wait()
  }

  @Test("steps run on the consumer's actor")
  @MainActor
  func isolation() async {
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0,
      reduce: { state, event in
        MainActor.assertIsolated()
        state = event
      },
      feedbacks: [.events(elements([1, 2]))])
    for await state in loop where state == 2 { break }
  }
}
