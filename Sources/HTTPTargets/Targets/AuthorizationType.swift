/// The kind of credentials that an endpoint takes, sent in the `Authorization` header field by
/// ``AccessTokenPlugin``.
public enum AuthorizationType: Sendable, Hashable {
  /// No credentials.
  case none
  /// `Bearer TOKEN` ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
  case bearer
  /// `Basic TOKEN`, where the token is already base64
  /// ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).
  case basic
  /// A scheme of the API's own.
  case custom(String)

  /// The word before the token; nil when there are no credentials.
  public var scheme: String? {
    switch self {
    case .none: nil
    case .bearer: "Bearer"
    case .basic: "Basic"
    case .custom(let scheme): scheme
    }
  }
}
