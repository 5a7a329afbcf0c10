import ConcurrencyPrimitives
import Reactive
import TestSupport
import Testing

/// Behavior 6 of the loop.
@Suite("events and bind", .timeLimit(.minutes(5)))
struct FeedbackBindingTests {
  @Test("bind shows the first and the newest state, and a busy view skips the ones between")
  func shows() async throws {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let (shown, busy) = (Watched<[Int]>([]), Gate())
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 = $1 },
      feedbacks: [
        .bind(
          show: { state in
            shown.update { $0.append(state) }
            if state == 1 { await busy.wait() }
          }, events: source)
      ])
    var states = loop.makeAsyncIterator()
    #expect(await states.next() == 0)
    try await shown.value { $0 == [0] ? () : nil }
    for state in 1...50 {
      input.yield(state)
      // The loop doesn't wait for the view, and its consumer sees every state.
      #expect(await states.next() == state)
      if state == 1 { try await shown.value { $0 == [0, 1] ? () : nil } }
    }
    busy.open()
    #expect(try await shown.value { $0.last == 50 ? $0 : nil } == [0, 1, 50])
    withExtendedLifetime(states) {}
  }

  @Test("a busy view retains only its displayed state and the newest one")
  func holdsTwo() async throws {
    struct State: Sendable {
      var number = 0
      var tracer: Tracer?
    }
    let (source, input) = AsyncStream.makeStream(of: Gate.self)
    let (isShowing, busy) = (Gate(), Gate())
    let loop = FeedbackLoop<State, Gate>(
      initialState: State(),
      reduce: { state, released in
        state = State(number: state.number + 1, tracer: Tracer(released))
      },
      feedbacks: [
        .bind(
          show: { state in
            isShowing.open()
            if state.number == 0 { await busy.wait() }
          }, events: source)
      ])
    var states = loop.makeAsyncIterator()
    _ = await states.next()
    await isShowing.wait()
    let released = (1...50).map { _ in Gate() }
    for gate in released {
      input.yield(gate)
      _ = await states.next()
    }
    #expect(released.map(\.isOpen) == Array(repeating: true, count: 49) + [false])
    busy.open()
    withExtendedLifetime(states) {}
  }

  @Test("bind calls the view on the main actor")
  @MainActor
  func mainActor() async {
    let label = Label()
    let isShown = Gate()
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 = $1 },
      feedbacks: [
        .bind(
          show: { @MainActor state in
            label.text = "\(state)"
            if state == 2 { isShown.open() }
          }, events: elements([1, 2]))
      ])
    let running = Task.detached {
      for await _ in loop {}
    }
    await isShown.wait()
    #expect(label.text == "2")
    running.cancel()
    await running.value
  }

  @MainActor private final class Label {
    var text = ""
  }

  @Test("bind lasts as long as the loop, even if other feedbacks end")
  func livesOn() async throws {
    let (source, input) = AsyncStream.makeStream(of: LookupEvent.self)
    let shown = Watched<[Int?]>([])
    do {
      let loop = FeedbackLoop.lookup(
        .react(request: \.request) { _, _ in },
        .events(elements([.answer("of a source that ends")])),
        .bind(show: { state in shown.update { $0.append(state.request) } }, events: source))
      var states = loop.makeAsyncIterator()
      _ = await states.next()
      _ = await states.next()
      for request in [1, 2, nil, 1] {
        input.yield(.ask(request))
        #expect(await states.next()?.request == request)
        try await shown.value { $0.last == request ? () : nil }
      }
    }
    let last = shown.current
    // The loop is gone, and its hold on the source with it.
    while case .enqueued = input.yield(.ask(3)) { await Task.yield() }
    #expect(shown.current == last)
  }

  @Test("a failure becomes an event, and the feedback continues")
  func failures() async {
    struct Failure: Error {}
    @Sendable func answer(_ request: Int) throws -> String {
      guard request != 2 else { throw Failure() }
      return "\(request)"
    }
    let (source, input) = AsyncStream.makeStream(of: LookupEvent.self)
    let loop = FeedbackLoop.lookup(
      .react(request: \.request) { request, emit in
        do {
          await emit(.answer(try answer(request)))
        } catch {
          await emit(.answer("failed"))
        }
      },
      .events(source))
    var states = loop.makeAsyncIterator()
    _ = await states.next()
    for request in 1...3 {
      input.yield(.ask(request))
      _ = await states.next()
      #expect(await states.next()?.answers.last == (request == 2 ? "failed" : "\(request)"))
    }
  }

  @Test("a source of events is read only as fast as the loop")
  func readsInStep() async {
    let produced = Locked(0)
    let source = AsyncStream<Int> {
      produced.withLock { produced in
        produced += 1
        return produced
      }
    }
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 = $1 }, feedbacks: [.events(source)])
    for await state in loop {
      #expect(produced.withLock { $0 } <= state + 1)
      if state == 500 { break }
    }
  }

  @Test("events() doesn't leave an effect behind after any run", arguments: [0, 1, 10])
  func eachRunReads(count: Int) async {
    let source = CountingSource(elements: Array(0..<count))
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { state, _ in state += 1 }, feedbacks: [.events(source)])
    for run in 1...3 {
      var states = loop.makeAsyncIterator()
      for expected in 0...count {
        #expect(await states.next() == expected)
      }
      if count > 0 { #expect(source.runs == run) }
    }
  }
}
