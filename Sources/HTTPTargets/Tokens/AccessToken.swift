internal import HTTPTypes

/// A secret that represents a person or a program.
///
/// It is validated when it is created: a line break would change or drop the value further down, and the request
/// would leave without it. Descriptions, mirrors and interpolations print a mask.
public struct AccessToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The secret itself.
  public let secret: String

  /// Creates a token. A final line break (LF or CRLF) is removed, because files and commands leave one.
  ///
  /// - Throws: ``NetworkError/Code/requestMapping`` if it is empty or contains blanks, control characters or
  ///   non-ASCII ones ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
  public init(_ text: String) throws(NetworkError) {
    var text = text[...]
    // A `Character`, since CRLF is one. `isNewline` would also remove form feeds and U+2028.
    if text.last == "\n" || text.last == "\r\n" { text = text.dropLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw NetworkError(
        .requestMapping,
        text.isEmpty
          ? "the access token is empty"
          : "the access token contains a character that no token can have (a blank, a line break or "
            + "a control character): copy it again")
    }
    secret = String(text)
  }

  /// A mask.
  public var description: String { Redaction.mask }
  /// A mask.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Plugin {
  /// Adds the access token to requests of targets that take one (``TargetType/authorization``).
  ///
  /// The token belongs to one origin; requests to others leave without it. An existing `Authorization` is
  /// replaced. (Moya's `AccessTokenPlugin` appends a second one.) If the origin is neither https nor this
  /// machine, such a call throws ``NetworkError/Code/requestMapping``.
  ///
  /// - Parameters:
  ///   - origin: The origin that the token belongs to.
  ///   - token: Gets the token for a target; nil to send none.
  /// - Returns: The plugin.
  public static func accessToken(
    origin: Origin, token: @escaping @Sendable (any TargetType) async throws -> AccessToken?
  ) -> Plugin {
    Plugin(prepare: { request, target in
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
    })
  }
}
