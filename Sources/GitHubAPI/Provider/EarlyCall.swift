internal import ConcurrencyPrimitives
public import HTTPTargets
internal import PlatformModules

/// Calls that start before it is known whether their responses are needed.
///
/// ```swift
/// let early = EarlyCall()
/// early.begin { comments.prefetch() }
/// let issue = try await provider.issue(12, of: name)
/// early.settle(isWanted: true)
/// ```
///
/// Successful responses are returned as usual. Failures are held back until the decision: until then there are no
/// retries, no waits for rate limits, and no notifications of either. So an unnecessary call neither delays the call
/// that it depends on nor hides its error.
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

  /// Starts calls: all tasks created in `body` make early calls.
  public func begin<Result>(_ body: () -> Result) -> Result {
    Self.$current.withValue(self) { body() }
  }

  /// Makes calls, and returns their outcome; failures only after ``settle(isWanted:)``.
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

  /// Decides, once, whether the responses are needed. If not, failures end as if their calls were canceled.
  public func settle(isWanted: Bool) {
    verdict.update { verdict in
      if case .pending = verdict { verdict = isWanted ? .wanted : .unwanted }
    }
  }

  var isPending: Bool {
    if case .pending = verdict.current { true } else { false }
  }

  /// Throws `cancelled` if the responses aren't needed, or if the task is canceled.
  func waitUntilWanted() async throws(NetworkError) {
    await verdict.wait { if case .pending = $0 { false } else { true } }
    guard !Task.isCancelled, case .wanted = verdict.current else { throw .cancelled }
  }
}

/// Holds back the failures of an ``EarlyCall``.
///
/// Belongs inside the interceptor that retries, and outside the one that waits for rate limits, so that an early
/// call never occupies a slot that the call it depends on needs.
struct EarlyCallInterceptor: Interceptor {
  /// Whether an inner interceptor handles rate limits, so that a limited request can be passed on once more.
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
      // Now the limit may be waited for.
      return try await next(request)
    } catch {
      // Nothing was sent, because the limit lasts too long. The first response is more informative.
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
  /// Looks up a repository and requests its list at the same time: both together take as long as one.
  ///
  /// The lookup decides. Only a list of that repository is returned (``AnswerSource/isList(of:)``). Any other is
  /// dropped, and requested under the server's name for the repository. During the lookup the list is an
  /// ``EarlyCall``; if the lookup fails, the list is canceled.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - onFound: Called with the repository and the server's name for it, before the list has arrived.
  ///   - list: Requests the list under a name, and returns its source; nil if nothing was requested.
  /// - Returns: The server's repository, and its list.
  /// - Throws: The error of the lookup, else that of the list.
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
    // A renamed repository has its new name from here on.
    guard let fullName = RepositoryName(repository.fullName) else {
      throw NetworkError(
        .decoding, "the server's name for \(name) is invalid")
    }
    onFound(repository, fullName)
    let isAsked = "\(fullName)".lowercased() == "\(name)".lowercased()
    // Under another name the list can be the right one, but a failure needn't be.
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

/// The source of a response: the URL that was requested, and the URL that redirects led to.
public struct AnswerSource: Hashable, Sendable {
  private let asked: String
  private let answered: String

  /// Records the source of a response.
  public init(_ response: TargetResponse) {
    answered = response.request.url
    asked = response.redirects.first ?? answered
  }

  /// Whether the response is a list of a repository of the requested server: `/repos/OWNER/NAME/…` with the name in any
  /// case, or `/repositories/ID/…`, the target of redirects.
  public func isList(of repository: GitHub.Repository) -> Bool {
    guard let url = AbsoluteURL(answered), url.origin == Origin(url: asked) else { return false }
    let path = url.rest.prefix { $0 != "?" && $0 != "#" }
    guard let end = path.lastIndex(of: "/") else { return false }
    let folder = path[..<end].lowercased()
    return folder.hasSuffix("/repositories/\(repository.id)")
      || folder.hasSuffix("/repos/\(repository.fullName)".lowercased())
  }
}
