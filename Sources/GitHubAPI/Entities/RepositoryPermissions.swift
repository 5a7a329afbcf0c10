public import PlatformModules

/// The permissions of a token in a repository, from the response with the repository.
public struct RepositoryPermissions: Hashable, Sendable {
  /// Whether all actions are allowed.
  public var admin: Bool
  /// Whether all actions are allowed except destructive and sensitive ones.
  public var maintain: Bool
  /// Whether pushing is allowed. Otherwise GitHub drops the labels, assignees, milestone and type of a new issue.
  public var push: Bool
  /// Whether closing and labeling the issues of other users is allowed.
  public var triage: Bool
  /// Whether reading is allowed.
  public var pull: Bool

  /// Creates permissions.
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

  /// Decodes the permissions from the JSON of a repository, the response to ``GitHub/repo(fullName:)``; nil if the
  /// server doesn't send them, as in the response to a request without a token.
  public static func told(in json: Data) -> RepositoryPermissions? {
    (try? GitHubJSON.decode(Holder.self, from: json))?.permissions
  }

  private struct Holder: Decodable {
    var permissions: RepositoryPermissions?
  }
}

extension RepositoryPermissions: Codable {
  private enum CodingKeys: String, CodingKey {
    case admin, maintain, push, triage, pull
  }

  /// Decodes permissions. Missing permissions aren't granted.
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
