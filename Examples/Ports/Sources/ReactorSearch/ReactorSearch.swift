import PortSupport
import Reactive

/// A search with pages, as actions, mutations and states.
final class ReactorSearch: Reactor {
  enum Action: Sendable {
    case updateQuery(String)
    case loadNextPage
  }

  enum Mutation: Sendable {
    case setQuery(String)
    case setLoadingNextPage
    case append(Reply<Page>)
  }

  struct State: Sendable {
    var query = ""
    var repos: [String] = []
    var nextPage: PageRequest?
    var isLoadingNextPage = false
    var problem: Problem?
  }

  let initialState = State()
  let engine = Engine()
  private let pages: RepositoryPages

  init(_ pages: RepositoryPages) {
    self.pages = pages
  }

  func mutate(_ action: Action) -> Mutations<Action, Mutation> {
    switch action {
    case .updateQuery(let query):
      return [.just(.setQuery(query)), load(PageRequest(query))]
    case .loadNextPage:
      guard !currentState.isLoadingNextPage, let page = currentState.nextPage else { return .none }
      return [.just(.setLoadingNextPage), load(page)]
    }
  }

  private func load(_ page: PageRequest) -> Mutations<Action, Mutation> {
    .run { [pages] emit in await pages.load(page) { await emit(.append($0)) } }
      .until { if case .updateQuery = $0 { true } else { false } }
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .setQuery(let query):
      state = State(query: query, nextPage: PageRequest(query), isLoadingNextPage: true)
    case .setLoadingNextPage:
      (state.isLoadingNextPage, state.problem) = (true, nil)
    case .append(.value(let page)):
      state.repos += page.names
      (state.nextPage, state.isLoadingNextPage, state.problem) = (page.next, false, nil)
    case .append(.problem(let problem)):
      // Offline, the work still waits for the server. After any other problem, scrolling tries again.
      (state.isLoadingNextPage, state.problem) = (problem == .offline, problem)
    }
  }
}

extension ReactorSearch {
  /// The lines to show. A typed line is a search; an empty one scrolls.
  static func lines(_ pages: RepositoryPages, of input: AsyncStream<String>) -> AsyncStream<String>
  {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let reactor = ReactorSearch(pages)
    // Observes from here on, before anything is sent: an observer that comes later begins with the newest state.
    let observer = reactor.allStates.makeAsyncIterator()
    let showing = Task {
      var states = observer
      while let state = await states.next(isolation: nil) {
        if !state.query.isEmpty { continuation.yield("\(state.line)") }
      }
      continuation.finish()
    }
    // Holds the reactor, and so its work, until all of it has ended.
    let sending = Task {
      await withDiscardingTaskGroup { group in
        for await line in input {
          let ticket = reactor.send(line.isEmpty ? .loadNextPage : .updateQuery(line))
          group.addTask { await ticket.finished }
        }
      }
    }
    continuation.onTermination = { _ in
      showing.cancel()
      sending.cancel()
    }
    return lines
  }
}

extension ReactorSearch.State {
  var line: SearchLine {
    SearchLine(
      text: query, names: repos, isLoading: isLoadingNextPage, hasMore: nextPage != nil,
      problem: problem)
  }
}
