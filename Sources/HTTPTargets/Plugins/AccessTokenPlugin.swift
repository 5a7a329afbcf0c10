internal import HTTPTypes

/// Adds the access token to requests of targets that take one.
///
/// The token belongs to one origin, and goes nowhere else: a request to another origin, even of the
/// same target, goes out without. An `Authorization` that is there already is replaced. (Moya's plugin
/// of that name appends a second one.)
public struct AccessTokenPlugin: Plugin {
  let origin: Origin
  let token: @Sendable (any TargetType) async throws(NetworkError) -> AccessToken?

  /// Creates the plugin.
  ///
  /// - Parameters:
  ///   - origin: Where the token belongs.
  ///   - token: Returns the token for a target; nil to send none.
  public init(
    origin: Origin,
    token: @escaping @Sendable (any TargetType) async throws(NetworkError) -> AccessToken?
  ) {
    self.origin = origin
    self.token = token
  }

  /// Adds the token.
  ///
  /// - Throws: ``NetworkError/Code/requestMapping`` when the origin is neither https nor this machine.
  public func prepare(
    _ request: Request, target: any TargetType
  ) async throws(NetworkError) -> Request {
    guard let scheme = target.authorization.scheme, request.origin == origin,
      let token = try await token(target)
    else { return request }
    guard origin.isTrustworthy else {
      throw NetworkError(
        .requestMapping, "an access token can't be sent to \(origin): use https")
    }
    var request = request
    request.headers[.authorization] = "\(scheme) \(token.secret)"
    return request
  }
}
