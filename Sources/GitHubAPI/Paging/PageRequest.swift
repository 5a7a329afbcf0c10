internal import HTTPTargets
internal import Locking

/// A request for a page, running: the link to the next page comes out of it before the page does.
///
/// It owns its task: dropping it cancels the request.
final class PageRequest<Item: Decodable & Sendable>: Sendable {
  /// What is on the page, the link to the next one or why it is refused, and where the page came from.
  typealias Page = (
    contents: PageContents<Item>, link: Result<PageLink?, NetworkError>, source: AnswerSource
  )

  /// What is known of the next page.
  struct Successor: Sendable {
    /// Its link, if there is one that can be followed.
    var link: PageLink?
    /// Whether a stored answer says so.
    var isFromCache: Bool
  }

  private struct State {
    var successor: Successor?
    var outcome: Result<Page, NetworkError>?
  }

  /// What is asked for.
  let target: GitHub
  private let task: Task<Void, Never>
  private let state: Locked<State>

  /// Sends the request.
  ///
  /// - Parameters:
  ///   - target: What to ask for.
  ///   - provider: Where.
  ///   - format: How a page is written.
  ///   - onChange: Is called when ``successor`` or ``outcome`` have changed.
  init(
    _ target: GitHub, _ provider: Provider<GitHub>, format: PageFormat,
    onChange: @escaping @Sendable () -> Void
  ) {
    let state = Locked(State())
    self.target = target
    self.state = state
    task = Task {
      let outcome: Result<Page, NetworkError>
      do throws(NetworkError) {
        let response = try await provider.request(target) { head in
          state.withLock { $0.successor = Successor(head) }
          onChange()
        }
        let page = Page(
          try PageContents(of: response, format), response.nextPage, AnswerSource(response))
        state.withLock { $0.successor = Successor(response) }
        outcome = .success(page)
      } catch {
        outcome = .failure(error)
      }
      state.withLock { $0.outcome = outcome }
      onChange()
    }
  }

  deinit { task.cancel() }

  /// What the answer says of the next page, as far as it is in; nil before its head is.
  ///
  /// It can change: what a stored answer says until the server has answered, and what an answer says that
  /// breaks off and is asked for again.
  var successor: Successor? { state.withLock { $0.successor } }

  /// The page, or why there is none; nil before that is known.
  var outcome: Result<Page, NetworkError>? { state.withLock { $0.outcome } }
}

extension PageRequest.Successor {
  fileprivate init(_ response: Response) {
    link = try? response.nextPage.get()
    isFromCache = response.isFromCache
  }
}

extension Response {
  fileprivate var nextPage: Result<PageLink?, NetworkError> {
    Result { () throws(NetworkError) in try PageLink(nextIn: headers, of: request.url) }
  }
}
