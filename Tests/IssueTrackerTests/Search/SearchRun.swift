import GitHubAPI
import IssueTracker
import PlatformModules
import Reactive
import ReactiveTesting
import TestSupport
import Testing

/// The forms that the search comes in.
enum SearchForm: String, CaseIterable, CustomTestStringConvertible {
  case sequence, loop, reactor

  var testDescription: String { rawValue }
}

/// A run of one form of the search, told and looked at as any other.
final class SearchRun: Sendable {
  /// The visible part of a state, without values that differ between servers.
  struct Shown: Equatable, Sendable {
    var query: String
    var count = 0
    var connection = RepositorySearchState.Connection.online
    /// In seconds from the start of the world.
    var limitEnd: Double?
    var hasFailed = false
    var hasNext = true
  }

  /// For a server's answer, when a thousand tests have just begun.
  static let patience = Duration.seconds(240)

  let typing = SearchInput<String>()
  let pulling = SearchInput<Void>()
  /// The states, each that differs from the one before.
  private let probe: Probe<RepositorySearchState, Never>
  /// Forwards to a reactor what is typed and pulled, and keeps it.
  private let feeding: Task<Void, Never>?

  init(_ form: SearchForm, _ search: RepositorySearch) async throws {
    let (typing, pulling) = (typing, pulling)
    switch form {
    case .sequence:
      probe = Probe(
        states: search.search(typing, loadNextPage: pulling).removeDuplicates(),
        patience: Self.patience)
      feeding = nil
    case .loop:
      probe = Probe(
        states: search.loop(typing, loadNextPage: pulling).map(\.found).removeDuplicates(),
        patience: Self.patience)
      feeding = nil
    case .reactor:
      let reactor = GitHubSearchReactor(search: search) { _ in }
      probe = Probe(
        states: reactor.allStates.map(\.found).removeDuplicates(), patience: Self.patience)
      feeding = Task {
        await withDiscardingTaskGroup { group in
          group.addTask {
            for await query in search.queries(typing) {
              await reactor.send(.updateQuery(query)).applied
            }
          }
          group.addTask {
            for await _ in pulling { await reactor.send(.loadNextPage).applied }
          }
        }
        withExtendedLifetime(reactor) {}
      }
    }
    // The sequence has no state before there is a query.
    if form != .sequence { #expect(try await probe.nextState() == RepositorySearchState()) }
  }

  deinit {
    feeding?.cancel()
  }

  /// Types a text that isn't held back.
  func type(_ text: String) async throws {
    typing.send(text)
    try await typing.allTaken()
  }

  /// Wants the next page so many times.
  func pull(_ times: Int = 1) async throws {
    for _ in 1...times { pulling.send() }
    try await pulling.allTaken()
  }

  func state() async throws -> RepositorySearchState {
    try await probe.nextState()
  }

  func shown() async throws -> Shown { Shown(try await state()) }

  /// Ends the run; fails if there is an unchecked state.
  func finish() async throws {
    try await probe.finish()
    await stop()
  }

  /// Ends the run as a consumer does that goes away.
  func stop() async {
    feeding?.cancel()
    await feeding?.value
    try? await probe.finish()
  }
}

extension SearchRun.Shown {
  init(_ state: RepositorySearchState) {
    query = state.query
    count = state.repositories.count
    connection = state.connection
    limitEnd = state.limitExceededUntil.map { end in
      (end.timeIntervalSince(SearchWorld.start) * 1000).rounded() / 1000
    }
    hasFailed = state.failure != nil
    hasNext = state.nextPage != nil
  }
}
