internal import ConcurrencyPrimitives
internal import HTTPTypes

/// Gets a new access token when the server refuses the old one, and repeats the request with it.
///
/// ```swift
/// let interceptor = TokenRefreshInterceptor(origin: origin) { old in try await session.renew(old) }
/// ```
///
/// It handles requests of targets that take credentials (``TargetType/authorization``), to the token's origin,
/// like ``Plugin/accessToken(origin:token:)``. No token goes to another origin, or over plain http to another machine. Requests
/// with another kind of `Authorization` aren't changed.
///
/// - A token has one refresh at a time. Requests with that token wait for it, if they are refused or about to be
///   sent meanwhile. Later ones use the new token without another refresh.
/// - A failed refresh fails every waiting request. The next request tries again.
/// - A request that waited for a refresh and is still refused gets that response.
/// - Cancelling requests doesn't cancel the refresh, even if all of them are cancelled: a server that gives a new
///   refresh token with each access token has used up the old one. The next request gets the result.
/// - It remembers the replacement of each token, and of no token. Call ``forgetTokens()`` when a user signs out:
///   otherwise that user's last token may be sent with requests that have none.
///
/// Place it outside a ``CachingInterceptor`` and a ``RetryInterceptor``. <doc:Sessions> shows a session with both
/// tokens.
public struct TokenRefreshInterceptor: Interceptor {
  /// Gets a new token for the refused one; nil if none was sent.
  ///
  /// It mustn't call a target that takes credentials through this interceptor: that call would wait for itself.
  public typealias Refresh =
    @Sendable (_ refused: AccessToken?) async throws -> AccessToken

  let origin: Origin
  let isRefused: @Sendable (TargetResponse) -> Bool
  let refresh: Refresh
  private let succession = Locked(TokenSuccession())
  private let refreshes = SingleFlight<SentToken, Never, AccessToken>(
    isCancelledWithLastWaiter: false)

  /// A token, and the generation of tokens that it belongs to.
  private struct SentToken: Hashable {
    var token: AccessToken?
    var generation: Int
  }

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - origin: The origin that the token belongs to.
  ///   - isRefused: Whether a response refuses the token; by default one with status 401.
  ///   - refresh: Gets a new token.
  public init(
    origin: Origin,
    isRefused: @escaping @Sendable (TargetResponse) -> Bool = { $0.status == .unauthorized },
    refresh: @escaping Refresh
  ) {
    self.origin = origin
    self.isRefused = isRefused
    self.refresh = refresh
  }

  var waiterCount: Int { refreshes.waiterCount }

  /// Forgets the replacements of tokens, for example after a user has signed out.
  ///
  /// A refresh under way continues, but its token is only for the requests that already wait for it. A request that is
  /// refused afterwards isn't sent again.
  public func forgetTokens() {
    succession.withLock { $0.forget() }
  }

  /// Sends a request with the latest token.
  ///
  /// - Throws: The errors of the refresh and of `next`.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    guard let scheme = call.target.authorization.scheme, origin.isTrustworthy,
      request.origin == origin, let given = GivenToken(in: request, scheme: scheme)
    else { return try await next(request) }

    var sent = latest(given.token)
    let awaited = try await refreshes.valueUnderWay(for: sent)
    if let awaited {
      sent.token = awaited
    } else {
      // A refresh that ended between the two steps has left its token.
      sent = latest(sent.token)
    }
    let response = try await next(
      sent.token == given.token ? request : request.authorized(by: sent.token, scheme))
    // After a redirect to another origin the token wasn't sent, so it can't have been refused. A user who has signed in
    // since must not repeat the request of one who signed out.
    guard awaited == nil, isRefused(response), response.request.origin == origin,
      succession.withLock({ $0.generation }) == sent.generation
    else { return response }
    let token: AccessToken
    do throws(NetworkError) {
      token = try await renewed(sent)
    } catch {
      // The refresh's byte count doesn't apply to the request.
      var error = error
      error.bytesSent = nil
      throw error
    }
    return try await next(request.authorized(by: token, scheme))
  }

  private func latest(_ token: AccessToken?) -> SentToken {
    succession.withLock {
      SentToken(token: $0.successor(of: token) ?? token, generation: $0.generation)
    }
  }

  private func renewed(_ refused: SentToken) async throws(NetworkError) -> AccessToken {
    try await refreshes.value(
      for: refused,
      work: { [succession, refresh] _ async throws(NetworkError) in
        // A refresh may have ended since the token was sent.
        let known = succession.withLock {
          $0.generation == refused.generation ? $0.successor(of: refused.token) : nil
        }
        if let known { return known }
        let new: AccessToken
        do {
          new = try await refresh(refused.token)
        } catch {
          throw NetworkError(caught: error)
        }
        // Before the work ends, so that later requests find it.
        succession.withLock {
          if $0.generation == refused.generation { $0.replace(refused.token, by: new) }
        }
        return new
      })
  }
}

private struct GivenToken {
  let token: AccessToken?

  init?(in request: TargetRequest, scheme: String) {
    guard let value = request.headers[.authorization] else {
      token = nil
      return
    }
    guard value.hasPrefix("\(scheme) "),
      let token = try? AccessToken(String(value.dropFirst(scheme.count + 1)))
    else { return nil }
    self.token = token
  }
}

extension TargetRequest {
  fileprivate func authorized(by token: AccessToken?, _ scheme: String) -> TargetRequest {
    var request = self
    request.headers[.authorization] = token.map { "\(scheme) \($0.secret)" }
    return request
  }
}

/// The newest successor of each token. Each user has a chain, so one user's token never replaces another's.
struct TokenSuccession: Sendable {
  static let maximumReplaced = 8

  /// The key nil stands for no token.
  private var successors: [AccessToken?: AccessToken] = [:]
  /// The tokens that each newest one replaced, in order.
  private var chains: [AccessToken: [AccessToken?]] = [:]

  /// The number of times that all tokens were forgotten.
  private(set) var generation = 0

  var count: Int { successors.count }

  mutating func forget() {
    successors = [:]
    chains = [:]
    generation += 1
  }

  func successor(of token: AccessToken?) -> AccessToken? { successors[token] }

  mutating func replace(_ old: AccessToken?, by new: AccessToken) {
    guard old != new else { return }
    var replaced = (successors[old] ?? old).flatMap { chains.removeValue(forKey: $0) } ?? []
    // The new token may be an old one that is valid again.
    replaced.removeAll { $0 == old || $0 == new }
    successors[new] = nil
    replaced.append(old)
    // The first stays, because a provider may use it permanently. Of the others, those stay that a request under way
    // may still use.
    if replaced.count > Self.maximumReplaced { successors[replaced.remove(at: 1)] = nil }
    for token in replaced { successors[token] = new }
    chains[new, default: []] += replaced
  }
}
