import Reactive
import TestSupport
import TestTraits
import Testing

/// Runs that are too fast for the operator to be right by luck.
///
/// The time limit is the watchdog: other implementations failed here with a hang. It
/// allows for ThreadSanitizer, under which these runs take several times as long.
@Suite("latest under stress", .tags(.heavy), .timeLimit(.minutes(10)), .serialized)
struct LatestStressTests {
  @Test("results of 200 fast switches are ascending and end with the last")
  func fastSwitches() async {
    // Two at once, so that the runs also disturb each other.
    async let first = wrongResults(ofRuns: 200 * stressRounds)
    async let second = wrongResults(ofRuns: 200 * stressRounds)
    #expect(await (first, second) == (0, 0))
  }

  private func wrongResults(ofRuns runs: Int) async -> Int {
    var wrong = 0
    for _ in 0..<runs {
      let sequence = elements(1...200).mapLatest { element in
        await Task.yield()
        return element
      }
      var last = 0
      for await element in sequence {
        if element <= last { wrong += 1 }
        last = element
      }
      if last != 200 { wrong += 1 }
    }
    return wrong
  }

  @Test("elements can supersede each other while another task produces them")
  func concurrentSwitches() async {
    for _ in 0..<200 * stressRounds {
      let (source, input) = AsyncStream.makeStream(of: Int.self)
      let producer = Task {
        for element in 1...200 {
          input.yield(element)
          await Task.yield()
        }
        input.finish()
      }
      var last = 0
      for await element in source.mapLatest({ $0 }) {
        #expect(element > last)
        last = element
      }
      #expect(last == 200)
      await producer.value
    }
  }

  @Test("20,000 empty bodies don't emit anything")
  func emptyBodies() async {
    let sequence = elements(1...20_000 * stressRounds).latest {
      (_: Int, _: @Sendable (Int) async -> Void) in
    }
    #expect(await sequence.reduce(into: []) { $0.append($1) } == [])
  }

  @Test("a consumer can be canceled while its body emits", arguments: [0, 1, 5])
  func cancelledWhileEmitting(taking count: Int) async {
    for _ in 0..<1_000 * stressRounds {
      let (taken, bodyEnded) = (Gate(), Gate())
      let (source, input) = AsyncStream.makeStream(of: Int.self)
      let consumer = Task {
        var seen = 0
        for await _ in source.latest({ (_: Int, emit) in
          if count == 0 { taken.open() }
          var next = 0
          while !Task.isCancelled {
            await emit(next)
            next += 1
          }
          bodyEnded.open()
        }) {
          seen += 1
          if seen == count { taken.open() }
        }
      }
      input.yield(0)
      await taken.wait()
      consumer.cancel()
      await consumer.value
      await bodyEnded.wait()
    }
  }

  @Test("a consumer can leave during a burst")
  func leavesInBurst() async {
    for _ in 0..<100 * stressRounds {
      let ended = Gate()
      let sequence = elements(1...200).latest { (element: Int, emit) in
        await emit(element)
        if element == 200 {
          await cancellation()
          ended.open()
        }
      }
      for await element in sequence where element == 200 {
        break
      }
      await ended.wait()
    }
  }

  @Test("several tasks can emit while elements supersede each other")
  func emittersRace() async {
    for _ in 0..<200 * stressRounds {
      let sequence = elements(1...50).latest { element, emit in
        await withTaskGroup { group in
          for _ in 0..<4 {
            group.addTask { await emit(element) }
          }
        }
      }
      var last = (element: 0, count: 0)
      for await element in sequence {
        #expect(element >= last.element)
        last = (element, element == last.element ? last.count + 1 : 1)
      }
      #expect(last == (50, 4))
    }
  }
}
