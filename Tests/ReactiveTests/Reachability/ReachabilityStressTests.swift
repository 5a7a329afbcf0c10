import Reactive
import TestSupport
import TestTraits
import Testing

@Suite("ProbingReachability under stress", .tags(.heavy), .timeLimit(.minutes(10)), .serialized)
struct ReachabilityStressTests {
  @Test(
    "changing reachability and canceled waiters never cause a hang or concurrent probes")
  func flapping() async throws {
    let clock = TestClock()
    let probing = Watched((now: 0, most: 0, answers: 0))
    let reachability = ProbingReachability(
      pauses: .seconds(1) ... .seconds(4), clock: clock
    ) {
      let answer = probing.update { probing in
        probing.now += 1
        probing.most = max(probing.most, probing.now)
        probing.answers += 1
        return probing.answers.isMultiple(of: 3)
      }
      await Task.yield()
      probing.update { $0.now -= 1 }
      return answer
    }
    let isOver = Watched(false)
    let time = Task {
      while !isOver.current {
        clock.advanceToNextDeadline()
        await Task.yield()
      }
    }
    // One that stays: with it, no run is cancelled, so no probe is left to overlap with another.
    var changes = reachability.changes.makeAsyncIterator()
    let rounds = 1_000 * stressRounds
    for round in 0..<rounds {
      reachability.reportFailure()
      let impatient = Task { await reachability.waitUntilReachable() }
      let patient = Task { await reachability.waitUntilReachable() }
      if round.isMultiple(of: 2) { await Task.yield() }
      impatient.cancel()
      await impatient.value
      await patient.value
    }
    #expect(await changes.next() == true)
    for _ in 0..<rounds {
      #expect(await changes.next() == false)
      #expect(await changes.next() == true)
    }
    isOver.update { $0 = true }
    await time.value
    #expect(probing.current.most == 1)
    try await clock.sleepers(0)
  }

  @Test("a probe that is repeatedly abandoned and requested is never lost")
  func leavingAndComing() async throws {
    let clock = TestClock()
    for _ in 0..<(1_000 * stressRounds) {
      let reachability = ProbingReachability(pauses: .zero ... .zero, clock: clock) { true }
      reachability.reportFailure()
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            let waiter = Task { await reachability.waitUntilReachable() }
            await Task.yield()
            waiter.cancel()
            await waiter.value
          }
        }
        group.addTask { await reachability.waitUntilReachable() }
      }
      #expect(reachability.isReachable)
    }
  }
}
