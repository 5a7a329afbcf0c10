import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("The keys of the outbox page")
struct OutboxPageTests {
  private static func press(
    _ keys: InputEvent.Key..., in state: inout BrowserState
  ) -> [BrowserState.Effect] {
    keys.reduce(into: []) { $0 += state.handle(.input(.key($1))) }
  }

  static func entry(
    _ id: Int64, _ change: Change? = nil, in repository: String = "swiftlang/swift",
    _ state: OutboxState = .queued, on server: GitHubServer = .github
  ) throws -> OutboxEntry {
    OutboxEntry(
      id: id, server: server, repository: try RepositoryReference(parsing: repository).name,
      change: change ?? .close(.number(Int(id)), .completed), account: nil, state: state,
      reason: nil, created: SampleStates.now, changed: SampleStates.now, attempts: 0,
      dependencies: [], answer: nil, conflict: nil, dropped: nil)
  }

  private static func show(_ entries: [OutboxEntry], in state: inout BrowserState) {
    state.handle(.result(.acting(.outbox(entries)), of: .acting(.readOutbox)))
  }

  private static func page(_ entries: [OutboxEntry]) throws -> BrowserState {
    var state = try SampleStates.issues()
    _ = press(.character("O"), in: &state)
    show(entries, in: &state)
    return state
  }

  @Test("a reason begins with a capital letter, unless it begins with an address")
  func capital() {
    #expect("no connection to https://a.example".capitalizedFirst.hasPrefix("No connection"))
    #expect("https://a.example answered".capitalizedFirst == "https://a.example answered")
  }

  @Test("the browser quits once a change is dropped, and stays open if dropping fails")
  func quit() throws {
    let entry = try Self.entry(4)
    var state = try Self.page([entry])
    let work = BrowserWork.acting(.decide(.drop, entry))
    #expect(
      Self.press(.character("d"), .character("q"), .interrupt, in: &state) == [.begin(work)])
    #expect(!state.isFinished)
    var failing = state
    state.handle(
      .result(.acting(.decided(released: nil, dropped: [4], failure: nil)), of: work))
    #expect(state.isFinished)
    failing.handle(
      .result(.acting(.decided(released: nil, dropped: [], failure: "No room.")), of: work))
    #expect(!failing.isFinished)
    #expect(failing.acting.notice?.lines == ["No room."])
  }

  @Test("a change that is dropped or sent from the page leaves its waiting batch")
  func batches() throws {
    var state = try SampleStates.issues()
    _ = Self.press(.character("x"), .enter, in: &state)
    state.handle(.result(.acting(.added([4], batch: 1)), of: .acting(.submit(batch: 1))))
    let entry = try Self.entry(4)
    for phase in [ActingState.Batch.Phase.waiting, .kept] {
      state.handle(.result(.acting(.phase(phase, batch: 1)), of: .acting(.submit(batch: 1))))
      var dropped = state
      dropped.handle(
        .result(
          .acting(.decided(released: nil, dropped: [4], failure: nil)),
          of: .acting(.decide(.drop, entry))))
      #expect(dropped.acting.batches.isEmpty && dropped.batchWords == nil)
      var sent = state
      let effects = sent.handle(
        .result(
          .acting(.decided(released: entry, dropped: [], failure: nil)),
          of: .acting(.decide(.send, entry))))
      #expect(effects == [.begin(.acting(.deliver(batch: 2, atOnce: true)))])
      #expect(sent.acting.batches.map(\.id) == [2])
    }
  }

  @Test("r approves and sends a proposal, and d drops it")
  func proposal() async throws {
    let folder = try ScratchFolder()
    let outbox = try Outbox(path: folder["outbox.db"])
    let name = try RepositoryReference(parsing: "swiftlang/swift").name
    let entry = try await outbox.propose(
      Intention(.close(.number(1), .completed), in: name, on: .github), by: "helper")
    let state = try Self.page([entry])
    let decisions: [(InputEvent.Key, OutboxDecision)] = [
      (.character("r"), .send), (.character("d"), .drop),
    ]
    for (key, decision) in decisions {
      var state = state
      #expect(Self.press(key, in: &state) == [.begin(.acting(.decide(decision, entry)))])
    }
    let (released, _) = try await OutboxDecision.send.carryOut(on: entry, in: outbox)
    #expect(released?.state == .queued)
    #expect(try await outbox.entries().map(\.state) == [.queued])
  }

  @Test("a change is sent to its own server, whichever server the list comes from")
  func server() throws {
    let other = try GitHubServer(apiURL: "https://ghe.example.com/api/v3")
    var state = try Self.page([])
    for (server, host) in [(other, "ghe.example.com"), (.github, nil)] {
      let entry = try Self.entry(4, on: server)
      state.handle(
        .result(
          .acting(.decided(released: entry, dropped: [], failure: nil)),
          of: .acting(.decide(.send, entry))))
      #expect(state.acting.batches.last?.changes.first?.repository.host == host)
    }
    // The screen of another server names github.com.
    state = BrowserState(
      size: state.size, now: state.now, host: "ghe.example.com", isOffline: false)
    #expect(try state.place(of: Self.entry(4)).host == "github.com")
    #expect(try state.place(of: Self.entry(4, on: other)).host == nil)
  }

  @Test("after the selected change disappears, the next key press doesn't act on another change")
  func lost() throws {
    let entries = try [Self.entry(4), Self.entry(5)]
    for key in [InputEvent.Key.character("d"), .character("r")] {
      var state = try Self.page(entries)
      Self.show([entries[1]], in: &state)
      #expect(Self.press(key, in: &state) == [])
      #expect(state.message?.hasPrefix("The change is gone") == true)
      #expect(Self.press(key, in: &state).count == 1)
      #expect(state.acting.decisions == 1)
    }
    // A user who has moved has seen it.
    var state = try Self.page(entries)
    Self.show([entries[1]], in: &state)
    let work = BrowserWork.acting(.decide(.drop, entries[1]))
    #expect(Self.press(.character("j"), .character("d"), in: &state) == [.begin(work)])
  }

  @Test("details scroll to their end and back, and have the length of GitHub's limit at most")
  func scrolling() throws {
    let body = (1...40).map { "Line \($0)" }.joined(separator: "\n")
    var state = try Self.page([Self.entry(4, .comment(on: .number(4), body: body))])
    for _ in 1...20 { _ = Self.press(.pageDown, in: &state) }
    let end = BrowserScreen.canvas(of: state).text
    #expect(end.contains("Line 40"))
    _ = Self.press(.pageUp, in: &state)
    #expect(!BrowserScreen.canvas(of: state).text.contains("Line 40"))
    let long = String(repeating: "x\n", count: 500_000)
    state = try Self.page([Self.entry(4, .comment(on: .number(4), body: long))])
    guard case .outbox(let page)? = state.acting.dialog else {
      Issue.record("\(String(describing: state.acting.dialog))")
      return
    }
    let drawing = OutboxPageDrawing(page: page, state: state, look: state.look)
    #expect((30_000...33_000).contains(drawing.lastTop))
  }

  @Test("Enter opens the outbox page from the start screen")
  func start() throws {
    var state = try ViewsHandlingTests.start()
    state.pane = .list
    state.list.cursor.selection = 1
    #expect(Self.press(.enter, in: &state) == [.begin(.acting(.readOutbox))])
    #expect(state.acting.dialog == .outbox(OutboxPage()))
  }
}
