internal import GitHubAPI
internal import Reactive

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RepositorySearch {
  /// Searches for the text that is typed, and loads a page more whenever that is wanted.
  ///
  /// ```swift
  /// let (pulls, pull) = AsyncStream.makeStream(of: Void.self)
  /// for await state in search.search(texts, loadNextPage: pulls) {
  ///   list.rows = state.repositories
  ///   list.onEnd = { pull.yield() }
  /// }
  /// ```
  ///
  /// Of the text one query at most is made every 0.3 s, and none twice in succession. A newer query ends
  /// all that runs or waits for the one before, and so does the consumer that goes. Empty text gives the
  /// empty state without a request.
  ///
  /// - Parameters:
  ///   - texts: The text, each time it changes.
  ///   - pulls: That the next page is wanted. It is read once in each run of the sequence, as fast as it
  ///     produces: what comes while nothing waits for it is lost.
  /// - Returns: The states. Each iterator is a run of its own, which ends with the text and its last query.
  public func search<Texts: AsyncSequence & Sendable, Pulls: AsyncSequence & Sendable>(
    _ texts: Texts, loadNextPage pulls: Pulls
  ) -> some AsyncSequence<RepositorySearchState, Never> & Sendable
  where
    Texts.Element == String, Texts.Failure == Never, Pulls.Element == Void, Pulls.Failure == Never
  {
    RepositorySearchRuns {
      let gate = PullGate(pulls)
      return queries(texts).latest { query, emit in
        gate.open()
        await run(query, gate, emit)
      }
    }
  }

  /// Searches for the text that is typed, and loads each page as soon as the one before was taken.
  ///
  /// It goes on to the last page, also over a limit, whose end it waits for. A failure of another kind ends
  /// the query.
  ///
  /// - Parameter texts: The text, each time it changes.
  /// - Returns: The states.
  public func search<Texts: AsyncSequence & Sendable>(
    _ texts: Texts
  ) -> some AsyncSequence<RepositorySearchState, Never> & Sendable
  where Texts.Element == String, Texts.Failure == Never {
    queries(texts).latest { query, emit in await run(query, nil, emit) }
  }

  /// The states of one query.
  ///
  /// - Parameters:
  ///   - query: The query; empty for none.
  ///   - gate: Where it waits until the next page is wanted; nil if it is always wanted.
  ///   - emit: Hands on a state.
  private func run(
    _ query: String, _ gate: PullGate?, _ emit: @Sendable (RepositorySearchState) async -> Void
  ) async {
    var state = start(query)
    await emit(state)
    while let page = state.nextPage, !Task.isCancelled {
      var pull: PullGate.Pull?
      await load(page) { outcome in
        state.apply(outcome)
        // From here on pulls count: the consumer may send one as soon as it has the state. While the
        // network is away nothing looks for them.
        if state.nextPage != nil {
          let limitEnd = state.limitExceededUntil
          pull = gate?.makePull { limitEnd.map { $0 <= now() } ?? true }
        }
        await emit(state)
      }
      if gate != nil {
        guard let pull, await pull.arrives() else { return }
      } else if let until = state.limitExceededUntil {
        try? await clock.sleep(for: .seconds(until.timeIntervalSince(now())))
      } else if state.failure != nil {
        return
      }
    }
  }
}

/// Makes a sequence anew for each iterator.
private struct RepositorySearchRuns<Run: AsyncSequence>: AsyncSequence, Sendable
where Run.Failure == Never {
  typealias Failure = Never

  let makeRun: @Sendable () -> Run

  func makeAsyncIterator() -> Run.AsyncIterator { makeRun().makeAsyncIterator() }
}
