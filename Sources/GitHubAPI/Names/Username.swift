internal import HTTPTargets

/// The login of a user, an organization or a bot. It is safe in a path after percent-encoding.
///
/// It has up to 39 characters of `A-Z a-z 0-9 -`, `.` between two others on Forgejo and Gitea, and `_` before the short
/// code of a managed user:
/// <https://docs.github.com/en/enterprise-cloud@latest/admin/managing-iam/iam-configuration-reference/username-considerations-for-external-authentication>.
/// The final `[bot]` of a bot isn't counted. Hyphens may be anywhere, because old accounts have such logins.
public struct Username: Hashable, Sendable, LosslessStringConvertible {
  /// The login.
  public let login: String

  /// Parses a login; nil for other text. `app/NAME`, the form of bots in GitHub's search, is the login `NAME[bot]`.
  public init?(_ text: String) {
    let login = text.hasPrefix("app/") ? "\(text.dropFirst(4))[bot]" : text
    let name = login.hasSuffix("[bot]") ? login.dropLast(5) : login[...]
    guard
      (1...RepositoryName.maximumOwnerLength).contains(name.utf8.count),
      name.utf8.allSatisfy({
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: ".")
      }), name.first != ".", name.last != ".", !name.contains("..")
    else { return nil }
    self.login = login
  }

  /// Parses a typed login.
  ///
  /// - Throws: ``InvalidInput`` with the code `username` and with the accepted form.
  public init(parsing text: String) throws(InvalidInput) {
    guard let username = Username(text) else {
      let refused = InvalidInput.naming(text, otherwise: "The text")
      throw InvalidInput(
        .username,
        """
        \(refused) is not a user name: use up to 39 of A-Z a-z 0-9 - _ and single dots, and [bot] at the end for a bot.
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
