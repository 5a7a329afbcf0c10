import PortSupport
import Reactive

/// A search with pages, whose requests follow from its state.
struct FeedbackSearch: Sendable {
  enum Event: Sendable {
    case searchChanged(String)
    case startLoadingNextPage
    case response(Reply<Page>)
    case inputEnded
  }

  var search = ""
  var results: [String] = []
  var nextPage: PageRequest?
  var shouldLoadNextPage = false
  var lastProblem: Problem?
  var isInputOver = false

  var loadNextPage: PageRequest? { shouldLoadNextPage ? nextPage : nil }

  mutating func apply(_ event: Event) {
    switch event {
    case .searchChanged(let text):
      self = FeedbackSearch(search: text, nextPage: PageRequest(text), shouldLoadNextPage: true)
    case .startLoadingNextPage:
      guard !shouldLoadNextPage, nextPage != nil else { return }
      (shouldLoadNextPage, lastProblem) = (true, nil)
    case .response(.value(let page)):
      results += page.names
      (nextPage, shouldLoadNextPage, lastProblem) = (page.next, false, nil)
    case .response(.problem(let problem)):
      // Offline, the effect still waits for the server. After any other problem, scrolling tries again.
      (shouldLoadNextPage, lastProblem) = (problem == .offline, problem)
    case .inputEnded:
      isInputOver = true
    }
  }

  /// The lines to show. A typed line is a search; an empty one scrolls.
  static func lines(_ pages: RepositoryPages, of input: AsyncStream<String>) -> AsyncStream<String>
  {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let (events, event) = AsyncStream.makeStream(of: Event.self)
    let reading = Task {
      for await line in input {
        event.yield(line.isEmpty ? .startLoadingNextPage : .searchChanged(line))
      }
      event.yield(.inputEnded)
    }
    let running = Task {
      var last: SearchLine?
      for await state in loop(pages, events: events) {
        if state.line != last && !state.search.isEmpty { continuation.yield("\(state.line)") }
        last = state.line
        if state.isInputOver && state.loadNextPage == nil { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in
      reading.cancel()
      running.cancel()
    }
    return lines
  }

  var line: SearchLine {
    SearchLine(
      text: search, names: results, isLoading: shouldLoadNextPage, hasMore: nextPage != nil,
      problem: lastProblem)
  }

  static func loop(
    _ pages: RepositoryPages, events: some AsyncSequence<Event, Never> & Sendable
  ) -> FeedbackLoop<FeedbackSearch, Event> {
    FeedbackLoop(
      initialState: FeedbackSearch(),
      reduce: { $0.apply($1) },
      feedbacks: [
        .react(request: \.loadNextPage) { page, emit in
          await pages.load(page) { await emit(.response($0)) }
        },
        .events(events),
      ])
  }
}
