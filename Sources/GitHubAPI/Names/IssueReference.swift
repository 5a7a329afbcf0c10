internal import HTTPTargets

/// A reference to an issue or pull request that a user types or pastes.
///
/// | form | example |
/// |---|---|
/// | the number, in a known repository | `12`, `#12` |
/// | with its repository | `swiftlang/swift#12`, `github.example.com/swiftlang/swift#12` |
/// | the URL of its page | `https://github.com/swiftlang/swift/issues/12` |
public struct IssueReference: Hashable, Sendable, Codable {
  /// The repository; nil if only a number was given.
  public let repository: RepositoryReference?
  /// The number, starting at 1.
  public let number: Int

  /// Creates a reference.
  public init(repository: RepositoryReference? = nil, number: Int) {
    self.repository = repository
    self.number = number
  }

  /// Parses typed text.
  ///
  /// - Throws: ``InvalidInput`` with the code `issue` or `repository`, depending on the invalid part, and with the
  ///   accepted forms.
  public init(parsing text: String) throws(InvalidInput) {
    if text.contains("://") {
      let page = try RepositoryReference(parsing: text)
      guard let number = page.issueNumber else { throw Self.refusal(of: text) }
      self.init(repository: RepositoryReference(host: page.host, name: page.name), number: number)
      return
    }
    let mark = text.utf8.lastIndex(of: UInt8(ascii: "#"))
    let digits = mark.map { text[text.utf8.index(after: $0)...] } ?? text[...]
    guard let number = Self.number(digits) else { throw Self.refusal(of: text) }
    guard let mark, mark > text.startIndex else {
      self.init(number: number)
      return
    }
    self.init(repository: try RepositoryReference(parsing: String(text[..<mark])), number: number)
  }

  /// Parses digits without a leading zero.
  static func number(_ digits: Substring) -> Int? {
    guard digits.utf8.allSatisfy(\.isASCIIDigit), digits.utf8.first != UInt8(ascii: "0") else {
      return nil
    }
    return Int(digits)
  }

  private static func refusal(of text: String) -> InvalidInput {
    let refused = InvalidInput.naming(text, otherwise: text.isEmpty ? "Empty text" : "The text")
    return InvalidInput(
      .issue,
      """
      \(refused) is not an issue: use its number, OWNER/REPO#NUMBER, or the address of an issue or a \
      pull request.
      """)
  }
}

extension IssueReference: CustomStringConvertible {
  /// The reference as `owner/name#12`, with the host if there is one, or as `#12`.
  public var description: String { "\(repository.map { "\($0)" } ?? "")#\(number)" }
}
