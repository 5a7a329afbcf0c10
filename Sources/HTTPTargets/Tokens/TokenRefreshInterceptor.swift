internal import HTTPTypes
internal import Locking

/// Gets a new access token when the server refuses the old one, and sends the request again with it.
///
/// ```swift
/// let interceptor = TokenRefreshInterceptor(origin: origin) { old throws(NetworkError) in
///   try await session.renew(old)
/// }
/// ```
///
/// It takes part in requests of targets that take credentials (``TargetType/authorization``) to the origin
/// that the token belongs to, as ``AccessTokenPlugin`` does; to any other, and over plain http to another
/// machine, no token is sent. Requests with an `Authorization` of another kind stay as they are.
///
/// - One refresh at a time for a token. What is refused meanwhile waits for it, and so does what is about
///   to be sent with the same token. What is refused or sent with the old token later goes on with the new
///   one, without another refresh.
/// - A refresh that fails fails all that wait for it. The next request tries again.
/// - A request that waited for a refresh and is refused all the same gets that answer.
/// - Who cancels leaves the others alone; when all have, the refresh is cancelled.
public struct TokenRefreshInterceptor: Interceptor {
  /// Gets a new token.
  ///
  /// Takes the token that was refused, nil where none was sent. It mustn't call a target that takes
  /// credentials through this same interceptor: that would wait for itself.
  public typealias Refresh =
    @Sendable (_ refused: AccessToken?) async throws(NetworkError) -> AccessToken

  let origin: Origin
  let isRefused: @Sendable (Response) -> Bool
  let refresh: Refresh
  private let succession = Locked(TokenSuccession())
  private let refreshes = SingleFlight<AccessToken?, Never, AccessToken>()

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - origin: Where the token belongs.
  ///   - isRefused: Tells whether an answer refuses the token; by default those with status 401.
  ///   - refresh: Gets a new token.
  public init(
    origin: Origin,
    isRefused: @escaping @Sendable (Response) -> Bool = { $0.status == .unauthorized },
    refresh: @escaping Refresh
  ) {
    self.origin = origin
    self.isRefused = isRefused
    self.refresh = refresh
  }

  /// How many calls wait for a refresh.
  var waiterCount: Int { refreshes.waiterCount }

  /// Sends a request with the latest token.
  ///
  /// - Throws: What the refresh throws; what `next` throws.
  public func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    guard let scheme = call.target.authorization.scheme, origin.isTrustworthy,
      request.origin == origin, let given = GivenToken(in: request, scheme: scheme)
    else { return try await next(request) }

    var token = latest(given.token)
    let awaited = try await refreshes.valueUnderWay(for: token)
    // One that ended between the two looks has left its successor.
    token = awaited ?? latest(token)
    let response = try await next(
      token == given.token ? request : request.authorized(by: token, scheme))
    // After a redirect to another origin the token wasn't there to be refused.
    guard awaited == nil, isRefused(response), response.request.origin == origin else {
      return response
    }
    return try await next(request.authorized(by: try await renewed(token), scheme))
  }

  private func latest(_ token: AccessToken?) -> AccessToken? {
    succession.withLock { $0.successor(of: token) } ?? token
  }

  private func renewed(_ token: AccessToken?) async throws(NetworkError) -> AccessToken {
    try await refreshes.value(
      for: token,
      work: { [succession, refresh] _ async throws(NetworkError) in
        // A refresh that has ended since the token was sent.
        if let new = succession.withLock({ $0.successor(of: token) }) { return new }
        let new = try await refresh(token)
        // Before the work ends: who comes after it finds this.
        succession.withLock { $0.replace(token, by: new) }
        return new
      })
  }
}

/// The token that a request carries.
private struct GivenToken {
  /// Nil for none.
  let token: AccessToken?

  /// Reads it; nil when the request is authorised in another way.
  init?(in request: Request, scheme: String) {
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

extension Request {
  fileprivate func authorized(by token: AccessToken?, _ scheme: String) -> Request {
    var request = self
    request.headers[.authorization] = token.map { "\(scheme) \($0.secret)" }
    return request
  }
}

/// Which token took the place of which.
///
/// A request may carry a token that has been replaced meanwhile: it was prepared before, or by somebody
/// who doesn't know. Tokens are told apart, so that one user's never gets into the place of another's.
struct TokenSuccession: Sendable {
  /// The latest in the place of each that was replaced; nil stands for no token at all.
  private var successors: [AccessToken?: AccessToken] = [:]

  /// What to send in place of a token; nil when it is the latest itself.
  func successor(of token: AccessToken?) -> AccessToken? { successors[token] }

  /// A token has been replaced.
  mutating func replace(_ old: AccessToken?, by new: AccessToken) {
    guard old != new else { return }
    for (token, successor) in successors where successor == old { successors[token] = new }
    successors[old] = new
    // One that was replaced and is valid again.
    successors[new] = nil
  }
}
