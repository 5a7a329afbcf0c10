package import IssueTracker
package import StyledText
package import TerminalMarkdown
package import TerminalScreen

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The browser without a screen: what comes from a terminal in, what there is to see out.
///
/// ```swift
/// let reactor = BrowserReactor(source: source, host: "github.com", size: size) { await browser.open($0) }
/// reactor.send(.start)
/// for await event in screen.events { reactor.send(.input(event)) }
/// ```
///
/// A key changes the state at once (``BrowserState/handle(_:)``); what has to be asked or laid out for
/// it runs beside, and ends as soon as a later key asks for something else of its kind. No key ever waits.
package final class BrowserReactor: Reactor {
  /// What can happen to the browser from outside.
  package enum Action: Sendable {
    /// It is shown.
    case start
    /// Something came from the terminal.
    case input(InputEvent)
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
    /// Opens a page in the web browser.
    case open(String)
  }

  /// What can happen to the state.
  package enum Mutation: Sendable {
    /// What shows a spinner.
    package enum Busy: Sendable { case list, reader }

    case input(InputEvent)
    case start
    case tick(Date)
    case spin(Busy)
    case say(String)
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

  package let initialState: BrowserState
  package let engine = Engine()
  let source: BrowserSource
  let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let initialText: String?
  private let links: MarkdownRenderer.Links
  private let open: @Sendable (String) async -> Bool

  /// Creates the browser; nothing is asked before it is started and something is typed.
  ///
  /// - Parameters:
  ///   - source: Where it gets from what it shows.
  ///   - host: The host that is asked, as it is shown.
  ///   - size: The size of the window.
  ///   - initialText: What is searched for at the start, as if it had been typed and entered.
  ///   - links: How links are shown where an issue is read.
  ///   - clock: Measures pauses, and turns the spinner.
  ///   - now: The local time, which ages are told against.
  ///   - open: Opens a page of the host in the web browser, and tells whether one was there to do it.
  package init(
    source: BrowserSource, host: String, size: ScreenSize, initialText: String? = nil,
    links: MarkdownRenderer.Links = .footnotes, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    open: @escaping @Sendable (_ url: String) async -> Bool
  ) {
    self.source = source
    self.initialText = initialText
    self.links = links
    self.clock = clock
    self.now = now
    self.open = open
    initialState = BrowserState(size: size, now: now(), host: host)
  }

  package func mutate(_ action: Action) -> Mutations<Action, Mutation> {
    switch action {
    case .start: [.just(.start), begin(.start), tick]
    case .input(let event): [.just(.input(event)), begin(.input(event))]
    case .work(let work): mutations(of: work)
    }
  }

  /// Sends the works that a change of the state leads to; each is an action of its own, so that they run side
  /// by side.
  private func begin(_ mutation: Mutation) -> Mutations<Action, Mutation> {
    let (old, command, state) = change(by: mutation)
    if state.isFinished { return .none }
    if state.revisions.list != old.revisions.list, state.query.pause != nil {
      let pause = command?.isTyping == true ? state.query.pause : nil
      send(.work(.list(revision: state.revisions.list, pause: pause)))
    } else if state.wantsNextPage, !state.isLoading {
      send(.work(.nextPage))
    }
    if state.search.text != old.search.text, command?.isTyping == true {
      send(.work(.completions(revision: state.revisions.completions)))
    }
    if state.reader != nil, state.revisions.reader != old.revisions.reader {
      send(.work(.reader(revision: state.revisions.reader, pause: command?.readingPause)))
    } else if state.readerPage?.width != old.readerPage?.width {
      send(.work(.layout))
    }
    if command == .openPage, let url = state.pageURL { send(.work(.open(url))) }
    return .none
  }

  /// The state before and after something, and what it meant.
  private func change(
    by mutation: Mutation
  ) -> (old: BrowserState, command: BrowserCommand?, new: BrowserState) {
    let old = currentState
    var new = old
    switch mutation {
    case .input(let event): return (old, new.handle(event), new)
    default: return (old, nil, reduce(old, mutation))
    }
  }
}
