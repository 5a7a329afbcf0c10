package import IssueTracker
package import PlatformModules
package import StyledText
package import TerminalScreen

/// The browser without a screen. It receives events and publishes states.
///
/// ``BrowserState/handle(_:)`` changes the state at once and returns the work to begin and to end. The reactor runs
/// that work concurrently, so keys never wait.
package final class BrowserReactor: Reactor {
  package enum Action: Sendable {
    case event(BrowserState.Event)
    /// The effect of an event, which the reactor sends to itself.
    case effect(BrowserState.Effect)

    package static var start: Action { .event(.start) }

    package static func input(_ event: InputEvent) -> Action { .event(.input(event)) }
  }

  /// The next state, made from the current one. No other state comes between the two.
  package typealias Mutation = BrowserState
  /// Declared for ``BrowserView``, which needs it before the compiler infers it.
  package typealias State = BrowserState

  /// Opens a link from text in the web browser, regardless of its host. Returns whether a browser exists.
  package typealias OpenLink = @Sendable (_ link: WebLink) async -> Bool

  /// Opens a page in the web browser. Returns whether a browser exists.
  package typealias Open = @Sendable (_ url: String, _ server: GitHubServer) async -> Bool

  package let initialState: BrowserState
  package let engine = Engine()
  private let source: BrowserSource
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let pageLayout: PageLayout
  private let open: Open
  private let openLink: OpenLink

  /// Creates a browser that makes no requests before it is started. The initial text is treated as typed and entered.
  package init(
    source: BrowserSource, host: String, size: ScreenSize, initialText: String? = nil,
    look: Look = Look(), columns: [ListColumn]? = nil, keys: KeyMap = KeyMap(),
    commands: [CustomCommand] = [], views: [SavedView] = [], initialView: String? = nil,
    message: String? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, pageLayout: PageLayout = PageLayout(),
    refreshInterval: Duration? = nil,
    openLink: @escaping OpenLink = { _ in false }, open: @escaping Open
  ) {
    self.source = source
    self.clock = clock
    self.now = now
    self.pageLayout = pageLayout
    self.open = open
    self.openLink = openLink
    var state = BrowserState(
      size: size, now: now(), host: host, isOffline: source.isOffline, look: look)
    state.columns = columns
    state.message = message
    state.refreshInterval = refreshInterval
    state.search.field.insert(initialText ?? "")
    state.keyMap = keys
    state.customCommands = commands
    state.views = ViewsState(views, hasStart: source.start != nil, first: initialView)
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

  /// Loads the start screen.
  private func views(_ emit: @escaping BrowserWork.Emit) -> @Sendable () async -> Void {
    guard let start = source.start else { return {} }
    let loading = StartLoading(
      source: source, start: start, views: currentState.views.all, host: currentState.host,
      emit: emit)
    return { await loading.load() }
  }

  package func reduce(_ state: inout BrowserState, _ next: BrowserState) { state = next }

  /// The work to run. It holds the reactor weakly, because some work runs for as long as the reactor lives.
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
      source: source, clock: clock, now: now, pageLayout: pageLayout,
      state: state, emit: emit)
    let (query, turn, text) = (
      currentState.list.query, currentState.revisions.pages, currentState.search.text
    )
    return switch work {
    case .list(_, let pause): { await list.load(query, after: pause, turn: turn) }
    case .pages(_, let turn): { await list.loadNextPages(turn: turn) }
    case .completions:
      { [source, clock] in
        await CompletionLoading(source: source, clock: clock, emit: emit).load(text)
      }
    case .names:
      { [source, scope = currentState.filteredQuery?.scope] in
        guard let scope else { return }
        await emit(.names(await NamesLoading(source: source).load(scope), in: scope))
      }
    case .reader(_, let pause): { await reader.load(after: pause) }
    case .layout: { await reader.layOut() }
    case .image(let link):
      { [source, clock, host = currentState.sheet?.scope.host] in
        await ImageLoading(source: source, clock: clock, emit: emit).load(link, for: host)
      }
    case .views: views(emit)
    case .open(let page):
      { [source, open] in await emit(.message(await Self.open(page, from: source, open))) }
    case .openLink(let link):
      { [openLink] in
        let isOpened = await openLink(link)
        await emit(.message("\(isOpened ? "Opened" : "No web browser:") \(link.url)"))
      }
    case .address(let page):
      { [source] in
        do {
          let server = try await source.server(of: page.host)
          await emit(.address(server.webURL(of: page.name, issueNumber: page.issueNumber)))
        } catch {
          await emit(.message(ListLoading.oneLine(error)))
        }
      }
    case .refresh(let interval):
      { [source, clock] in
        await RefreshLoading(source: source, clock: clock, state: state, emit: emit)
          .load(every: interval)
      }
    case .acting(let work):
      { [source, clock, now] in
        await ActingLoading(source: source, clock: clock, now: now, state: state, emit: emit)
          .carryOut(work)
      }
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
    // The URL is made here, because an address from the server could lead elsewhere.
    let url = server.webURL(of: page.name, issueNumber: page.issueNumber)
    return await open(url, server) ? "Opened \(url)" : "No web browser: \(url)"
  }
}
