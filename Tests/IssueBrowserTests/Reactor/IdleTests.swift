import GitHubAPI
import IssueTracker
import PlatformModules
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("An idle browser", .timeLimit(.minutes(5)))
struct IdleTests {
  @Test("an idle browser wakes once a minute to update ages")
  func minute() async throws {
    try await BrowserWorld().run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      try await run.clock.sleepers(1)
      #expect(run.clock.untilNextDeadline == .seconds(60))
      run.clock.advance(by: .seconds(60))
      let state = try await run.state { $0.now > BrowserWorld.start }
      #expect(state.now == BrowserWorld.start.addingTimeInterval(60))
    }
  }

  @Test("the spinner turns only during requests")
  func spinner() async throws {
    let gate = Gate()
    try await BrowserWorld().run("apple/swift", holding: BrowserWorld.holding(gate) { _ in true }) {
      run, _ in
      for count in 1...3 {
        try await run.clock.sleepers(2)
        run.clock.advance(by: .milliseconds(100))
        try await run.state { $0.spinner == count }
      }
      gate.open()
      try await run.state { $0.isSettled }
      try await run.clock.sleepers(1)
      #expect(run.state.spinner == 3)
    }
  }

  @Test("an idle browser ends when its owner releases it, even during a request")
  func released() async throws {
    let closed = Gate()
    let world = BrowserWorld()
    try await withLoopbackServer { _ in
      await closed.wait()
      return .json("{}")
    } perform: { server in
      let connection = try world.connection(to: server)
      var reactor: BrowserReactor? = BrowserReactor(
        source: BrowserSource { _ in connection }, host: "github.com", size: BrowserWorld.size,
        initialText: "apple/swift", clock: world.clock
      ) { _, _ in true }
      weak let released = reactor
      await reactor?.send(.start).applied
      try await server.log.requests(count: 1)
      reactor = nil
      try await server.log.waitForCancellation()
      try await world.clock.sleepers(0)
      #expect(released == nil)
    }
  }

  @Test("after quitting, keys do nothing and running work is canceled")
  func finished() async throws {
    let closed = Gate()
    try await BrowserWorld().run("apple/swift", holding: BrowserWorld.holding(closed) { _ in true })
    { run, server in
      try await server.log.requests(count: 1)
      await run.press(.interrupt)
      #expect(run.state.isFinished)
      try await server.log.waitForCancellation()
      try await run.clock.sleepers(0)
      await run.press(.character("/"), .character("x"), .control("z"))
      #expect(run.state.search.text == "apple/swift")
      #expect(run.state.suspensions == 0)
    }
  }
}
