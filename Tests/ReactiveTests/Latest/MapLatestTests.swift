import ConcurrencyPrimitives
import Reactive
import TestSupport
import Testing

@Suite("mapLatest", .timeLimit(.minutes(5)))
struct MapLatestTests {
  @Test("each element that isn't superseded yields one result, in order")
  func oneResultEach() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let results = Reader(source.mapLatest { $0 * 10 })
    for element in 1...3 {
      input.yield(element)
      #expect(await results.next() == element * 10)
    }
    input.finish()
    #expect(await results.next() == nil)
    #expect(await results.next() == nil)
  }

  @Test(
    "canceling the consumer at any time ends a source that its owner keeps",
    .timeLimit(.minutes(1)))
  func keptSource() async {
    for round in 0..<1_000 {
      let (source, input) = AsyncStream.makeStream(of: Int.self)
      let hasEnded = Watched(false)
      input.onTermination = { _ in hasEnded.update { $0 = true } }
      let consumer = Task { for await _ in source.mapLatest({ $0 }) {} }
      let producer = Task {
        for element in 0..<40 {
          input.yield(element)
          await Task.yield()
        }
      }
      for _ in 0..<(round % 40) { await Task.yield() }
      consumer.cancel()
      await consumer.value
      await producer.value
      await hasEnded.wait { $0 }
      withExtendedLifetime(source) {}
    }
  }

  @Test("an empty source yields nothing and ends")
  func emptySource() async {
    for await result in elements([Int]()).mapLatest({ $0 }) {
      Issue.record("\(result) came out of nothing")
    }
  }

  @Test("a newer element cancels the running body and discards its result")
  func newerCancelsOlder() async {
    let (source, input) = AsyncStream.makeStream(of: String.self)
    let older = (started: Gate(), cancelled: Gate())
    let sequence = source.mapLatest { name in
      if name == "older" {
        older.started.open()
        await cancellation()
        older.cancelled.open()
      }
      return name
    }
    async let results = sequence.reduce(into: []) { $0.append($1) }
    input.yield("older")
    await older.started.wait()
    input.yield("newer")
    await older.cancelled.wait()
    input.finish()
    #expect(await results == ["newer"])
  }

  @Test("a body that ignores cancellation doesn't block others, and its result is discarded")
  func stubbornBody() async {
    let (source, input) = AsyncStream.makeStream(of: String.self)
    let (started, mayReturn) = (Gate(), Gate())
    let results = Reader(
      source.mapLatest { name in
        if name == "stubborn" {
          started.open()
          await mayReturn.waitStubbornly()
        }
        return name
      })
    input.yield("first")
    #expect(await results.next() == "first")
    input.yield("stubborn")
    await started.wait()
    input.yield("second")
    #expect(await results.next() == "second")
    mayReturn.open()
    input.yield("third")
    #expect(await results.next() == "third")
  }

  @Test("a ready result that wasn't taken is dropped when a newer element arrives")
  func readyResultIsDropped() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let (secondRan, thirdStarted) = (Gate(), Gate())
    let results = Reader(
      source.mapLatest { element in
        if element == 2 { secondRan.open() }
        if element == 3 { thirdStarted.open() }
        return element
      })
    input.yield(1)
    #expect(await results.next() == 1)
    input.yield(2)
    await secondRan.wait()
    input.yield(3)
    await thirdStarted.wait()
    #expect(await results.next() == 3)
  }

  @Test("the last result is delivered even if the source ends first")
  func lastElementWins() async {
    let ended = Gate()
    let rest = Locked([7])
    let source = AsyncStream {
      guard let element = rest.withLock({ $0.popLast() }) else {
        ended.open()
        return nil as Int?
      }
      return element
    }
    let sequence = source.mapLatest { element in
      await ended.wait()
      return element
    }
    #expect(await sequence.reduce(into: []) { $0.append($1) } == [7])
  }

  @Test("nothing starts before the first next()")
  func cold() async {
    let source = CountingSource(elements: [1])
    let sequence = source.mapLatest { $0 }
    let results = Reader(sequence)
    #expect(source.runs == 0)
    #expect(await results.next() == 1)
    #expect(source.runs == 1)
  }

  @Test("each iterator is a separate run")
  func independentRuns() async {
    let source = CountingSource(elements: [1])
    let sequence = source.mapLatest { $0 }
    let (first, second) = (Reader(sequence), Reader(sequence))
    #expect(await first.next() == 1)
    #expect(await second.next() == 1)
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
    #expect(source.runs == 2)
  }

  @Test("canceling the consumer ends its loop, the body and the source")
  func consumerCancelled() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let (started, bodyCancelled, sourceCancelled) = (Gate(), Gate(), Gate())
    input.onTermination = { if case .cancelled = $0 { sourceCancelled.open() } }
    let consumer = Task {
      for await _ in source.mapLatest({ _ in
        started.open()
        await cancellation()
        bodyCancelled.open()
      }) {
        Issue.record("a cancelled body was heard")
      }
    }
    input.yield(1)
    await started.wait()
    consumer.cancel()
    await consumer.value
    await bodyCancelled.wait()
    await sourceCancelled.wait()
  }

  @Test("a consumer canceled before the start gets nothing and starts no transformation")
  func cancelledFromTheStart() async {
    let source = CountingSource(elements: [1])
    let mayStart = Gate()
    let consumer = Task {
      await mayStart.waitStubbornly()
      let results = source.mapLatest { element in
        Issue.record("\(element) was transformed")
        return element
      }
      return await results.reduce(0, +)
    }
    consumer.cancel()
    mayStart.open()
    #expect(await consumer.value == 0)
  }

  @TaskLocal static var language = "en"

  @Test("bodies see the task-local values of the first next()")
  func taskLocals() async {
    let results = Reader(elements([1]).mapLatest { _ in Self.language })
    let result = await Self.$language.withValue("fr") { await results.next() }
    #expect(result == "fr")
  }
}
