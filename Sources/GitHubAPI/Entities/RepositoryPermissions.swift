#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the owner of a token may do in a repository, as the look-up of the repository says it.
public struct RepositoryPermissions: Hashable, Sendable {
  /// Whether everything is allowed.
  public var admin: Bool
  /// Whether all but what destroys or discloses is allowed.
  public var maintain: Bool
  /// Whether pushing is allowed. From anybody else GitHub drops labels, assignees, milestone and type of a new issue.
  public var push: Bool
  /// Whether issues of others may be closed and labelled.
  public var triage: Bool
  /// Whether reading is allowed.
  public var pull: Bool

  /// Makes permissions.
  public init(
    admin: Bool = false, maintain: Bool = false, push: Bool = false, triage: Bool = false,
    pull: Bool = true
  ) {
    self.admin = admin
    self.maintain = maintain
    self.push = push
    self.triage = triage
    self.pull = pull
  }

  /// Reads the permissions in the JSON of a repository.
  ///
  /// - Parameter json: The answer to ``GitHub/repo(fullName:)``.
  /// - Returns: The permissions; nil where the server says none, as to a request without a token.
  public static func told(in json: Data) -> RepositoryPermissions? {
    (try? GitHubJSON.decode(Holder.self, from: json))?.permissions
  }

  private struct Holder: Decodable {
    var permissions: RepositoryPermissions?
  }
}

extension RepositoryPermissions: Decodable {
  private enum CodingKeys: String, CodingKey {
    case admin, maintain, push, triage, pull
  }

  /// Decodes permissions. What the server doesn't say isn't allowed.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func allows(_ key: CodingKeys) throws -> Bool {
      try container.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    self.init(
      admin: try allows(.admin), maintain: try allows(.maintain), push: try allows(.push),
      triage: try allows(.triage), pull: try allows(.pull))
  }
}
