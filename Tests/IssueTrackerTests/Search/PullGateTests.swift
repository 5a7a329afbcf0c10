import TestSupport
import Testing

@testable import IssueTracker

@Suite("PullGate", .timeLimit(.minutes(5)))
struct PullGateTests {
  @Test(
    "PullGate passes the first pull that counts, and drops pulls without a waiter"
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

  @Test("PullGate keeps the wait of a newer query when the older one arrives late")
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

  @Test("a pull that counted for an older wait doesn't count for the newer one")
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

  @Test("PullGate reads nothing before it is opened, and stops reading when it is released")
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
