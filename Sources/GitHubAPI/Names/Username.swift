internal import HTTPTargets

/// The login of a user, an organization or a bot, safe in a path once percent-encoded.
///
/// It has up to 39 of `A-Z a-z 0-9 -`, and `_`, which precedes a managed user's short code:
/// <https://docs.github.com/en/enterprise-cloud@latest/admin/managing-iam/iam-configuration-reference/username-considerations-for-external-authentication>.
/// A bot's final `[bot]` doesn't count. Hyphens may be anywhere, as in old accounts.
public struct Username: Hashable, Sendable, LosslessStringConvertible {
  /// The login.
  public let login: String

  /// Reads a login; nil for anything else.
  public init?(_ login: String) {
    let name = login.hasSuffix("[bot]") ? login.dropLast(5) : login[...]
    guard
      (1...RepositoryName.maximumOwnerLength).contains(name.utf8.count),
      name.utf8.allSatisfy({
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      })
    else { return nil }
    self.login = login
  }

  /// Reads a typed login.
  ///
  /// - Throws: ``InvalidInput`` with the code `username` and the accepted form.
  public init(parsing text: String) throws(InvalidInput) {
    guard let username = Username(text) else {
      let refused = InvalidInput.naming(text, otherwise: "The text")
      throw InvalidInput(
        .username,
        """
        \(refused) is not a user name: use up to 39 of A-Z a-z 0-9 - _, and [bot] at the end for a bot.
        """)
    }
    self = username
  }

  /// The login.
  public var description: String { login }
}

extension Username: Codable {
  /// Decodes a login from its text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { Username($0) }
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}
