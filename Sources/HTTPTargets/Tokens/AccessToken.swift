internal import HTTPTypes

/// A secret that authenticates a user or a program.
///
/// It is validated when it is created, because a later step would change or drop a value with a line break, and the
/// request would be sent without it. Descriptions, mirrors and interpolations show a mask.
public struct AccessToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The secret itself.
  public let secret: String

  /// Creates a token. A final line break (LF or CRLF) is removed, because files and the output of commands usually end
  /// with one.
  ///
  /// - Throws: ``NetworkError/Code/requestMapping`` if the token is empty, or contains spaces, control characters or
  ///   non-ASCII characters ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
  public init(_ text: String) throws(NetworkError) {
    var text = text[...]
    // Compares characters, because CRLF is a single `Character`. `isNewline` would also remove form feeds and U+2028.
    if text.last == "\n" || text.last == "\r\n" { text = text.dropLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw NetworkError(
        .requestMapping,
        text.isEmpty
          ? "the access token is empty"
          : "the access token contains a character that no token can have (a space, a line break or "
            + "a control character): copy it again")
    }
    secret = String(text)
  }

  /// The mask instead of the secret.
  public var description: String { Redaction.mask }
  /// A mirror without the secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Plugin {
  /// Adds the access token to requests of targets that accept one (``TargetPolicy/authorization``).
  ///
  /// The token belongs to one origin. Requests to other origins are sent without it. An existing `Authorization` is
  /// replaced. (Moya's `AccessTokenPlugin` appends a second one.) If the origin is neither https nor this machine,
  /// these calls throw ``NetworkError/Code/requestMapping``.
  ///
  /// - Parameters:
  ///   - origin: The origin that the token belongs to.
  ///   - token: Returns the token for a target; nil to send none.
  /// - Returns: The plugin.
  public static func accessToken(
    origin: Origin, token: @escaping @Sendable (any TargetType) async throws -> AccessToken?
  ) -> Plugin {
    Plugin(prepare: { request, target in
      guard let scheme = target.policy.authorization.scheme, request.origin == origin,
        let token = try await token(target)
      else { return request }
      guard origin.isTrustworthy else {
        throw NetworkError(
          .requestMapping, "an access token can't be sent to \(origin): use https")
      }
      var request = request
      request.headers[.authorization] = "\(scheme) \(token.secret)"
      return request
    })
  }
}
