public import PlatformModules

/// A comment on an issue or a pull request. All text is untrusted and may contain control characters.
public struct IssueComment: Identifiable, Hashable, Sendable {
  /// The ID on its server, which may exceed 32 bits.
  public var id: Int64
  /// The text in Markdown.
  public var body: String?
  /// The author: `ghost` for a deleted account; nil if the server doesn't send it.
  public var user: GitHub.User?
  /// The author's relation to the repository, such as `MEMBER` or `NONE`.
  public var authorAssociation: String?
  /// The time when the comment was written.
  public var createdAt: Date?
  /// The time of the last change.
  public var updatedAt: Date?
  /// The URL of the comment on the issue's page.
  public var htmlURL: String?
  /// The URL of the issue in the API.
  public var issueURL: String?
  /// The reactions.
  public var reactions: Reactions?

  /// Creates a comment.
  public init(
    id: Int64, body: String? = nil, user: GitHub.User? = nil, authorAssociation: String? = nil,
    createdAt: Date? = nil, updatedAt: Date? = nil, htmlURL: String? = nil,
    issueURL: String? = nil, reactions: Reactions? = nil
  ) {
    self.id = id
    self.body = body
    self.user = user
    self.authorAssociation = authorAssociation
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.htmlURL = htmlURL
    self.issueURL = issueURL
    self.reactions = reactions
  }

  /// The number of the issue, from ``issueURL``; nil if the URL doesn't contain one.
  public var issueNumber: Int? {
    let parts = (issueURL ?? "").split(separator: "/", omittingEmptySubsequences: false).suffix(2)
    guard parts.count == 2, ["issues", "pulls"].contains(parts.first),
      let number = parts.last,
      number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(number).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether the comment has been edited.
  public var isEdited: Bool {
    guard let createdAt, let updatedAt else { return false }
    return updatedAt > createdAt
  }
}

extension IssueComment: Codable, FieldSelectable {
  /// A field of a comment. Its name is that of the property, and its raw value is the REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// The ID on its server.
    case id
    /// The text in Markdown.
    case body
    /// The author.
    case user
    /// The author's relation to the repository, such as `MEMBER` or `NONE`.
    case authorAssociation = "author_association"
    /// The time when the comment was written.
    case createdAt = "created_at"
    /// The time of the last change.
    case updatedAt = "updated_at"
    /// The URL of the comment on the issue's page.
    case htmlURL = "html_url"
    /// The URL of the issue in the API.
    case issueURL = "issue_url"
    /// The reactions.
    case reactions

    /// The REST key.
    public var description: String { rawValue }
  }

  private enum OtherKeys: String, CodingKey {
    case pullRequestURL = "pull_request_url"
  }

  /// Decodes a comment. Only the ID is required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    id = try container.decode(Int64.self, forKey: .id)
    body = try container.decodeIfPresent(String.self, forKey: .body)
    user = try container.decodeIfPresent(GitHub.User.self, forKey: .user)
    authorAssociation = try container.decodeIfPresent(String.self, forKey: .authorAssociation)
    createdAt = try container.decodeTimestampIfPresent(forKey: .createdAt)
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
    issueURL = try container.decodeIfPresent(String.self, forKey: .issueURL)
    if issueURL == "" {
      // A comment on a pull request of Forgejo or Gitea.
      issueURL = try decoder.container(keyedBy: OtherKeys.self)
        .decodeIfPresent(String.self, forKey: .pullRequestURL)
    }
    reactions = try container.decodeIfPresent(Reactions.self, forKey: .reactions)
  }

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// Returns an encodable selection of the comment's fields. Unknown values are encoded as null.
  public func selecting(_ fields: [Field]) -> some Encodable & Sendable {
    FieldSelection(entity: self, fields: fields)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .id: id
    case .body: body
    case .user: user
    case .authorAssociation: authorAssociation
    case .createdAt: createdAt.map(Timestamp.string(from:))
    case .updatedAt: updatedAt.map(Timestamp.string(from:))
    case .htmlURL: htmlURL
    case .issueURL: issueURL
    case .reactions: reactions
    }
  }
}
