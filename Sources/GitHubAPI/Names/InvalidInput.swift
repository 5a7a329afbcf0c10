internal import HTTPTargets

/// The error for text that was rejected before any request.
///
/// ```swift
/// do {
///   let repository = try RepositoryReference(parsing: text)
/// } catch InvalidInput.Code.repository {
///   …
/// }
/// ```
public struct InvalidInput: Error, Hashable, Sendable {
  /// The intended kind of the text. A later version may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the code.
    public let rawValue: String

    /// The name of the code.
    public var description: String { rawValue }

    /// Creates a code.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A repository, parsed by ``RepositoryReference/init(parsing:)``.
    public static let repository = Code(rawValue: "repository")
    /// An issue, parsed by ``IssueReference/init(parsing:)``.
    public static let issue = Code(rawValue: "issue")
    /// A user's login, parsed by ``Username/init(parsing:)``.
    public static let username = Code(rawValue: "username")
    /// A server's host name, parsed by ``GitHubServer/init(host:forge:)``.
    public static let host = Code(rawValue: "host")
    /// The URL of an API, parsed by ``GitHubServer/init(apiURL:)``.
    public static let apiURL = Code(rawValue: "apiURL")
    /// A search query, parsed by the mirror's `SearchQuery`.
    public static let search = Code(rawValue: "search")
    /// A filter query, parsed by ``IssueFilter/init(query:)``.
    public static let filter = Code(rawValue: "filter")

    /// Whether an error has this code.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? InvalidInput)?.code == code
    }
  }

  /// The intended kind of the text.
  public let code: Code
  /// The rejected text and the accepted forms, in one or two sentences.
  ///
  /// It includes the text only if the text can't contain control characters, a password or a token.
  public let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Returns the quoted text if it may be shown, or else the description.
  package static func naming(_ text: String, otherwise description: String) -> String {
    let tokens = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"]
    let isPlain = text.utf8.allSatisfy { byte in
      switch UInt8(byte) {
      case _ where byte.isASCIILetterOrDigit: true
      case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"): true
      case UInt8(ascii: ":"), UInt8(ascii: "%"), UInt8(ascii: " "): true
      default: false
      }
    }
    guard isPlain, !text.isEmpty, text.utf8.count <= 100 else { return description }
    // The search is slow, and most names don't contain an underscore.
    if text.utf8.contains(UInt8(ascii: "_")) {
      let lowercased = text.lowercased()
      guard !tokens.contains(where: lowercased.contains) else { return description }
    }
    return "\"\(text)\""
  }
}

extension InvalidInput: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
