internal import ConcurrencyPrimitives
internal import HTTPTypes

/// Gets a new access token when the server rejects the old one, and repeats the request with the new token.
///
/// ```swift
/// let interceptor = TokenRefreshInterceptor(origin: origin) { old in try await session.renew(old) }
/// ```
///
/// Like ``Plugin/accessToken(origin:token:)``, it handles requests to the token's origin if their targets accept
/// credentials (``TargetPolicy/authorization``). Tokens aren't sent to other origins, or over plain http to other
/// machines. Requests with another kind of `Authorization` aren't changed.
///
/// - Each token has at most one refresh at a time. Requests with that token wait for the refresh if they are rejected
///   or about to be sent in the meantime. Later requests use the new token without another refresh.
/// - If a refresh fails, every waiting request fails. The next request tries again.
/// - If a request waited for a refresh and is still rejected, the response is returned.
/// - Canceling requests doesn't cancel the refresh, even if all of them are canceled. A server that issues a new
///   refresh token with each access token may already have invalidated the old one. The next request uses the result.
/// - The interceptor remembers the replacement of each token, and that of a missing token. Call ``forgetTokens()`` when
///   a user signs out. Otherwise the last token of that user may be sent with requests without a token.
///
/// Place this interceptor outside a ``CachingInterceptor`` and a ``RetryInterceptor``. For a session with both tokens,
/// see <doc:Sessions>.
public struct TokenRefreshInterceptor: Interceptor {
  /// Gets a new token in place of the rejected one. Its argument is nil if the request had no token.
  ///
  /// It mustn't call a target that accepts credentials through this interceptor, because that call would wait for
  /// itself.
  public typealias Refresh =
    @Sendable (_ refused: AccessToken?) async throws -> AccessToken

  let origin: Origin
  let isRefused: @Sendable (TargetResponse) -> Bool
  let refresh: Refresh
  private let succession = Locked(TokenSuccession())
  private let refreshes = SingleFlight<SentToken, Never, AccessToken>(
    isCancelledWithLastWaiter: false)

  /// A token and its generation.
  private struct SentToken: Hashable {
    var token: AccessToken?
    var generation: Int
  }

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - origin: The origin that the token belongs to.
  ///   - isRefused: Returns whether a response rejects the token; by default if the status is 401.
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

  /// Forgets the replacements of all tokens, for example after a user has signed out.
  ///
  /// A running refresh continues, but only the requests that already wait for it use its token. A request that is
  /// rejected afterward isn't sent again.
  public func forgetTokens() {
    succession.withLock { $0.forget() }
  }

  /// Sends a request with the latest token.
  ///
  /// - Throws: The errors of the refresh and of `next`.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    guard let scheme = call.target.policy.authorization.scheme, origin.isTrustworthy,
      request.origin == origin, let given = GivenToken(in: request, scheme: scheme)
    else { return try await next(request) }

    var sent = latest(given.token)
    let awaited = try await refreshes.valueUnderWay(for: sent)
    if let awaited {
      sent.token = awaited
    } else {
      // A refresh may have ended between the two steps and stored its token.
      sent = latest(sent.token)
    }
    let response = try await next(
      sent.token == given.token ? request : request.authorized(by: sent.token, scheme))
    // After a redirect to another origin the token wasn't sent, so it can't have been rejected. If one user has signed
    // out and another has signed in, the first user's request must not be repeated.
    guard awaited == nil, isRefused(response), response.request.origin == origin,
      succession.withLock({ $0.generation }) == sent.generation
    else { return response }
    let token: AccessToken
    do throws(NetworkError) {
      token = try await renewed(sent)
    } catch {
      // The number of bytes belongs to the refresh, not to the request.
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
        // Stored before the work ends, so that later requests find it.
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

/// The latest successor of each token. Each user has a chain, so a token never replaces that of another user.
struct TokenSuccession: Sendable {
  static let maximumReplaced = 8

  /// The latest successors. The key nil is for requests without a token.
  private var successors: [AccessToken?: AccessToken] = [:]
  /// The tokens that each latest token has replaced, in order.
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
    // The first token stays, because a provider may use it permanently. Of the others, the latest ones stay, because
    // running requests may still use them.
    if replaced.count > Self.maximumReplaced { successors[replaced.remove(at: 1)] = nil }
    for token in replaced { successors[token] = new }
    chains[new, default: []] += replaced
  }
}
