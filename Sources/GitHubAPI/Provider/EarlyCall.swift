public import HTTPTargets
internal import Locking

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Calls that are made before it is known whether their answers are wanted.
///
/// ```swift
/// let early = EarlyCall()
/// early.begin { comments.prefetch() }
/// let issue = try await provider.issue(12, of: name)
/// early.settle(isWanted: true)
/// ```
///
/// What is fine is answered as ever. What fails is held back until it is known to be wanted: until then nothing
/// is sent again, no limit is waited for, and nobody is told of either. So a call that turns out to have been made
/// in vain neither delays the one that it depends on nor speaks over it.
public final class EarlyCall: Sendable {
  /// What those calls are about that the current task makes.
  @TaskLocal static var current: EarlyCall?

  private enum Verdict: Sendable {
    case pending
    case wanted
    case unwanted
  }

  private let verdict = Watched(Verdict.pending)

  /// Creates the mark of calls that nobody has asked for yet.
  public init() {}

  /// Starts calls: those of all tasks that are created in `body`.
  public func begin<Result>(_ body: () -> Result) -> Result {
    Self.$current.withValue(self) { body() }
  }

  /// Makes calls.
  ///
  /// - Returns: What came of them, as soon as it is known whether a failure is wanted.
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

  /// Says whether the answers are wanted; what is said first counts.
  ///
  /// - Parameter isWanted: True to have failures handled as those of any call, false to end the calls that failed
  ///   or will, as if they had been cancelled.
  public func settle(isWanted: Bool) {
    verdict.update { verdict in
      if case .pending = verdict { verdict = isWanted ? .wanted : .unwanted }
    }
  }

  /// Whether it isn't known yet if the answers are wanted.
  var isPending: Bool {
    if case .pending = verdict.current { true } else { false }
  }

  /// Waits until the answers are known to be wanted.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/cancelled`` when they aren't, or the task is cancelled.
  func waitUntilWanted() async throws(NetworkError) {
    await verdict.wait { if case .pending = $0 { false } else { true } }
    guard !Task.isCancelled, case .wanted = verdict.current else { throw .cancelled }
  }
}

/// Holds back what fails of an ``EarlyCall`` until it is known to be wanted.
///
/// Its place is inside of what retries, and outside of what waits for limits, which waits for none on behalf of
/// such a call. So nothing of it holds a place that the call needs that it depends on.
struct EarlyCallInterceptor: Interceptor {
  /// Whether limits are kept inside of it, so that a request that met one can be handed on once more.
  let keepsLimits: Bool

  func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    guard let early = EarlyCall.current, early.isPending else { return try await next(request) }
    let outcome: Result<Response, NetworkError>
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
      // It lasts too long, and nothing was sent: the first answer says more.
      guard error.code == .rateLimited else { throw error }
      return try outcome.get()
    }
  }

  private static func isLimit(_ outcome: Result<Response, NetworkError>) -> Bool {
    switch outcome {
    case .success(let response):
      RateLimitAnswer(response, now: .now).limit != nil
    case .failure(let error): error.code == .rateLimited
    }
  }
}

extension Provider where Target == GitHub {
  /// Looks a repository up, and asks for its list side by side: both together take as long as one.
  ///
  /// What the look-up says decides. A list is given only when it is that of the repository that was found
  /// (``AnswerSource/isList(of:)``); any other is dropped unseen, and asked for under the name that the server
  /// gave. While the look-up goes on the list is an ``EarlyCall``, and where it fails, the list is cancelled.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - onFound: Is told of the repository, and of its name as the server has it, before the list is there.
  ///   - list: Asks for the list under a name, and says where it came from; nil where nothing was
  ///     asked for.
  /// - Returns: The repository as the server has it, and its list.
  /// - Throws: Why there is no repository; else why there is no list.
  public func repository<List: Sendable>(
    _ name: RepositoryName,
    onFound: @Sendable (Repository, RepositoryName) -> Void = { _, _ in },
    with list:
      @escaping @Sendable (RepositoryName) async throws(NetworkError) -> (
        list: List, source: AnswerSource?
      )
  ) async throws(NetworkError) -> (repository: Repository, list: List) {
    let early = EarlyCall()
    async let guess = early.outcome { () async throws(NetworkError) in try await list(name) }
    let repository = try await repository(name)
    // From here on the name is the server's: a renamed repository has its new one.
    guard let fullName = RepositoryName(repository.fullName) else {
      throw NetworkError(
        .decoding, "the server gives \(name) a name that is none")
    }
    onFound(repository, fullName)
    let isAsked = "\(fullName)".lowercased() == "\(name)".lowercased()
    // Under another name a list can be the right one, but a failure need not be.
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

/// Where an answer came from: what was asked for, and where redirects led to.
public struct AnswerSource: Hashable, Sendable {
  private let asked: String
  private let answered: String

  /// Notes where an answer came from.
  public init(_ response: Response) {
    answered = response.request.url
    asked = response.redirects.first ?? answered
  }

  /// Whether it is a list of a repository: `/repos/OWNER/NAME/…` with its name in any case, or
  /// `/repositories/ID/…`, where redirects lead, with its number; at the server that was asked.
  ///
  /// - Parameter repository: The repository, as the server has it.
  /// - Returns: Whether it is.
  public func isList(of repository: Repository) -> Bool {
    guard let url = AbsoluteURL(answered), url.origin == Origin(url: asked) else { return false }
    let path = url.rest.prefix { $0 != "?" && $0 != "#" }
    guard let end = path.lastIndex(of: "/") else { return false }
    let folder = path[..<end].lowercased()
    return folder.hasSuffix("/repositories/\(repository.id)")
      || folder.hasSuffix("/repos/\(repository.fullName)".lowercased())
  }
}
