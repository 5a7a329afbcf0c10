import ConcurrencyPrimitives
import Reactive
import TestSupport
import Testing

/// Behaviour 6 of the loop.
@Suite("events and bind", .timeLimit(.minutes(5)))
struct FeedbackBindingTests {
  @Test("bind shows every state in order, each before the consumer has it")
  func shows() async {
    let shown = Locked<[Int]>([])
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 = $1 },
      feedbacks: [
        .bind(
          show: { state in
            await Task.yield()
            shown.withLock { $0.append(state) }
          }, events: elements([1, 1, 2, 3]))
      ])
    for await state in loop {
      #expect(shown.withLock { $0.last } == state)
      if state == 3 { break }
    }
    #expect(shown.withLock { $0 } == [0, 1, 1, 2, 3])
  }

  @Test("bind shows on the main actor")
  @MainActor
  func mainActor() async {
    let label = Label()
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 = $1 },
      feedbacks: [.bind(show: { @MainActor in label.text = "\($0)" }, events: elements([1, 2]))])
    await Task.detached {
      for await state in loop where state == 2 { break }
    }.value
    #expect(label.text == "2")
  }

  @MainActor private final class Label {
    var text = ""
  }

  @Test("bind lives as long as the loop, whatever becomes of other feedbacks")
  func livesOn() async {
    let (source, input) = AsyncStream.makeStream(of: LookupEvent.self)
    let shown = Locked(0)
    do {
      let loop = FeedbackLoop.lookup(
        .react(request: \.request) { _, _ in },
        .events(elements([.answer("of a source that ends")])),
        .bind(show: { _ in shown.withLock { $0 += 1 } }, events: source))
      var states = loop.makeAsyncIterator()
      _ = await states.next()
      _ = await states.next()
      for request in [1, 2, nil, 1] {
        input.yield(.ask(request))
        #expect(await states.next()?.request == request)
      }
    }
    #expect(shown.withLock { $0 } == 6)
    // The loop is gone, and its hold on the source with it.
    while case .enqueued = input.yield(.ask(3)) { await Task.yield() }
    #expect(shown.withLock { $0 } == 6)
  }

  @Test("a failure is an event, and the feedback lives on")
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

  @Test("a source of events is read no further than the loop is")
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

  @Test("events() leaves an effect behind in no run", arguments: [0, 1, 10])
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
