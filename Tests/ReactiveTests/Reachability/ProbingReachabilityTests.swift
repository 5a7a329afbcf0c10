import Reactive
import TestSupport
import Testing

@Suite("ProbingReachability", .timeLimit(.minutes(5)))
struct ProbingReachabilityTests {
  private let clock = TestClock()
  private let network = Network()

  private func reachability() -> ProbingReachability {
    ProbingReachability(pauses: .seconds(1) ... .seconds(8), clock: clock) { [network] in
      await network.probe()
    }
  }

  @Test("without a failure, waiting returns immediately and nothing is probed")
  func nothingRuns() async {
    let reachability = reachability()
    #expect(reachability.isReachable)
    await reachability.waitUntilReachable()
    var changes = reachability.changes.makeAsyncIterator()
    #expect(await changes.next() == true)
    #expect(clock.sleeperCount == 0)
    #expect(network.probes.current == 0)
  }

  @Test("after a failure, the pauses between probes double up to the maximum until one succeeds")
  func backsOff() async throws {
    let reachability = reachability()
    network.isUp.update { $0 = false }
    reachability.reportFailure()
    #expect(!reachability.isReachable)
    let waiter = Task { await reachability.waitUntilReachable() }
    var pauses: [Duration?] = []
    for _ in 1...6 {
      try await clock.sleepers(1)
      pauses.append(clock.untilNextDeadline)
      if pauses.count == 6 { network.isUp.update { $0 = true } }
      clock.advanceToNextDeadline()
    }
    await waiter.value
    #expect(pauses == [1, 2, 4, 8, 8, 8].map { .seconds($0) })
    #expect(network.probes.current == 6)
    #expect(reachability.isReachable)
    #expect(clock.sleeperCount == 0)
  }

  @Test("many waiters share one probe and all resume")
  func sharesProbes() async throws {
    let reachability = reachability()
    for _ in 1...10 { reachability.reportFailure() }
    await withTaskGroup { group in
      for _ in 1...100 {
        group.addTask { await reachability.waitUntilReachable() }
      }
      try? await clock.sleepers(1)
      clock.advance(by: .seconds(1))
    }
    #expect(network.probes.current == 1)
  }

  @Test("a watcher gets the current status and then each change once")
  func tellsWatchers() async throws {
    let reachability = reachability()
    var changes = reachability.changes.makeAsyncIterator()
    #expect(await changes.next() == true)
    for _ in 1...2 {
      reachability.reportFailure()
      reachability.reportFailure()
      #expect(await changes.next() == false)
      try await clock.sleepers(1)
      clock.advance(by: .seconds(1))
      #expect(await changes.next() == true)
    }
  }

  @Test("nothing is probed without waiters and watchers")
  func nobodyWatches() {
    let reachability = reachability()
    reachability.reportFailure()
    #expect(!reachability.isReachable)
    #expect(clock.sleeperCount == 0)
    #expect(network.probes.current == 0)
  }

  @Test("only the last watcher to leave cancels the pause")
  func lastOneLeaves() async throws {
    let reachability = reachability()
    reachability.reportFailure()
    var watchers = (1...3).map { _ in reachability.changes.makeAsyncIterator() }
    try await clock.sleepers(1)
    while !watchers.isEmpty {
      #expect(clock.sleeperCount == 1)
      watchers.removeLast()
    }
    try await clock.sleepers(0)
    #expect(!reachability.isReachable)
  }

  @Test("the last waiter to leave cancels the running probe, and its result is ignored")
  func cancelsProbe() async throws {
    let reachability = reachability()
    network.holds.close()
    reachability.reportFailure()
    let waiter = Task { await reachability.waitUntilReachable() }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    try await network.probes.value { $0 == 1 ? () : nil }
    waiter.cancel()
    await waiter.value
    try await network.cancelled.value { $0 == 1 ? () : nil }
    #expect(!reachability.isReachable)
  }

  @Test("a later waiter continues the sequence of pauses")
  func pausesGoOn() async throws {
    let reachability = reachability()
    network.isUp.update { $0 = false }
    reachability.reportFailure()
    let first = Task { await reachability.waitUntilReachable() }
    for _ in 1...2 {
      try await clock.sleepers(1)
      clock.advanceToNextDeadline()
    }
    try await clock.sleepers(1)
    first.cancel()
    try await clock.sleepers(0)
    clock.advance(by: .seconds(1))
    let second = Task { await reachability.waitUntilReachable() }
    try await clock.sleepers(1)
    #expect(clock.untilNextDeadline == .seconds(3), "the pause of 4 s, of which one is over")
    network.isUp.update { $0 = true }
    clock.advanceToNextDeadline()
    await second.value
    #expect(network.probes.current == 3)
  }

  @Test("each new failure starts with the shortest pause")
  func startsAnew() async throws {
    let reachability = reachability()
    for isUp in [false, true] {
      network.isUp.update { $0 = isUp }
      reachability.reportFailure()
      async let wait: Void = reachability.waitUntilReachable()
      try await clock.sleepers(1)
      clock.advanceToNextDeadline()
      if !isUp {
        try await clock.sleepers(1)
        network.isUp.update { $0 = true }
        clock.advanceToNextDeadline()
      }
      await wait
    }
    #expect(clock.now.offset == .seconds(1 + 2 + 1))
  }

  @Test("releasing it ends all watchers and cancels the probing")
  func dropped() async throws {
    var reachability: ProbingReachability? = reachability()
    reachability?.reportFailure()
    let changes = reachability?.changes
    let watcher = Task {
      var seen: [Bool] = []
      if let changes {
        for await change in changes { seen.append(change) }
      }
      return seen
    }
    try await clock.sleepers(1)
    reachability = nil
    #expect(await watcher.value == [false])
    try await clock.sleepers(0)
  }
}

@Suite("ManualReachability", .timeLimit(.minutes(5)))
struct ManualReachabilityTests {
  @Test("it changes manually or by a reported failure and counts failures and waiters")
  func manual() async throws {
    let reachability: any Reachability & Sendable = ManualReachability()
    let manual = try #require(reachability as? ManualReachability)
    #expect(reachability.isReachable)
    reachability.reportFailure()
    reachability.reportFailure()
    #expect(manual.failureCount == 2)
    let waiter = Task { await reachability.waitUntilReachable() }
    try await manual.watchers(1)
    manual.set(true)
    await waiter.value
    try await manual.watchers(0)
    #expect(reachability.isReachable)
  }
}

/// The probed network.
final class Network: Sendable {
  let isUp = Watched(true)
  /// Holds probes while it is closed.
  let holds = Gate(isOpen: true)
  let probes = Watched(0)
  let cancelled = Watched(0)

  func probe() async -> Bool {
    probes.update { $0 += 1 }
    await holds.wait()
    if Task.isCancelled { cancelled.update { $0 += 1 } }
    return isUp.current
  }
}
