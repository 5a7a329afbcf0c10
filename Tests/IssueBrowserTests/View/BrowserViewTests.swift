import ConcurrencyPrimitives
import GitHubAPI
import HTTPTargets
import IssueTracker
import Reactive
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The browser on a screen", .timeLimit(.minutes(5)))
@MainActor
struct BrowserViewTests {
  private static func source() -> BrowserSource {
    BrowserSource { _ in
      BrowserConnection(
        server: .github, provider: Provider.gitHub(.stubbed()),
        reachability: ProbingReachability { true })
    }
  }

  private func reactor(
    for screen: ScriptedScreen, opened: Watched<[String]> = Watched([])
  ) -> BrowserReactor {
    BrowserReactor(source: Self.source(), host: "github.com", size: screen.size) { url, _ in
      opened.update { $0.append(url) }
      return true
    }
  }

  /// Waits for a picture that contains a text.
  private func wait(for text: String, on screen: ScriptedScreen) async throws {
    try await screen.shown.value { $0.last?.text.contains(text) == true ? () : nil }
  }

  @Test("a typed name shows its issues, one opens and closes, and q quits")
  func story() async throws {
    let (screen, opened) = (ScriptedScreen(), Watched<[String]>([]))
    let reactor = reactor(for: screen, opened: opened)
    let run = Task { await BrowserView(screen: screen).run(reactor) }
    try await wait(for: "Type a name", on: screen)
    screen.type("apple/swift")
    screen.press(.enter)
    try await wait(for: "row 1 of ", on: screen)
    try await wait(for: "#", on: screen)
    screen.press(.enter)
    try await wait(for: "q back", on: screen)
    screen.press(.character("o"))
    try await wait(for: "Opened https://github.com/", on: screen)
    #expect(opened.read { $0.count } == 1)
    screen.press(.character("q"), .character("q"))
    await run.value
    #expect(reactor.currentState.isFinished)
    #expect(screen.shown.read { $0.allSatisfy { $0.size == screen.size } })
  }

  @Test("if states change faster than painting, only the newest state is painted")
  func conflation() async throws {
    let screen = ScriptedScreen()
    let reactor = reactor(for: screen)
    let stub = reactor.stub()
    let view = BrowserView(screen: screen)
    view.reactor = reactor
    try await wait(for: "Type a name", on: screen)
    // In one turn of the main actor, so that the view sees all of them at once.
    for number in 1...500 {
      var state = SampleStates.empty()
      state.search.field = TextField("number \(number)")
      stub.show(state)
    }
    try await wait(for: "number 500", on: screen)
    #expect(screen.shown.read { $0.count } == 2)
    // Then each, with time to be painted.
    for number in 501...503 {
      var state = SampleStates.empty()
      state.search.field = TextField("number \(number)")
      stub.show(state)
      try await wait(for: "number \(number)", on: screen)
    }
    #expect(screen.shown.read { $0.count } == 5)
  }

  @Test("input reaches the reactor in order")
  func input() async throws {
    let screen = ScriptedScreen()
    let reactor = reactor(for: screen)
    let stub = reactor.stub()
    let run = Task { await BrowserView(screen: screen).run(reactor) }
    try await wait(for: "Type a name", on: screen)
    screen.type("ab")
    screen.press(.enter)
    screen.hangUp()
    await run.value
    let events = stub.actions.flatMap { action -> [InputEvent] in
      guard case .event(.input(let event)) = action else { return [] }
      // Waiting letters arrive together.
      guard case .paste(let text) = event else { return [event] }
      return text.map { .key(.character($0)) }
    }
    #expect(
      events == [
        .resized(screen.size), .key(.character("a")), .key(.character("b")), .key(.enter),
      ])
  }

  @Test("each suspension hands the terminal to the shell once")
  func suspension() async throws {
    let screen = ScriptedScreen()
    let reactor = reactor(for: screen)
    let stub = reactor.stub()
    let view = BrowserView(screen: screen)
    view.reactor = reactor
    try await wait(for: "Type a name", on: screen)
    for suspensions in 1...3 {
      var state = SampleStates.empty()
      state.suspensions = suspensions
      stub.show(state)
      // Another state with the same count suspends nothing.
      state.message = "and back \(suspensions)"
      stub.show(state)
      try await screen.calls.value { $0.count == suspensions ? () : nil }
    }
    #expect(screen.calls.read { $0 } == ["suspend", "suspend", "suspend"])
  }

  @Test("copied text goes to the screen once, and its outcome is reported")
  func copying() async throws {
    let screen = ScriptedScreen()
    let reactor = reactor(for: screen)
    let run = Task { await BrowserView(screen: screen).run(reactor) }
    try await wait(for: "Type a name", on: screen)
    screen.type("apple/swift")
    screen.press(.enter)
    try await wait(for: "row 1 of ", on: screen)
    try await wait(for: "#", on: screen)
    screen.press(.character("y"))
    try await wait(for: "Copied #", on: screen)
    screen.press(.down)
    #expect(screen.calls.read { $0.count { $0.hasPrefix("copy #") } } == 1)
    screen.press(.interrupt)
    await run.value
  }

  @Test("Ctrl-L repaints the screen")
  func repainting() async throws {
    let screen = ScriptedScreen()
    let reactor = reactor(for: screen)
    let run = Task { await BrowserView(screen: screen).run(reactor) }
    try await wait(for: "Type a name", on: screen)
    screen.press(.control("l"))
    try await screen.calls.value { $0 == ["repaint"] ? () : nil }
    screen.press(.interrupt)
    await run.value
  }

  @Test("the browser exits when the terminal disconnects or its task is canceled")
  func ends() async throws {
    let screen = ScriptedScreen()
    let hungUp = reactor(for: screen)
    screen.hangUp()
    await BrowserView(screen: screen).run(hungUp)

    let other = ScriptedScreen()
    let cancelled = reactor(for: other)
    let run = Task { await BrowserView(screen: other).run(cancelled) }
    try await wait(for: "Type a name", on: other)
    run.cancel()
    await run.value
    let count = other.shown.read { $0.count }
    await cancelled.send(.input(.key(.character("x")))).applied
    #expect(other.shown.read { $0.count } == count)
  }

  @Test("hostile names from a server are shown as text")
  func hostile() async throws {
    let screen = ScriptedScreen()
    let reactor = reactor(for: screen)
    let stub = reactor.stub()
    let view = BrowserView(screen: screen)
    view.reactor = reactor
    var state = try SampleStates.issues()
    var sheet = try SampleStates.sheet(count: 1)
    sheet.issues[0].title = "a\u{1B}[2Jb"
    state.list.content = .issues(sheet)
    stub.show(state)
    try await wait(for: "a^[[2Jb", on: screen)
  }
}
