package import IssueTracker
package import StyledText
package import TerminalScreen

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The browser without a screen: what comes from a terminal in, what there is to see out.
///
/// ```swift
/// let reactor = BrowserReactor(source: source, host: "github.com", size: size) { url, server in
///   await browser.open(url, of: server)
/// }
/// reactor.send(.start)
/// for await event in screen.events { reactor.send(.input(event)) }
/// ```
///
/// A key changes the state at once (``BrowserState/handle(_:)``); what has to be asked or laid out for
/// it runs beside, and ends as soon as a later key asks for something else of its kind. No key ever waits.
package final class BrowserReactor: Reactor {
  /// What there is to see. Said, not inferred, because ``BrowserView`` names the type before it is known.
  package typealias State = BrowserState

  /// What can happen to the browser from outside.
  package enum Action: Sendable {
    /// It is shown.
    case start
    /// Something came from the terminal.
    case input(InputEvent)
    /// The issue whose address was entered has arrived.
    case readAddressed(Issue)
    /// What a key has led to and runs beside the keys. The reactor sends it to itself.
    case work(Work)
  }

  /// What runs beside the keys. The numbers are those of ``BrowserState/Revisions``: what was superseded
  /// before its turn has come isn't begun.
  package enum Work: Sendable {
    /// Loads what the list is to hold, when that has rested for so long.
    case list(revision: Int, pause: Duration?)
    /// Loads the next page of the list, if it is wanted.
    case nextPage
    /// Completes what was typed.
    case completions(revision: Int)
    /// Loads what is read, the comments when it has been open for so long.
    case reader(revision: Int, pause: Duration?)
    /// Lays out what is read for another width.
    case layout
    /// Opens a repository's page, or that of an issue of it, in the web browser.
    case open(RepositoryReference)
  }

  /// What can happen to the state.
  package enum Mutation: Sendable {
    /// What shows a spinner.
    package enum Busy: Sendable { case list, reader }

    case input(InputEvent)
    case start
    case readAddressed(Issue)
    case tick(Date)
    case spin(Busy)
    case say(String)
    case beginPages
    case setLoading
    case settle
    case showRepositories(RepositorySearchState)
    case showIssues(IssueSheet)
    case appendIssues(IssuesPage)
    case fail(ListQuery, IssueSheet.Standing)
    case offer([Prediction], revision: Int)
    case appendComments([IssueComment], on: Int64)
    case endComments(on: Int64, failure: String?)
    case showLines([StyledLine], of: BrowserState.ReaderPage)
  }

  /// Opens a page of a server in the web browser, and tells whether one was there to do it.
  package typealias Open = @Sendable (_ url: String, _ server: GitHubServer) async -> Bool

  package let initialState: BrowserState
  package let engine = Engine()
  private let source: BrowserSource
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let initialText: String?
  private let isUnicode: Bool
  private let pageLayout: PageLayout
  private let open: Open

  /// Creates the browser; nothing is asked before it is started and something is typed.
  ///
  /// - Parameters:
  ///   - source: Where it gets from what it shows.
  ///   - host: The host that is asked, as it is shown.
  ///   - size: The size of the window.
  ///   - initialText: What is searched for at the start, as if it had been typed and entered.
  ///   - isUnicode: Whether the screen shows more than ASCII.
  ///   - clock: Measures pauses, and turns the spinner.
  ///   - now: The local time, which ages are told against.
  ///   - pageLayout: Lays out what is read.
  ///   - open: Opens a page in the web browser.
  package init(
    source: BrowserSource, host: String, size: ScreenSize, initialText: String? = nil,
    isUnicode: Bool = true, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, pageLayout: PageLayout = PageLayout(),
    open: @escaping Open
  ) {
    self.source = source
    self.initialText = initialText
    self.isUnicode = isUnicode
    self.clock = clock
    self.now = now
    self.pageLayout = pageLayout
    self.open = open
    initialState = BrowserState(
      size: size, now: now(), host: host, isOffline: source.isOffline)
  }

  package func mutate(_ action: Action) -> Mutations<Action, Mutation> {
    switch action {
    case .start:
      begin(.start)
      return [.just(.start), tick]
    case .input(let event):
      begin(.input(event))
      return .just(.input(event))
    case .readAddressed(let issue):
      begin(.readAddressed(issue))
      return .just(.readAddressed(issue))
    case .work(let work):
      return mutations(of: work)
    }
  }

  /// Changes the state.
  package func reduce(_ state: BrowserState, _ mutation: Mutation) -> BrowserState {
    var state = state
    switch mutation {
    case .input(let event): state.handle(event)
    case .start: state.search(for: initialText ?? "")
    case .readAddressed(let issue): state.readAddressed(issue)
    case .tick(let now): state.now = now
    // Where both turn it, it would turn twice as fast.
    case .spin(.reader) where state.isLoading: break
    case .spin: state.spinner += 1
    case .say(let message): state.message = message
    case .beginPages:
      state.isLoading = true
      state.revisions.pages += 1
    case .setLoading: state.isLoading = true
    case .settle: state.isLoading = state.wantsNextPage
    case .showRepositories(let found): state.show(found)
    case .showIssues(let sheet): state.show(sheet)
    case .appendIssues(let page): state.append(page)
    case .fail(let query, let standing): state.fail(query, standing)
    case .offer(let names, let revision):
      if state.revisions.completions == revision { state.offer(names) }
    case .appendComments(let comments, let issue):
      if state.reader?.issue.id == issue { state.reader?.comments += comments }
    case .endComments(let issue, let failure):
      if state.reader?.issue.id == issue {
        state.reader?.isLoading = false
        state.reader?.failure = failure
      }
    case .showLines(let lines, let page): state.show(lines, of: page)
    }
    return state
  }

  // MARK: What runs beside the keys

  /// Sends the works that a change of the state leads to: each is an action of its own, so that they run
  /// side by side and end for reasons of their own.
  private func begin(_ mutation: Mutation) {
    let (old, command, state) = change(by: mutation)
    if state.isFinished { return }
    if state.revisions.list != old.revisions.list, state.query.pause != nil {
      // What is gone back to isn't asked for again, where it is whole: as after a pause.
      let pause =
        command?.isTyping == true
        ? state.query.pause : command?.isGoingBack == true ? .zero : nil
      send(.work(.list(revision: state.revisions.list, pause: pause)))
    } else if command?.isScrolling == true, state.wantsNextPage, !state.isLoading {
      send(.work(.nextPage))
    }
    if command?.isTyping == true, state.search.text != old.search.text, !state.search.text.isEmpty {
      send(.work(.completions(revision: state.revisions.completions)))
    }
    if state.reader != nil, state.revisions.reader != old.revisions.reader {
      send(.work(.reader(revision: state.revisions.reader, pause: command?.readingPause)))
    } else if state.reader != nil, state.readerPage?.width != old.readerPage?.width {
      send(.work(.layout))
    }
    if command == .openPage, let page = state.selectedPage { send(.work(.open(page))) }
  }

  /// The state before and after a mutation, and what it meant where it is input.
  private func change(
    by mutation: Mutation
  ) -> (old: BrowserState, command: BrowserCommand?, new: BrowserState) {
    let old = currentState
    guard case .input(let event) = mutation else { return (old, nil, reduce(old, mutation)) }
    var new = old
    let command = new.handle(event)
    return (old, command, new)
  }

  private func mutations(of work: Work) -> Mutations<Action, Mutation> {
    let state = currentState
    switch work {
    case .list(let revision, let pause):
      guard revision == state.revisions.list else { return .none }
      let turn = state.revisions.pages
      let read: @Sendable (Issue) -> Void = { [weak self] in self?.send(.readAddressed($0)) }
      return .run { [listLoading, query = state.query] emit in
        await listLoading.load(query, after: pause, turn: turn, emit, read: read)
      }
      .until(changes { $0.revisions.list })
    case .nextPage:
      guard state.wantsNextPage, !state.isLoading else { return .none }
      let turn = state.revisions.pages + 1
      let loading: Mutations<Action, Mutation> = .run { [listLoading] emit in
        await listLoading.loadNextPages(turn: turn, emit)
      }
      return [.just(.beginPages), loading.until(changes { $0.revisions.list })]
    case .completions(let revision):
      guard revision == state.revisions.completions else { return .none }
      return .run { [completionLoading, text = state.search.text] emit in
        await completionLoading.load(text) { await emit(.offer($0, revision: revision)) }
      }
      .until(changes { $0.revisions.completions })
    case .reader(let revision, let pause):
      guard revision == state.revisions.reader else { return .none }
      return .run { [readerLoading] emit in await readerLoading.load(after: pause, emit) }
        .until(changes { $0.revisions.reader })
    case .layout:
      return .run { [readerLoading] emit in await readerLoading.layOut(emit) }
        .until(changes { $0.readerPage?.width })
    case .open(let page):
      return .run { [source, open] emit in
        await emit(.say(try await Self.open(page, from: source, open)))
      }
    }
  }

  /// Whether an action makes another of what some work is for, or ends everything.
  private func changes(
    _ value: @escaping @Sendable (BrowserState) -> Int?
  ) -> @Sendable (Action) -> Bool {
    { [weak self] action in
      guard let self, case .input(let event) = action else { return false }
      let (old, _, new) = change(by: .input(event))
      return value(old) != value(new) || new.isFinished
    }
  }

  /// Once a minute the ages of what is shown are told anew.
  private var tick: Mutations<Action, Mutation> {
    .run { [clock, now] emit in
      while (try? await clock.sleep(for: .seconds(60))) != nil { await emit(.tick(now())) }
    }
    .until(changes { _ in nil })
  }

  private static func open(
    _ page: RepositoryReference, from source: BrowserSource, _ open: Open
  ) async throws -> String {
    let server: GitHubServer
    do {
      server = try await source.server(of: page.host)
    } catch {
      return ListLoading.oneLine(error)
    }
    // Put together here: whatever addresses the server names lead elsewhere, or nowhere.
    let url = server.webURL(of: page.name, issueNumber: page.issueNumber)
    return await open(url, server) ? "Opened \(url)" : "No web browser: \(url)"
  }

  // The works hold the reactor weakly: some of them run for as long as it lives.
  private var listLoading: ListLoading {
    ListLoading(source: source, clock: clock, now: now) { [weak self] in self?.currentState }
  }

  private var completionLoading: CompletionLoading {
    CompletionLoading(source: source, clock: clock)
  }

  private var readerLoading: ReaderLoading {
    ReaderLoading(
      source: source, clock: clock, now: now, isUnicode: isUnicode, pageLayout: pageLayout
    ) { [weak self] in
      self?.currentState
    }
  }
}

extension BrowserCommand {
  /// Whether more may be typed: then what it asks for has to rest first.
  fileprivate var isTyping: Bool {
    switch self {
    case .editSearch, .takeCompletion(_, isFinal: false): true
    default: false
    }
  }

  /// Whether it may show a list again that was there before.
  fileprivate var isGoingBack: Bool { self == .goBack || self == .closeFilter }

  /// Whether it may show other rows, for which more are wanted.
  fileprivate var isScrolling: Bool {
    switch self {
    case .move, .scrollList, .select, .readOther, .resize, .closeReader: true
    default: false
    }
  }

  /// How long an issue must be open before its comments are asked for: who goes through the list past it
  /// doesn't read them.
  fileprivate var readingPause: Duration? {
    switch self {
    case .move, .select, .scrollList, .readOther: .milliseconds(300)
    default: nil
    }
  }
}
