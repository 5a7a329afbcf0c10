extension GitHub {
  /// An issue from a list of several repositories, with its repository.
  public struct LocatedIssue: Identifiable, Hashable, Sendable {
    /// The issue.
    public var issue: GitHub.Issue
    /// The name of the repository; nil if the server doesn't send it.
    public var repository: RepositoryName?

    /// Creates an issue of a repository.
    public init(_ issue: GitHub.Issue, in repository: RepositoryName?) {
      self.issue = issue
      self.repository = repository
    }

    /// The repository and the number, as in `swiftlang/swift#12`.
    public var id: String { "\(repository?.description ?? "")#\(issue.number)" }
  }
}

extension GitHub.LocatedIssue: Codable {
  private enum CodingKeys: String, CodingKey {
    case repository
    case repositoryURL = "repository_url"
  }

  private struct Place: Codable {
    let fullName: String

    enum CodingKeys: String, CodingKey {
      case fullName = "full_name"
    }
  }

  /// Decodes an issue with its `repository`, or else with the `repository_url` that searches return.
  public init(from decoder: any Decoder) throws {
    issue = try GitHub.Issue(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // An invalid repository is ignored, so that the issue isn't lost.
    let place = (try? container.decodeIfPresent(Place.self, forKey: .repository)) ?? nil
    let url = (try? container.decodeIfPresent(String.self, forKey: .repositoryURL)) ?? nil
    repository =
      (place?.fullName).flatMap { RepositoryName($0) }
      ?? url.flatMap { url in
        let parts = url.split(separator: "/")
        guard parts.count > 3, parts[parts.count - 3] == "repos" else { return nil }
        return RepositoryName(parts.suffix(2).joined(separator: "/"))
      }
  }

  /// Encodes the known fields, and the repository's name.
  public func encode(to encoder: any Encoder) throws {
    try issue.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(
      repository.map { Place(fullName: $0.description) }, forKey: .repository)
  }
}
