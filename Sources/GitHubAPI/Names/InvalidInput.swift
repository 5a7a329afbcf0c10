internal import HTTPTargets

/// Text that was refused before any request.
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

    /// The name.
    public var description: String { rawValue }

    /// Creates a code.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A repository, as ``RepositoryReference/init(parsing:)`` reads it.
    public static let repository = Code(rawValue: "repository")
    /// An issue, as ``IssueReference/init(parsing:)`` reads it.
    public static let issue = Code(rawValue: "issue")
    /// A user's login, as ``Username/init(parsing:)`` reads it.
    public static let username = Code(rawValue: "username")
    /// A server's host name, as ``GitHubServer/init(host:)`` reads it.
    public static let host = Code(rawValue: "host")
    /// The URL of an API, as ``GitHubServer/init(apiURL:)`` reads it.
    public static let apiURL = Code(rawValue: "apiURL")
    /// A search in words, as the mirror's `SearchQuery` reads it.
    public static let search = Code(rawValue: "search")
    /// A filter in words, as ``IssueFilter/init(query:)`` reads it.
    public static let filter = Code(rawValue: "filter")

    /// Whether an error has this code.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? InvalidInput)?.code == code
    }
  }

  /// The intended kind of the text.
  public let code: Code
  /// The refused text and the accepted forms, in a sentence or two.
  ///
  /// It repeats the text only if that can't hold control characters, a password or a token.
  public let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Quotes the text if it may be repeated.
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
    // Searching takes long, and most names contain no underscore.
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
