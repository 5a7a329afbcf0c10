import ConcurrencyPrimitives
import Reactive
import TestSupport
import Testing

@Suite("shareLatest", .timeLimit(.minutes(5)))
struct ShareLatestTests {
  /// A hot source, whose iterators count as runs of the shared sequence.
  private let numbers = Subject<Int>()

  private func send(_ number: Int) async {
    while numbers.readerCount == 0 { await Task.yield() }
    numbers.send(number)
  }

  @Test("readers share one run, and a later one gets the latest element and the following ones")
  func oneRun() async {
    let shared = numbers.shareLatest()
    var early = shared.all.makeAsyncIterator()
    #expect(numbers.readerCount == 0)
    async let first: Void = send(1)
    #expect(await early.next() == 1)
    await first
    numbers.send(2)
    #expect(await early.next() == 2)
    var late = shared.all.makeAsyncIterator()
    #expect(await late.next() == 2)
    #expect(numbers.readerCount == 1)
    numbers.send(3)
    numbers.send(3)
    #expect([await early.next(), await early.next()] == [3, 3])
    #expect([await late.next(), await late.next()] == [3, 3])
  }

  @Test("the run is canceled after the last reader leaves, and the next reader begins a new one")
  func whileRead() async {
    let shared = numbers.shareLatest()
    for round in 1...3 {
      do {
        var first = shared.all.makeAsyncIterator()
        async let sent: Void = send(round)
        // Nothing of the run before.
        #expect(await first.next() == round)
        await sent
        for await number in shared.all {
          #expect(number == round)
          break
        }
        #expect(numbers.readerCount == 1)
        withExtendedLifetime(first) {}
      }
      while numbers.readerCount > 0 { await Task.yield() }
    }
  }

  @Test("a reader whose task is canceled leaves the run")
  func cancelled() async {
    let shared = numbers.shareLatest()
    let reader = Task {
      for await _ in shared.all {}
    }
    while numbers.readerCount == 0 { await Task.yield() }
    reader.cancel()
    await reader.value
    while numbers.readerCount > 0 { await Task.yield() }
  }

  @Test("a slow reader skips older elements by default")
  func newest() async {
    let shared = numbers.shareLatest()
    var (all, newest) = (shared.all.makeAsyncIterator(), shared.makeAsyncIterator())
    async let first: Void = send(1)
    #expect(await all.next() == 1)
    await first
    #expect(await newest.next() == 1)
    for number in 2...50 {
      numbers.send(number)
      #expect(await all.next() == number)
    }
    #expect(await newest.next() == 50)
  }

  @Test("every reader ends with the sequence after the remaining elements")
  func ends() async {
    let shared = elements(1...3).shareLatest()
    var read: [Int] = []
    for await number in shared.all { read.append(number) }
    #expect(read == [1, 2, 3])
  }

  @Test("views that share a loop see the events of its single run")
  func sharesLoop() async throws {
    let begun = Locked(0)
    let events = Subject<LookupEvent>()
    let loop = FeedbackLoop.lookup(
      .react(request: \.request) { request, emit in
        begun.withLock { $0 += 1 }
        await emit(.answer("\(request)"))
      },
      .events(events))
    let shared = loop.shareLatest()
    let views = (1...3).map { _ in
      Task {
        for await state in shared where !state.answers.isEmpty { return state.answers }
        return []
      }
    }
    while events.readerCount == 0 { await Task.yield() }
    events.send(.ask(7))
    for view in views { #expect(await view.value == ["7"]) }
    #expect(begun.withLock { $0 } == 1)
    // The last reader has left, so the loop has ended.
    while events.readerCount > 0 { await Task.yield() }
  }
}
