#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An issue, or a pull request where GitHub lists both: see ``isPullRequest``.
///
/// Every text comes from the network as somebody typed it and may hold control characters.
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
  /// The author: `ghost` for a deleted account, nil where the server names none.
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
  /// What the author is to the repository, such as `MEMBER` or `NONE`.
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
