internal import HTTPTargets

/// The name of a repository, `owner/name`. Every part is safe in a path.
///
/// Each part is made of `A-Z a-z 0-9 . _ -` and is neither `.` nor `..`. The owner has at most 39
/// characters, a managed user's underscore and short code among them, and the repository 100:
/// <https://docs.github.com/en/repositories/creating-and-managing-repositories/repository-limits>.
/// Names that GitHub no longer allows (with hyphens at the ends or in a row) are accepted, because old
/// accounts have them. GitHub ignores case in names; this type doesn't.
public struct RepositoryName: Hashable, Sendable, LosslessStringConvertible {
  /// The user or organisation.
  public let owner: String
  /// The repository's own name.
  public let name: String

  /// The most characters an owner may have.
  static let maximumOwnerLength = 39
  /// The most characters a repository's own name may have.
  static let maximumNameLength = 100

  /// Reads `owner/name`; nil for anything else.
  ///
  /// One `.git` at the end is dropped: GitHub takes it off every name, so that no repository has it.
  public init?(_ fullName: String) {
    let parts = fullName.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(
      owner: String(decoding: parts[0], as: UTF8.self),
      name: String(decoding: parts[1], as: UTF8.self))
  }

  /// Creates a name from its parts; nil if a part isn't valid.
  ///
  /// - Parameters:
  ///   - owner: The user or organisation.
  ///   - name: The repository's own name, with or without `.git` at the end.
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

  /// `owner/name`.
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
