internal import HTTPTargets

/// The name of a repository, `owner/name`, which is safe in a path.
///
/// Each part consists of `A-Z a-z 0-9 . _ -` and is neither `.` nor `..`. The owner has at most 39 characters
/// (including a managed user's underscore and short code), and the repository 100:
/// <https://docs.github.com/en/repositories/creating-and-managing-repositories/repository-limits>. Names that GitHub no
/// longer allows (with leading, trailing or consecutive hyphens) are accepted, because old accounts have them. GitHub
/// ignores the letter case in names, but this type doesn't.
public struct RepositoryName: Hashable, Sendable, LosslessStringConvertible {
  /// The user or organization.
  public let owner: String
  /// The name without the owner.
  public let name: String

  static let maximumOwnerLength = 39
  static let maximumNameLength = 100

  /// Parses `owner/name`, and drops a final `.git`, because GitHub removes it from every name; nil for other text.
  public init?(_ fullName: String) {
    let parts = fullName.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(
      owner: String(decoding: parts[0], as: UTF8.self),
      name: String(decoding: parts[1], as: UTF8.self))
  }

  /// Creates a name from its parts, with or without a final `.git`; nil if a part isn't valid.
  public init?(owner: String, name: String) {
    let name = name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    guard
      Self.isValid(owner, maximumLength: Self.maximumOwnerLength),
      Self.isValid(name, maximumLength: Self.maximumNameLength),
      !name.hasSuffix(".git")
    else { return nil }
    self.owner = owner
    self.name = name
  }

  /// The full name, `owner/name`.
  public var description: String { "\(owner)/\(name)" }

  private static func isValid(_ part: String, maximumLength: Int) -> Bool {
    guard part != ".", part != "..", (1...maximumLength).contains(part.utf8.count) else {
      return false
    }
    return part.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "-")
    }
  }
}

extension RepositoryName: Codable {
  /// Decodes a name from its text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { RepositoryName($0) }
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}
