package import IssueTracker
package import TerminalScreen

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The browser without a screen: events go in, states come out.
///
/// ```swift
/// let reactor = BrowserReactor(source: source, host: "github.com", size: size) { url, server in
///   await browser.open(url, of: server)
/// }
/// reactor.send(.start)
/// for await event in screen.events { reactor.send(.input(event)) }
/// ```
///
/// ``BrowserState/handle(_:)`` handles each event once: it changes the state at once, and returns the work to begin
/// and to end. The reactor runs that work beside the keys. No key ever waits.
package final class BrowserReactor: Reactor {
  package enum Action: Sendable {
    case event(BrowserState.Event)
    /// An event leads to this. The reactor sends it to itself.
    case effect(BrowserState.Effect)

    package static var start: Action { .event(.start) }

    package static func input(_ event: InputEvent) -> Action { .event(.input(event)) }
  }

  /// The next state, which ``mutate(_:)`` makes from the current one. Nothing comes between the two.
  package typealias Mutation = BrowserState
  /// What there is to see. ``BrowserView`` names the type before the compiler infers it.
  package typealias State = BrowserState

  /// Opens a page of a server in the web browser, and returns whether there is a web browser.
  package typealias Open = @Sendable (_ url: String, _ server: GitHubServer) async -> Bool

  package let initialState: BrowserState
  package let engine = Engine()
  private let source: BrowserSource
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let isUnicode: Bool
  private let pageLayout: PageLayout
  private let open: Open

  /// Creates the browser. It asks nobody before it is started.
  ///
  /// - Parameters:
  ///   - source: Where issues and repositories come from.
  ///   - host: The host that is asked, as it is shown.
  ///   - size: The size of the window.
  ///   - initialText: The text that the search bar begins with, as if it had been typed and entered.
  ///   - isUnicode: Whether the screen shows more than ASCII.
  ///   - clock: Measures pauses, and turns the spinner.
  ///   - now: The local time, which ages are relative to.
  ///   - pageLayout: Lays out the issue that is read.
  ///   - open: Opens a page in the web browser.
  package init(
    source: BrowserSource, host: String, size: ScreenSize, initialText: String? = nil,
    isUnicode: Bool = true, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, pageLayout: PageLayout = PageLayout(),
    open: @escaping Open
  ) {
    self.source = source
    self.isUnicode = isUnicode
    self.clock = clock
    self.now = now
    self.pageLayout = pageLayout
    self.open = open
    var state = BrowserState(size: size, now: now(), host: host, isOffline: source.isOffline)
    state.search.insert(initialText ?? "")
    initialState = state
  }

  package func mutate(_ action: Action) -> Mutations<Action, Mutation> {
    switch action {
    case .event(let event):
      var next = currentState
      for effect in next.handle(event) { send(.effect(effect)) }
      return .just(next)
    case .effect(.begin(let work)):
      guard currentState.wants(work) else { return .none }
      return .run { [run = body(of: work)] _ in await run() }
        .until { if case .effect(let effect) = $0 { effect.ends(work) } else { false } }
    case .effect:
      return .none
    }
  }

  package func reduce(_ state: BrowserState, _ next: BrowserState) -> BrowserState { next }

  // MARK: Work

  /// What work does. It holds the reactor weakly, because some work runs for as long as the reactor lives.
  private func body(of work: BrowserWork) -> @Sendable () async -> Void {
    let state: @Sendable () -> BrowserState? = { [weak self] in
      self.map(\.currentState).flatMap { $0.wants(work) ? $0 : nil }
    }
    let emit: BrowserWork.Emit = { [weak self] result in
      guard !Task.isCancelled else { return }
      let ticket = self?.send(.event(.result(result, of: work)))
      await ticket?.applied
    }
    let list = ListLoading(source: source, clock: clock, now: now, state: state, emit: emit)
    let reader = ReaderLoading(
      source: source, clock: clock, now: now, isUnicode: isUnicode, pageLayout: pageLayout,
      state: state, emit: emit)
    let (query, turn, text) = (
      currentState.query, currentState.revisions.pages, currentState.search.text
    )
    return switch work {
    case .list(_, let pause): { await list.load(query, after: pause, turn: turn) }
    case .pages(_, let turn): { await list.loadNextPages(turn: turn) }
    case .completions:
      { [source, clock] in
        await CompletionLoading(source: source, clock: clock, emit: emit).load(text)
      }
    case .reader(_, let pause): { await reader.load(after: pause) }
    case .layout: { await reader.layOut() }
    case .open(let page):
      { [source, open] in await emit(.message(await Self.open(page, from: source, open))) }
    case .clock:
      { [clock, now] in
        while (try? await clock.sleep(for: .seconds(60))) != nil { await emit(.time(now())) }
      }
    }
  }

  private static func open(
    _ page: RepositoryReference, from source: BrowserSource, _ open: Open
  ) async -> String {
    let server: GitHubServer
    do {
      server = try await source.server(of: page.host)
    } catch {
      return ListLoading.oneLine(error)
    }
    // The address is put together here: one that the server names could lead elsewhere.
    let url = server.webURL(of: page.name, issueNumber: page.issueNumber)
    return await open(url, server) ? "Opened \(url)" : "No web browser: \(url)"
  }
}
