#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Issue: Codable, FieldSelectable {
  /// A field of an issue, by its REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// ``Issue/id``.
    case id
    /// ``Issue/number``.
    case number
    /// ``Issue/title``.
    case title
    /// ``Issue/body``.
    case body
    /// ``Issue/state``.
    case state
    /// ``Issue/stateReason``.
    case stateReason = "state_reason"
    /// ``Issue/user``.
    case user
    /// ``Issue/labels``.
    case labels
    /// ``Issue/assignees``.
    case assignees
    /// ``Issue/milestone``.
    case milestone
    /// ``Issue/commentsCount``.
    case commentsCount = "comments"
    /// ``Issue/isLocked``.
    case isLocked = "locked"
    /// ``Issue/createdAt``.
    case createdAt = "created_at"
    /// ``Issue/updatedAt``.
    case updatedAt = "updated_at"
    /// ``Issue/closedAt``.
    case closedAt = "closed_at"
    /// ``Issue/htmlURL``.
    case htmlURL = "html_url"
    /// ``Issue/url``.
    case url
    /// ``Issue/pullRequest``.
    case pullRequest = "pull_request"
    /// ``Issue/authorAssociation``.
    case authorAssociation = "author_association"
    /// ``Issue/reactions``.
    case reactions
    /// ``Issue/isDraft``.
    case isDraft = "draft"
  }

  private enum OldKeys: String, CodingKey {
    case assignee
  }

  /// Decodes an issue, of which only the id, the number, the title and the state are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    id = try container.decode(Int64.self, forKey: .id)
    number = try container.decode(Int.self, forKey: .number)
    title = try container.decode(String.self, forKey: .title)
    body = try container.decodeIfPresent(String.self, forKey: .body)
    state = IssueState(rawValue: try container.decode(String.self, forKey: .state))
    stateReason = try container.decodeIfPresent(String.self, forKey: .stateReason)
      .map(StateReason.init(rawValue:))
    user = try container.decodeIfPresent(User.self, forKey: .user)
    labels = try container.decodeIfPresent([Label].self, forKey: .labels) ?? []
    if let assignees = try container.decodeIfPresent([User].self, forKey: .assignees) {
      self.assignees = assignees
    } else {
      // Servers of before 2016 name a single one, and version 2026-03-10 of the API no longer does.
      let old = try decoder.container(keyedBy: OldKeys.self)
      let assignee = try old.decodeIfPresent(User.self, forKey: .assignee)
      assignees = assignee.map { [$0] } ?? []
    }
    milestone = try container.decodeIfPresent(Milestone.self, forKey: .milestone)
    commentsCount = try container.decodeIfPresent(Int.self, forKey: .commentsCount) ?? 0
    isLocked = try container.decodeIfPresent(Bool.self, forKey: .isLocked) ?? false
    createdAt = try container.decodeTimestampIfPresent(forKey: .createdAt)
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
    closedAt = try container.decodeTimestampIfPresent(forKey: .closedAt)
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
    url = try container.decodeIfPresent(String.self, forKey: .url)
    // GitHub's old answers have the key in every issue, with nulls inside; Forgejo gives the page alone.
    let link = try container.decodeIfPresent(PullRequestLink.self, forKey: .pullRequest)
    pullRequest = link?.url != nil || link?.htmlURL != nil ? link : nil
    authorAssociation = try container.decodeIfPresent(String.self, forKey: .authorAssociation)
    reactions = try container.decodeIfPresent(Reactions.self, forKey: .reactions)
    // Not worth losing an issue over.
    isDraft = (try? container.decodeIfPresent(Bool.self, forKey: .isDraft)) ?? nil
  }

  /// Encodes what is known.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// The issue reduced to some fields, which encode as null where nothing is known.
  ///
  /// ```swift
  /// try GitHubJSON.encoder().encode(issues.map { $0.selecting([.number, .title]) })
  /// ```
  public func selecting(_ fields: [Field]) -> some Encodable & Sendable {
    FieldSelection(entity: self, fields: fields)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .id: id
    case .number: number
    case .title: title
    case .body: body
    case .state: state
    case .stateReason: stateReason
    case .user: user
    case .labels: labels
    case .assignees: assignees
    case .milestone: milestone
    case .commentsCount: commentsCount
    case .isLocked: isLocked
    case .createdAt: createdAt.map(Timestamp.string(from:))
    case .updatedAt: updatedAt.map(Timestamp.string(from:))
    case .closedAt: closedAt.map(Timestamp.string(from:))
    case .htmlURL: htmlURL
    case .url: url
    case .pullRequest: pullRequest
    case .authorAssociation: authorAssociation
    case .reactions: reactions
    case .isDraft: isDraft
    }
  }
}
