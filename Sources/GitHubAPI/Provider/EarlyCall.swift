internal import ConcurrencyPrimitives
public import HTTPTargets
internal import PlatformModules

/// A group of calls that start before it is known whether their responses are needed.
///
/// ```swift
/// let early = EarlyCall()
/// early.begin { comments.prefetch() }
/// let issue = try await provider.issue(12, of: name)
/// early.settle(isWanted: true)
/// ```
///
/// Successful responses are returned as usual. Failures are held back until the decision. Until then, calls aren't
/// retried, and don't wait for rate limits or report such waits. So an unnecessary call doesn't delay the call that it
/// depends on, or hide its error.
public final class EarlyCall: Sendable {
  @TaskLocal static var current: EarlyCall?

  private enum Verdict: Sendable {
    case pending
    case wanted
    case unwanted
  }

  private let verdict = Watched(Verdict.pending)

  /// Creates an early call.
  public init() {}

  /// Starts calls. All tasks that `body` creates make early calls.
  public func begin<Result>(_ body: () -> Result) -> Result {
    Self.$current.withValue(self) { body() }
  }

  /// Makes calls, and returns their outcome. A failure is returned only after ``settle(isWanted:)``.
  public func outcome<Answer: Sendable>(
    _ body: @Sendable () async throws(NetworkError) -> Answer
  ) async -> Result<Answer, NetworkError> {
    await Self.$current.withValue(self) {
      do throws(NetworkError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
  }

  /// Decides whether the responses are needed. Only the first decision counts. If they aren't needed, failed calls end
  /// as if they were canceled.
  public func settle(isWanted: Bool) {
    verdict.update { verdict in
      if case .pending = verdict { verdict = isWanted ? .wanted : .unwanted }
    }
  }

  var isPending: Bool {
    if case .pending = verdict.current { true } else { false }
  }

  /// Waits for the decision. Throws `cancelled` if the responses aren't needed, or if the task is canceled.
  func waitUntilWanted() async throws(NetworkError) {
    await verdict.wait { if case .pending = $0 { false } else { true } }
    guard !Task.isCancelled, case .wanted = verdict.current else { throw .cancelled }
  }
}

/// Holds back the failures of an ``EarlyCall``.
///
/// Place this interceptor inside the one that retries, and outside the one that waits for rate limits. So an early call
/// never uses a slot that the call it depends on needs.
struct EarlyCallInterceptor: Interceptor {
  /// Whether an inner interceptor handles rate limits, so that a limited request can be passed to it again.
  let keepsLimits: Bool

  func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    guard let early = EarlyCall.current, early.isPending else { return try await next(request) }
    let outcome: Result<TargetResponse, NetworkError>
    do throws(NetworkError) {
      let response = try await next(request)
      guard response.status.code >= 400 else { return response }
      outcome = .success(response)
    } catch {
      outcome = .failure(error)
    }
    try await early.waitUntilWanted()
    guard keepsLimits, Self.isLimit(outcome) else { return try outcome.get() }
    do throws(NetworkError) {
      // This attempt may wait for the limit.
      return try await next(request)
    } catch {
      // The request wasn't sent, because the limit lasts too long. The first response is more informative.
      guard error.code == .rateLimited else { throw error }
      return try outcome.get()
    }
  }

  private static func isLimit(_ outcome: Result<TargetResponse, NetworkError>) -> Bool {
    switch outcome {
    case .success(let response):
      RateLimitAnswer(response, now: .now).limit != nil
    case .failure(let error): error.code == .rateLimited
    }
  }
}

extension Provider where Target == GitHub {
  /// Looks up a repository and requests its list at the same time, so that both take only as long as one request.
  ///
  /// The result of the lookup decides. The list is returned only if it belongs to that repository
  /// (``AnswerSource/isList(of:)``). Any other list is dropped, and requested again under the server's name for the
  /// repository. During the lookup, the request for the list is an ``EarlyCall``. It is canceled if the lookup fails.
  ///
  /// - Parameters:
  ///   - name: The name of the repository.
  ///   - onFound: Called with the repository and the server's name for it before the list has arrived.
  ///   - list: Requests the list under a name. It returns the list and its source; nil if there was no request.
  /// - Returns: The repository from the server, and its list.
  /// - Throws: The error of the lookup, or else that of the list.
  public func repository<List: Sendable>(
    _ name: RepositoryName,
    onFound: @Sendable (GitHub.Repository, RepositoryName) -> Void = { _, _ in },
    with list:
      @escaping @Sendable (RepositoryName) async throws(NetworkError) -> (
        list: List, source: AnswerSource?
      )
  ) async throws(NetworkError) -> (repository: GitHub.Repository, list: List) {
    let early = EarlyCall()
    async let guess = early.outcome { () async throws(NetworkError) in try await list(name) }
    let repository = try await repository(name)
    // If the repository was renamed, this is its new name.
    guard let fullName = RepositoryName(repository.fullName) else {
      throw NetworkError(
        .decoding, "the server's name for \(name) is invalid")
    }
    onFound(repository, fullName)
    let isAsked = "\(fullName)".lowercased() == "\(name)".lowercased()
    // If the name has changed, a successful list may still be the right one, but a failure may be due to the old name.
    early.settle(isWanted: isAsked)
    switch await guess {
    case .success((let list, let source))
    where source?.isList(of: repository) ?? true:
      return (repository, list)
    case .failure(let error) where isAsked:
      throw error
    default:
      guard !Task.isCancelled else { throw .cancelled }
      return (repository, try await list(fullName).list)
    }
  }
}

/// The source of a response: the requested URL and the final URL after redirects.
public struct AnswerSource: Hashable, Sendable {
  private let asked: String
  private let answered: String

  /// Records the source of a response.
  public init(_ response: TargetResponse) {
    answered = response.request.url
    asked = response.redirects.first ?? answered
  }

  /// Whether the response is a list of this repository from the requested server: `/repos/OWNER/NAME/…` with the name
  /// in any letter case, or `/repositories/ID/…`, the target of redirects.
  public func isList(of repository: GitHub.Repository) -> Bool {
    guard let url = AbsoluteURL(answered), url.origin == Origin(url: asked) else { return false }
    let path = url.rest.prefix { $0 != "?" && $0 != "#" }
    guard let end = path.lastIndex(of: "/") else { return false }
    let folder = path[..<end].lowercased()
    return folder.hasSuffix("/repositories/\(repository.id)")
      || folder.hasSuffix("/repos/\(repository.fullName)".lowercased())
  }
}
