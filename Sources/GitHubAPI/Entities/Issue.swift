#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An issue, or a pull request where GitHub lists both: see ``isPullRequest``.
///
/// All text is untrusted and may contain control characters.
public struct Issue: Identifiable, Hashable, Sendable {
  /// The issue's id on its server, which may exceed 32 bits.
  public var id: Int64
  /// The number within its repository, as in `#12`.
  public var number: Int
  /// The title.
  public var title: String
  /// The text in Markdown; an issue without one has nil or an empty string.
  public var body: String?
  /// Whether it is open.
  public var state: IssueState
  /// Why it has that state.
  public var stateReason: StateReason?
  /// The author: `ghost` for a deleted account, nil if the server names none.
  public var user: User?
  /// The labels, in the server's order.
  public var labels: [Label]
  /// Who works on it.
  public var assignees: [User]
  /// The milestone it is planned for.
  public var milestone: Milestone?
  /// How many comments it has.
  public var commentsCount: Int
  /// Whether only members of the repository may comment.
  public var isLocked: Bool
  /// When it was opened.
  public var createdAt: Date?
  /// When it last changed.
  public var updatedAt: Date?
  /// When it was closed.
  public var closedAt: Date?
  /// Its page.
  public var htmlURL: String?
  /// The issue in the API.
  public var url: String?
  /// The pull request it is, nil for an issue proper.
  public var pullRequest: PullRequestLink?
  /// The author's relation to the repository, such as `MEMBER` or `NONE`.
  public var authorAssociation: String?
  /// How people reacted to it; nil where the server doesn't tell.
  public var reactions: Reactions?
  /// Whether a pull request isn't ready to be reviewed; nil where the server doesn't tell, as of an issue
  /// proper.
  public var isDraft: Bool?

  /// Makes an issue.
  public init(
    id: Int64, number: Int, title: String, body: String? = nil, state: IssueState = .open,
    stateReason: StateReason? = nil, user: User? = nil, labels: [Label] = [],
    assignees: [User] = [], milestone: Milestone? = nil, commentsCount: Int = 0,
    isLocked: Bool = false, createdAt: Date? = nil, updatedAt: Date? = nil,
    closedAt: Date? = nil, htmlURL: String? = nil, url: String? = nil,
    pullRequest: PullRequestLink? = nil, authorAssociation: String? = nil,
    reactions: Reactions? = nil, isDraft: Bool? = nil
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
  }

  /// Whether this is a pull request, which GitHub's issue lists mix in.
  public var isPullRequest: Bool { pullRequest != nil }
}

/// Whether an issue or a milestone is open.
///
/// A state that this package doesn't know is kept as the server spelled it.
public struct IssueState: RawRepresentable, Hashable, Sendable, Codable {
  /// The state as the REST API spells it.
  public let rawValue: String

  /// Makes a state from the REST API's spelling.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Work is left to do.
  public static let open = IssueState(rawValue: "open")
  /// Nothing is left to do; see ``Issue/stateReason``.
  public static let closed = IssueState(rawValue: "closed")
}

/// Why an issue has the state it has.
///
/// A reason that this package doesn't know is kept as the server spelled it.
public struct StateReason: RawRepresentable, Hashable, Sendable, Codable {
  /// The reason as the REST API spells it.
  public let rawValue: String

  /// Makes a reason from the REST API's spelling.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Closed because it was done.
  public static let completed = StateReason(rawValue: "completed")
  /// Closed without being done.
  public static let notPlanned = StateReason(rawValue: "not_planned")
  /// Closed because another issue says the same.
  public static let duplicate = StateReason(rawValue: "duplicate")
  /// Open again after it was closed.
  public static let reopened = StateReason(rawValue: "reopened")
}

/// The part of an issue that only pull requests have.
public struct PullRequestLink: Hashable, Sendable {
  /// The pull request in the API.
  public var url: String?
  /// The pull request's page.
  public var htmlURL: String?
  /// When it was merged.
  public var mergedAt: Date?

  /// Makes a link.
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

  /// Decodes a link. Each part may be null or absent.
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

  /// Decodes an issue. Only the id, the number, the title and the state are required.
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

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// The issue reduced to some fields, which encode as null if they are unknown.
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
