import TestSupport
import Testing

@testable import IssueTracker

@Suite("The gate of pulls", .timeLimit(.minutes(5)))
struct PullGateTests {
  @Test(
    "the gate of pulls lets through the first pull that counts, and forgets those that nothing waits for"
  )
  func counting() async throws {
    let pulls = SearchInput<Void>()
    let gate = PullGate(pulls)
    let counts = Watched(false)
    gate.open()
    pulls.send()
    try await pulls.allTaken()
    let pull = gate.makePull { counts.current }
    pulls.send()
    try await pulls.allTaken()
    counts.update { $0 = true }
    async let arrival = pull.arrives()
    pulls.send()
    #expect(await arrival)
    let last = gate.makePull { true }
    pulls.finish()
    #expect(await !last.arrives())
    #expect(await !gate.makePull { true }.arrives())
  }

  @Test("the gate of pulls keeps the wait of the newer query when the older one is late")
  func superseded() async throws {
    let pulls = SearchInput<Void>()
    let gate = PullGate(pulls)
    gate.open()
    let newer = gate.makePull { true }
    let older = Task {
      // Cancelled, as a superseded query is before the newer one begins.
      withUnsafeCurrentTask { $0?.cancel() }
      return await gate.makePull { true }.arrives()
    }
    #expect(await !older.value)
    pulls.send()
    #expect(await newer.arrives())
  }

  @Test("a pull that counted for one wait isn't another's, which took its place meanwhile")
  func replaced() async throws {
    let pulls = SearchInput<Void>()
    let gate = PullGate(pulls)
    gate.open()
    let newer = Watched<PullGate.Pull?>(nil)
    let older = gate.makePull {
      newer.update { $0 = gate.makePull { false } }
      return true
    }
    pulls.send()
    pulls.finish()
    #expect(await !older.arrives())
    #expect(await newer.current?.arrives() == false)
  }

  @Test(
    "the gate of pulls stops reading when it is released, and reads nothing before it is opened")
  func released() async throws {
    let pulls = SearchInput<Void>()
    do {
      let gate = PullGate(pulls)
      pulls.send()
      gate.open()
      try await pulls.allTaken()
      withExtendedLifetime(gate) {}
    }
    try await pulls.end()
  }
}
