public import GitHubAPI
public import Reactive

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RepositorySearch {
  /// The state of the search as a feedback loop.
  public struct LoopState: Sendable, Hashable {
    /// What there is to show.
    public var found: RepositorySearchState
    /// Whether the next page is wanted.
    public var shouldLoadNextPage: Bool

    /// The page to be loaded now, if any.
    public var loadNextPage: GitHub? { shouldLoadNextPage ? found.nextPage : nil }

    /// Creates the state that a query begins with: its first page is wanted.
    public init(_ found: RepositorySearchState) {
      self.found = found
      shouldLoadNextPage = true
    }
  }

  /// What happens to the search as a feedback loop.
  public enum LoopEvent: Sendable, Hashable {
    /// There is another query.
    case searchChanged(String)
    /// The next page is wanted.
    case startLoadingNextPage
    /// An outcome of the request for the next page is there.
    case response(RepositorySearchOutcome)
  }

  /// The same search as ``search(_:loadNextPage:)``, as a feedback loop.
  ///
  /// - Parameters:
  ///   - texts: The text, each time it changes.
  ///   - pulls: That the next page is wanted.
  ///   - feedbacks: More feedbacks, such as a user interface
  ///     (``Reactive/Feedback/bind(show:events:)``).
  /// - Returns: The loop, which begins with the empty state of no query.
  public func loop<Texts: AsyncSequence & Sendable, Pulls: AsyncSequence & Sendable>(
    _ texts: Texts, loadNextPage pulls: Pulls, feedbacks: [Feedback<LoopState, LoopEvent>] = []
  ) -> FeedbackLoop<LoopState, LoopEvent>
  where
    Texts.Element == String, Texts.Failure == Never, Pulls.Element == Void, Pulls.Failure == Never
  {
    FeedbackLoop(
      initialState: LoopState(start("")),
      reduce: { state, event in
        switch event {
        case .searchChanged(let query):
          state = LoopState(start(query))
        case .startLoadingNextPage where state.found.canLoadNextPage(at: now()):
          state.shouldLoadNextPage = true
        case .startLoadingNextPage:
          break
        case .response(let outcome):
          state.found.apply(outcome)
          // Offline the same page is still wanted, and its effect waits for the network.
          state.shouldLoadNextPage = outcome == .offline
        }
      },
      feedbacks: [
        .react(request: \.loadNextPage) { page, emit in
          await load(page) { outcome in await emit(.response(outcome)) }
        },
        .events(queries(texts).map { .searchChanged($0) }),
        .events(pulls.map { .startLoadingNextPage }),
      ] + feedbacks)
  }
}
