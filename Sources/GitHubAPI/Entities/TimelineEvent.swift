public import PlatformModules

/// An event of an issue: an entry of <https://docs.github.com/en/rest/issues/timeline>. All text is untrusted.
///
/// Events of unknown kinds keep their kind, actor and time. ``Sent`` has the server's complete JSON.
public struct TimelineEvent: Hashable, Sendable {
  /// The kind of an event. Unknown kinds keep the server's spelling.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The REST API's spelling, such as `cross-referenced`.
    public let rawValue: String

    /// Creates a kind from the REST API's spelling.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The REST API's spelling.
    public var description: String { rawValue }
  }

  /// The kind.
  public var kind: Kind
  /// The ID on the server; nil for cross-references and commits, because they don't have one.
  public var serverID: Int64?
  /// The user who caused the event; nil if the server doesn't send it.
  public var actor: GitHub.User?
  /// The time of the event.
  public var createdAt: Date?
  /// The time of the last change to a comment, a review or a reference.
  public var updatedAt: Date?
  /// The ID of the commit that closed the issue, refers to it, or was pushed.
  public var commitID: String?
  /// The reason that the issue was closed or reopened.
  public var stateReason: StateReason?
  /// The label that was added or removed.
  public var label: GitHub.Label?
  /// The user who was assigned or unassigned.
  public var assignee: GitHub.User?
  /// The user whose review was requested.
  public var reviewer: GitHub.User?
  /// The title of the milestone.
  public var milestone: String?
  /// The title before it was changed.
  public var oldTitle: String?
  /// The title after it was changed.
  public var newTitle: String?
  /// The reason that the conversation was locked.
  public var lockReason: String?
  /// The type that was set or removed.
  public var type: GitHub.IssueType?
  /// The type before it was changed.
  public var previousType: GitHub.IssueType?
  /// The other issue: one that refers to this one, a sub-issue, the parent, or one that blocks this one or is blocked
  /// by it.
  public var other: MentionedIssue?
  /// The state of a review, such as `approved`.
  public var reviewState: String?
  /// The text of a comment or a review, or the message of a commit.
  public var body: String?
  /// The name of a commit's author.
  public var authorName: String?
  /// The relation of the comment's author to the repository, such as `MEMBER`.
  public var authorAssociation: String?
  /// The URL of the event's page.
  public var htmlURL: String?

  /// Creates an event.
  public init(
    kind: Kind, serverID: Int64? = nil, actor: GitHub.User? = nil, createdAt: Date? = nil
  ) {
    self.kind = kind
    self.serverID = serverID
    self.actor = actor
    self.createdAt = createdAt
  }

  /// The comment of an event of the kind ``Kind/commented``, ``Kind/lineCommented`` or ``Kind/commitCommented``.
  public var comment: IssueComment? {
    guard [.commented, .lineCommented, .commitCommented].contains(kind), let serverID else {
      return nil
    }
    return IssueComment(
      id: serverID, body: body, user: actor, authorAssociation: authorAssociation,
      createdAt: createdAt, updatedAt: updatedAt, htmlURL: htmlURL)
  }
}

extension TimelineEvent.Kind {
  /// A user commented.
  public static let commented = Self(rawValue: "commented")
  /// Users commented on a line of a pull request. The event has the first comment, and the text of all comments.
  public static let lineCommented = Self(rawValue: "line-commented")
  /// Users commented on a commit. The event has the first comment, and the text of all comments.
  public static let commitCommented = Self(rawValue: "commit-commented")
  /// The issue was closed.
  public static let closed = Self(rawValue: "closed")
  /// The issue was reopened.
  public static let reopened = Self(rawValue: "reopened")
  /// The title was changed.
  public static let renamed = Self(rawValue: "renamed")
  /// A label was added.
  public static let labeled = Self(rawValue: "labeled")
  /// A label was removed.
  public static let unlabeled = Self(rawValue: "unlabeled")
  /// A user was assigned.
  public static let assigned = Self(rawValue: "assigned")
  /// A user was unassigned.
  public static let unassigned = Self(rawValue: "unassigned")
  /// The issue was added to a milestone.
  public static let milestoned = Self(rawValue: "milestoned")
  /// The issue was removed from a milestone.
  public static let demilestoned = Self(rawValue: "demilestoned")
  /// The conversation was locked.
  public static let locked = Self(rawValue: "locked")
  /// The conversation was unlocked.
  public static let unlocked = Self(rawValue: "unlocked")
  /// The issue was pinned to the top of the list.
  public static let pinned = Self(rawValue: "pinned")
  /// The issue was unpinned.
  public static let unpinned = Self(rawValue: "unpinned")
  /// A user was mentioned.
  public static let mentioned = Self(rawValue: "mentioned")
  /// A user subscribed to notifications.
  public static let subscribed = Self(rawValue: "subscribed")
  /// A user unsubscribed from notifications.
  public static let unsubscribed = Self(rawValue: "unsubscribed")
  /// The issue was transferred to another repository.
  public static let transferred = Self(rawValue: "transferred")
  /// The issue was linked manually. The REST API doesn't send the other issue.
  public static let connected = Self(rawValue: "connected")
  /// A manual link was removed.
  public static let disconnected = Self(rawValue: "disconnected")
  /// The issue was marked as a duplicate. The REST API doesn't send the other issue.
  public static let markedAsDuplicate = Self(rawValue: "marked_as_duplicate")
  /// The issue was unmarked as a duplicate.
  public static let unmarkedAsDuplicate = Self(rawValue: "unmarked_as_duplicate")
  /// The issue was converted to a discussion.
  public static let convertedToDiscussion = Self(rawValue: "converted_to_discussion")
  /// Another issue or pull request refers to this one.
  public static let crossReferenced = Self(rawValue: "cross-referenced")
  /// A commit refers to this issue.
  public static let referenced = Self(rawValue: "referenced")
  /// A commit was pushed.
  public static let committed = Self(rawValue: "committed")
  /// The pull request was merged.
  public static let merged = Self(rawValue: "merged")
  /// A user reviewed the pull request.
  public static let reviewed = Self(rawValue: "reviewed")
  /// A user's review was requested.
  public static let reviewRequested = Self(rawValue: "review_requested")
  /// A request for a user's review was removed.
  public static let reviewRequestRemoved = Self(rawValue: "review_request_removed")
  /// The branch was deleted.
  public static let headRefDeleted = Self(rawValue: "head_ref_deleted")
  /// A type was set.
  public static let typeAdded = Self(rawValue: "issue_type_added")
  /// The type was changed.
  public static let typeChanged = Self(rawValue: "issue_type_changed")
  /// The type was removed.
  public static let typeRemoved = Self(rawValue: "issue_type_removed")
  /// A sub-issue was added.
  public static let subIssueAdded = Self(rawValue: "sub_issue_added")
  /// A sub-issue was removed.
  public static let subIssueRemoved = Self(rawValue: "sub_issue_removed")
  /// The issue was made a sub-issue of another one.
  public static let parentAdded = Self(rawValue: "parent_issue_added")
  /// The issue was removed from its parent.
  public static let parentRemoved = Self(rawValue: "parent_issue_removed")
  /// This issue was marked as blocked by another one.
  public static let blockedByAdded = Self(rawValue: "blocked_by_added")
  /// This issue is no longer marked as blocked by another one.
  public static let blockedByRemoved = Self(rawValue: "blocked_by_removed")
  /// This issue was marked as blocking another one.
  public static let blockingAdded = Self(rawValue: "blocking_added")
  /// This issue is no longer marked as blocking another one.
  public static let blockingRemoved = Self(rawValue: "blocking_removed")
}

/// Another issue or pull request, as described in an event.
public struct MentionedIssue: Hashable, Sendable {
  /// The number within its repository.
  public var number: Int
  /// The title.
  public var title: String?
  /// The state.
  public var state: IssueState?
  /// The repository; nil if the server doesn't send it.
  public var repository: RepositoryName?
  /// Whether it is a pull request.
  public var isPullRequest: Bool

  /// Creates a mention.
  public init(
    number: Int, title: String? = nil, state: IssueState? = nil, repository: RepositoryName? = nil,
    isPullRequest: Bool = false
  ) {
    self.number = number
    self.title = title
    self.state = state
    self.repository = repository
    self.isPullRequest = isPullRequest
  }
}
