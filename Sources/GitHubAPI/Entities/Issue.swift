public import PlatformModules

extension GitHub {
  /// An issue or, because GitHub lists both, a pull request (``isPullRequest``). All text is untrusted.
  public struct Issue: Identifiable, Hashable, Sendable {
    /// The ID on its server, which may exceed 32 bits.
    public var id: Int64
    /// The number within its repository, as in `#12`.
    public var number: Int
    /// The title.
    public var title: String
    /// The text in Markdown; nil or empty if there is none.
    public var body: String?
    /// The state.
    public var state: IssueState
    /// The reason for the state.
    public var stateReason: StateReason?
    /// The author: `ghost` for a deleted account; nil if the server doesn't send it.
    public var user: GitHub.User?
    /// The labels, in the server's order.
    public var labels: [GitHub.Label]
    /// The users assigned to the issue.
    public var assignees: [GitHub.User]
    /// The milestone.
    public var milestone: GitHub.Milestone?
    /// The number of comments.
    public var commentsCount: Int
    /// Whether only members of the repository may comment.
    public var isLocked: Bool
    /// The time when the issue was opened.
    public var createdAt: Date?
    /// The time of the last change.
    public var updatedAt: Date?
    /// The time when the issue was closed.
    public var closedAt: Date?
    /// The URL of the issue's page.
    public var htmlURL: String?
    /// The URL in the API.
    public var url: String?
    /// The pull request; nil for an issue.
    public var pullRequest: PullRequestLink?
    /// The author's relation to the repository, such as `MEMBER` or `NONE`.
    public var authorAssociation: String?
    /// The reactions; nil if the server doesn't send them.
    public var reactions: Reactions?
    /// Whether a pull request isn't ready for review; nil for an issue, or if the server doesn't send it.
    public var isDraft: Bool?
    /// The type, as defined by the organization, such as `Bug`.
    public var type: GitHub.IssueType?
    /// The number of sub-issues; nil if the server doesn't send it.
    public var subIssues: GitHub.SubIssuesSummary?
    /// The numbers of issues that block this issue or that it blocks; nil if the server doesn't send them.
    public var dependencies: GitHub.DependenciesSummary?
    /// The URL of the parent issue in the API. ``IssuePlace`` can parse it.
    public var parentURL: String?
    /// The user who closed the issue; nil if it is open, or if the server doesn't send the user. Lists may omit it.
    public var closedBy: GitHub.User?
    /// The ID of the pinned comment.
    public var pinnedCommentID: Int64?
    /// The values of the organization's fields, such as `Priority`.
    public var fieldValues: [GitHub.IssueFieldValue]

    /// Creates an issue.
    public init(
      id: Int64, number: Int, title: String, body: String? = nil, state: IssueState = .open,
      stateReason: StateReason? = nil, user: GitHub.User? = nil, labels: [GitHub.Label] = [],
      assignees: [GitHub.User] = [], milestone: GitHub.Milestone? = nil, commentsCount: Int = 0,
      isLocked: Bool = false, createdAt: Date? = nil, updatedAt: Date? = nil,
      closedAt: Date? = nil, htmlURL: String? = nil, url: String? = nil,
      pullRequest: PullRequestLink? = nil, authorAssociation: String? = nil,
      reactions: Reactions? = nil, isDraft: Bool? = nil, type: GitHub.IssueType? = nil,
      subIssues: GitHub.SubIssuesSummary? = nil, dependencies: GitHub.DependenciesSummary? = nil,
      parentURL: String? = nil, closedBy: GitHub.User? = nil, pinnedCommentID: Int64? = nil,
      fieldValues: [GitHub.IssueFieldValue] = []
    ) {
      self.id = id
      self.number = number
      self.title = title
      self.body = body
      self.state = state
      self.stateReason = stateReason
      self.user = user
      self.labels = labels
      self.assignees = assignees
      self.milestone = milestone
      self.commentsCount = commentsCount
      self.isLocked = isLocked
      self.createdAt = createdAt
      self.updatedAt = updatedAt
      self.closedAt = closedAt
      self.htmlURL = htmlURL
      self.url = url
      self.pullRequest = pullRequest
      self.authorAssociation = authorAssociation
      self.reactions = reactions
      self.isDraft = isDraft
      self.type = type
      self.subIssues = subIssues
      self.dependencies = dependencies
      self.parentURL = parentURL
      self.closedBy = closedBy
      self.pinnedCommentID = pinnedCommentID
      self.fieldValues = fieldValues
    }

    /// Whether this is a pull request. GitHub's issue lists include pull requests.
    public var isPullRequest: Bool { pullRequest != nil }

    /// The place of the parent issue; nil if there is none.
    public var parent: IssuePlace? { parentURL.flatMap { IssuePlace($0) } }
  }
}

/// The state of an issue or a milestone. Unknown states keep the server's spelling.
public struct IssueState: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The REST API's spelling.
  public let rawValue: String

  /// Creates a state from the REST API's spelling.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The REST API's spelling.
  public var description: String { rawValue }

  /// The issue or milestone is open.
  public static let open = IssueState(rawValue: "open")
  /// The issue or milestone is closed. For an issue, see ``GitHub/Issue/stateReason``.
  public static let closed = IssueState(rawValue: "closed")
}

/// The reason for an issue's state. Unknown reasons keep the server's spelling.
public struct StateReason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The REST API's spelling.
  public let rawValue: String

  /// Creates a reason from the REST API's spelling.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The REST API's spelling.
  public var description: String { rawValue }

  /// The issue was closed because the work is done.
  public static let completed = StateReason(rawValue: "completed")
  /// The issue was closed without being done.
  public static let notPlanned = StateReason(rawValue: "not_planned")
  /// The issue was closed because another issue describes the same problem.
  public static let duplicate = StateReason(rawValue: "duplicate")
  /// The issue was reopened.
  public static let reopened = StateReason(rawValue: "reopened")
}

/// The part of an issue that exists only in pull requests.
public struct PullRequestLink: Hashable, Sendable {
  /// The URL in the API.
  public var url: String?
  /// The URL of the page.
  public var htmlURL: String?
  /// The time when the pull request was merged.
  public var mergedAt: Date?

  /// Creates a link.
  public init(url: String? = nil, htmlURL: String? = nil, mergedAt: Date? = nil) {
    self.url = url
    self.htmlURL = htmlURL
    self.mergedAt = mergedAt
  }
}

extension PullRequestLink: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case url
    case htmlURL = "html_url"
    case mergedAt = "merged_at"
  }

  /// Decodes a link. Each member may be null or absent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    url = try container.decodeIfPresent(String.self, forKey: .url)
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
    mergedAt = try container.decodeTimestampIfPresent(forKey: .mergedAt)
  }

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .url: url
    case .htmlURL: htmlURL
    case .mergedAt: mergedAt.map(Timestamp.string(from:))
    }
  }
}

extension GitHub.Issue: Codable, FieldSelectable {
  /// A field of an issue. Its name is that of the property, and its raw value is the REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// The ID on its server.
    case id
    /// The number within its repository.
    case number
    /// The title.
    case title
    /// The text in Markdown.
    case body
    /// The state.
    case state
    /// The reason for the state.
    case stateReason = "state_reason"
    /// The author.
    case user
    /// The labels, in the server's order.
    case labels
    /// The users assigned to the issue.
    case assignees
    /// The milestone.
    case milestone
    /// The number of comments.
    case commentsCount = "comments"
    /// Whether only members of the repository may comment.
    case isLocked = "locked"
    /// The time when the issue was opened.
    case createdAt = "created_at"
    /// The time of the last change.
    case updatedAt = "updated_at"
    /// The time when the issue was closed.
    case closedAt = "closed_at"
    /// The URL of the issue's page.
    case htmlURL = "html_url"
    /// The URL in the API.
    case url
    /// The pull request.
    case pullRequest = "pull_request"
    /// The author's relation to the repository, such as `MEMBER` or `NONE`.
    case authorAssociation = "author_association"
    /// The reactions.
    case reactions
    /// Whether a pull request isn't ready for review.
    case isDraft = "draft"
    /// The type.
    case type
    /// The number of sub-issues.
    case subIssues = "sub_issues_summary"
    /// The numbers of issues that block this issue or that it blocks.
    case dependencies = "issue_dependencies_summary"
    /// The URL of the parent issue in the API.
    case parentURL = "parent_issue_url"
    /// The user who closed the issue.
    case closedBy = "closed_by"
    /// The ID of the pinned comment.
    case pinnedCommentID = "pinned_comment"
    /// The values of the organization's fields, such as `Priority`.
    case fieldValues = "issue_field_values"

    /// The REST key.
    public var description: String { rawValue }
  }

  /// Keys of older servers, and of Forgejo and Gitea.
  private enum OtherKeys: String, CodingKey {
    case assignee
    case isLocked = "is_locked"
  }

  private struct PinnedComment: Codable {
    var id: Int64
  }

  /// Decodes an issue. Only the ID, the number, the title and the state are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    id = try container.decode(Int64.self, forKey: .id)
    number = try container.decode(Int.self, forKey: .number)
    guard number > 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .number, in: container, debugDescription: "the number of an issue is positive")
    }
    title = try container.decode(String.self, forKey: .title)
    body = try container.decodeIfPresent(String.self, forKey: .body)
    state = IssueState(rawValue: try container.decode(String.self, forKey: .state))
    stateReason = try container.decodeIfPresent(String.self, forKey: .stateReason)
      .map(StateReason.init(rawValue:))
    user = try container.decodeIfPresent(GitHub.User.self, forKey: .user)
    labels = try container.decodeIfPresent([GitHub.Label].self, forKey: .labels) ?? []
    if let assignees = try container.decodeIfPresent([GitHub.User].self, forKey: .assignees) {
      self.assignees = assignees
    } else {
      // Servers before 2016 send only a single assignee. Version 2026-03-10 of the API no longer sends that member.
      let assignee = try decoder.container(keyedBy: OtherKeys.self)
        .decodeIfPresent(GitHub.User.self, forKey: .assignee)
      assignees = assignee.map { [$0] } ?? []
    }
    milestone = try container.decodeIfPresent(GitHub.Milestone.self, forKey: .milestone)
    commentsCount = try container.decodeCountIfPresent(forKey: .commentsCount) ?? 0
    isLocked =
      try container.decodeIfPresent(Bool.self, forKey: .isLocked)
      ?? decoder.container(keyedBy: OtherKeys.self).decodeIfPresent(Bool.self, forKey: .isLocked)
      ?? false
    createdAt = try container.decodeTimestampIfPresent(forKey: .createdAt)
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
    closedAt = try container.decodeTimestampIfPresent(forKey: .closedAt)
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
    url = try container.decodeIfPresent(String.self, forKey: .url)
    // In GitHub's old responses, every issue has this key with null members. Forgejo sends only the URL of the page.
    let link = try container.decodeIfPresent(PullRequestLink.self, forKey: .pullRequest)
    pullRequest = link?.url != nil || link?.htmlURL != nil ? link : nil
    authorAssociation = try container.decodeIfPresent(String.self, forKey: .authorAssociation)
    reactions = try container.decodeIfPresent(Reactions.self, forKey: .reactions)
    // An invalid value of these fields is ignored, so that the issue isn't lost.
    func extra<Value: Decodable>(_ field: Field, _ type: Value.Type = Value.self) -> Value? {
      (try? container.decodeIfPresent(type, forKey: field)) ?? nil
    }
    isDraft = extra(.isDraft)
    type = extra(.type)
    subIssues = extra(.subIssues)
    dependencies = extra(.dependencies)
    parentURL = extra(.parentURL)
    closedBy = extra(.closedBy)
    pinnedCommentID = extra(.pinnedCommentID, PinnedComment.self)?.id
    fieldValues = extra(.fieldValues) ?? []
  }

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// Returns an encodable selection of the issue's fields. Unknown values are encoded as null.
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
    case .type: type
    case .subIssues: subIssues
    case .dependencies: dependencies
    case .parentURL: parentURL
    case .closedBy: closedBy
    case .pinnedCommentID: pinnedCommentID.map(PinnedComment.init(id:))
    case .fieldValues: fieldValues.isEmpty ? nil : fieldValues
    }
  }
}
