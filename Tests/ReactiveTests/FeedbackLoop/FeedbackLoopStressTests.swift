import Reactive
import TestSupport
import TestTraits
import Testing

/// Loops that are too fast to be right by luck. The time limit is the watchdog.
@Suite("Feedback loop under stress", .tags(.heavy), .timeLimit(.minutes(10)), .serialized)
struct FeedbackLoopStressTests {
  /// How an effect never ends.
  enum Endless: CaseIterable, Sendable {
    case emitting, waiting, stubborn
  }

  @Test("a loop can be released while an endless effect runs", arguments: Endless.allCases)
  func released(kind: Endless) async {
    for round in 0..<500 * stressRounds {
      let (started, ended) = (Gate(), Gate())
      let loop = FeedbackLoop<Int, Int>(
        initialState: 0, reduce: { $0 += $1 },
        feedbacks: [
          .react(request: { _ in true }) { _, emit in
            started.open()
            switch kind {
            case .emitting: while !Task.isCancelled { await emit(1) }
            case .waiting: await cancellation()
            // Emits for as long as anybody takes it, in a task that isn't cancelled.
            case .stubborn:
              await Task { for _ in 0..<20 { await emit(1) } }.value
            }
            ended.open()
          }
        ])
      if round.isMultiple(of: 2) {
        var states = loop.makeAsyncIterator()
        for _ in 0..<(kind == .waiting ? 1 : round % 7) { _ = await states.next() }
        if round % 7 == 0, kind != .waiting { continue }
      } else {
        let consumer = Task { for await _ in loop {} }
        await started.wait()
        consumer.cancel()
        await consumer.value
      }
      await ended.wait()
    }
  }

  @Test("events sent from many concurrent tasks are each handled once")
  func manySenders() async {
    struct Sent: Sendable {
      var sender: Int
      var number: Int
    }
    struct Received: Sendable {
      var last = [Int](repeating: 0, count: 8)
      var count = 0
      var wrong = 0
    }
    let each = 500 * stressRounds
    let (source, input) = AsyncStream.makeStream(of: Sent.self)
    let loop = FeedbackLoop<Received, Sent>(
      initialState: Received(),
      reduce: { state, event in
        if event.number != state.last[event.sender] + 1 { state.wrong += 1 }
        state.last[event.sender] = event.number
        state.count += 1
      },
      feedbacks: [
        // Four senders in tasks of one effect, two effects of their own, two from outside.
        .react(request: { _ in true }) { _, emit in
          await withTaskGroup { group in
            for sender in 0..<4 {
              group.addTask {
                for number in 1...each { await emit(Sent(sender: sender, number: number)) }
              }
            }
          }
        },
        .react(requests: { _ in [4, 5] as Set }) { sender, emit in
          for number in 1...each { await emit(Sent(sender: sender, number: number)) }
        },
        .events(source),
      ])
    for sender in 6...7 {
      Task { for number in 1...each { input.yield(Sent(sender: sender, number: number)) } }
    }
    var states = 0
    for await state in loop {
      #expect(state.count == states)
      #expect(state.wrong == 0)
      states += 1
      if state.count == 8 * each { break }
    }
    #expect(states == 8 * each + 1)
  }

  @Test("no event of a canceled effect is reduced during rapid cancellation")
  func cancelStorm() async {
    let switches = 3_000 * stressRounds
    struct State: Sendable {
      var request = 0
      var stale = 0
    }
    enum Event: Sendable {
      case ask(Int)
      case answer(Int)
    }
    let running = Watched(0)
    do {
      let loop = FeedbackLoop<State, Event>(
        initialState: State(),
        reduce: { state, event in
          switch event {
          case .ask(let request): state.request = request
          case .answer(let answer): if answer != state.request { state.stale += 1 }
          }
        },
        feedbacks: [
          .react(request: \.request) { request, emit in
            running.update { $0 += 1 }
            // Goes on after it was cancelled.
            await Task { for _ in 0..<3 { await emit(.answer(request)) } }.value
            while !Task.isCancelled { await emit(.answer(request)) }
            running.update { $0 -= 1 }
          },
          .react(request: { _ in true }) { _, emit in
            for request in 1...switches {
              await emit(.ask(request))
              if request.isMultiple(of: 5) { await Task.yield() }
            }
          },
        ])
      for await state in loop {
        if state.stale > 0 {
          Issue.record("an answer was stale after \(state.request) switches")
          break
        }
        if state.request == switches { break }
      }
    }
    try? await running.value { $0 == 0 ? () : nil }
  }

  @Test("constantly changing sets start and cancel each member once")
  func changingSets() async {
    let steps = 1_000 * stressRounds
    let balance = Watched([Int: Int]())
    do {
      let loop = FeedbackLoop<Int, Int>(
        initialState: 0, reduce: { $0 = $1 },
        feedbacks: [
          .react(requests: { step in Set(step..<step + 4) }) { member, _ in
            balance.update { $0[member, default: 0] += 1 }
            await cancellation()
            balance.update { $0[member] = nil }
          },
          .events(elements(1...steps)),
        ])
      for await step in loop where step == steps { break }
    }
    // A member whose effect ran twice, or still does, stays.
    try? await balance.value { $0.isEmpty ? () : nil }
  }
}
