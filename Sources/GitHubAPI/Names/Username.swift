internal import HTTPTargets

/// The login of a user, an organisation or a bot, safe to put into a path once percent-encoded.
///
/// It is made of `A-Z a-z 0-9 -`, at most 39 of them, and `_`, which managed users have before their
/// short code:
/// <https://docs.github.com/en/enterprise-cloud@latest/admin/managing-iam/iam-configuration-reference/username-considerations-for-external-authentication>.
/// A bot's ends in `[bot]`, which isn't counted. Hyphens may stand anywhere, as old accounts have it.
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

  /// Reads a login that a person typed.
  ///
  /// - Throws: ``InvalidInput`` with the code `username`, whose message says what is accepted.
  public init(parsing text: String) throws(InvalidInput) {
    guard let username = Username(text) else {
      let refused = InvalidInput.naming(text, otherwise: "The text")
      throw InvalidInput(
        .username,
        """
        \(refused) is not a user name: it has up to 39 of A-Z a-z 0-9 - _, and a bot's ends in [bot].
        """)
    }
    self = username
  }

  /// The login.
  public var description: String { login }
}
