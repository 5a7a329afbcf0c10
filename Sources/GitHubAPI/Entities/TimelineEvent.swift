public import PlatformModules

/// An event of an issue: an entry of <https://docs.github.com/en/rest/issues/timeline>. All text is untrusted.
///
/// Kinds that this package doesn't know keep their name, their actor and their time. ``Sent`` has the server's complete
/// JSON.
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
  /// The id on the server; nil for a reference from elsewhere and for a commit, which have none.
  public var serverID: Int64?
  /// The user who caused it; nil if the server names none.
  public var actor: GitHub.User?
  /// The time of the event.
  public var createdAt: Date?
  /// The last change of a comment, a review or a reference.
  public var updatedAt: Date?
  /// The commit that closed the issue or refers to it, or that was pushed.
  public var commitID: String?
  /// The reason of a closing or a reopening.
  public var stateReason: StateReason?
  /// The label that was added or removed.
  public var label: GitHub.Label?
  /// The user who was assigned or unassigned.
  public var assignee: GitHub.User?
  /// The user whose review was requested.
  public var reviewer: GitHub.User?
  /// The title of the milestone.
  public var milestone: String?
  /// The title before a renaming.
  public var oldTitle: String?
  /// The title after a renaming.
  public var newTitle: String?
  /// The reason of a lock.
  public var lockReason: String?
  /// The type that was set or removed.
  public var type: GitHub.IssueType?
  /// The type before a change of it.
  public var previousType: GitHub.IssueType?
  /// The other issue: the one that refers to this one, a sub-issue, a parent, or one that blocks or is blocked.
  public var other: MentionedIssue?
  /// The state of a review, such as `approved`.
  public var reviewState: String?
  /// The text of a comment or a review, or the message of a commit.
  public var body: String?
  /// The name of a commit's author.
  public var authorName: String?
  /// The relation of a comment's author to the repository, such as `MEMBER`.
  public var authorAssociation: String?
  /// The URL of its page.
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

  /// The comment, of an event of the kind ``Kind/commented``, ``Kind/lineCommented`` or ``Kind/commitCommented``.
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
  /// A comment.
  public static let commented = Self(rawValue: "commented")
  /// Comments on a line of a pull request: the first one, and the texts of all.
  public static let lineCommented = Self(rawValue: "line-commented")
  /// Comments on a commit: the first one, and the texts of all.
  public static let commitCommented = Self(rawValue: "commit-commented")
  /// Closed.
  public static let closed = Self(rawValue: "closed")
  /// Opened again.
  public static let reopened = Self(rawValue: "reopened")
  /// Another title.
  public static let renamed = Self(rawValue: "renamed")
  /// A label was added.
  public static let labeled = Self(rawValue: "labeled")
  /// A label was removed.
  public static let unlabeled = Self(rawValue: "unlabeled")
  /// A user was assigned.
  public static let assigned = Self(rawValue: "assigned")
  /// A user was unassigned.
  public static let unassigned = Self(rawValue: "unassigned")
  /// Added to a milestone.
  public static let milestoned = Self(rawValue: "milestoned")
  /// Removed from a milestone.
  public static let demilestoned = Self(rawValue: "demilestoned")
  /// The conversation was locked.
  public static let locked = Self(rawValue: "locked")
  /// The conversation was unlocked.
  public static let unlocked = Self(rawValue: "unlocked")
  /// Pinned to the top of the list.
  public static let pinned = Self(rawValue: "pinned")
  /// No longer pinned.
  public static let unpinned = Self(rawValue: "unpinned")
  /// A text mentions a user.
  public static let mentioned = Self(rawValue: "mentioned")
  /// A user subscribed to notifications.
  public static let subscribed = Self(rawValue: "subscribed")
  /// A user unsubscribed from notifications.
  public static let unsubscribed = Self(rawValue: "unsubscribed")
  /// Moved to another repository.
  public static let transferred = Self(rawValue: "transferred")
  /// Linked by hand. REST doesn't name the other issue.
  public static let connected = Self(rawValue: "connected")
  /// A link by hand was removed.
  public static let disconnected = Self(rawValue: "disconnected")
  /// A duplicate of another issue, which REST doesn't name.
  public static let markedAsDuplicate = Self(rawValue: "marked_as_duplicate")
  /// No longer a duplicate.
  public static let unmarkedAsDuplicate = Self(rawValue: "unmarked_as_duplicate")
  /// Made a discussion.
  public static let convertedToDiscussion = Self(rawValue: "converted_to_discussion")
  /// Another issue or pull request refers to this one.
  public static let crossReferenced = Self(rawValue: "cross-referenced")
  /// A commit refers to this one.
  public static let referenced = Self(rawValue: "referenced")
  /// A commit was pushed.
  public static let committed = Self(rawValue: "committed")
  /// Merged.
  public static let merged = Self(rawValue: "merged")
  /// A review.
  public static let reviewed = Self(rawValue: "reviewed")
  /// A user's review was requested.
  public static let reviewRequested = Self(rawValue: "review_requested")
  /// A request for a user's review was removed.
  public static let reviewRequestRemoved = Self(rawValue: "review_request_removed")
  /// The branch was deleted.
  public static let headRefDeleted = Self(rawValue: "head_ref_deleted")
  /// A type was set.
  public static let typeAdded = Self(rawValue: "issue_type_added")
  /// Another type.
  public static let typeChanged = Self(rawValue: "issue_type_changed")
  /// The type was removed.
  public static let typeRemoved = Self(rawValue: "issue_type_removed")
  /// A sub-issue was added.
  public static let subIssueAdded = Self(rawValue: "sub_issue_added")
  /// A sub-issue was removed.
  public static let subIssueRemoved = Self(rawValue: "sub_issue_removed")
  /// Made a sub-issue.
  public static let parentAdded = Self(rawValue: "parent_issue_added")
  /// No longer a sub-issue.
  public static let parentRemoved = Self(rawValue: "parent_issue_removed")
  /// Another issue blocks this one.
  public static let blockedByAdded = Self(rawValue: "blocked_by_added")
  /// Another issue no longer blocks this one.
  public static let blockedByRemoved = Self(rawValue: "blocked_by_removed")
  /// This one blocks another issue.
  public static let blockingAdded = Self(rawValue: "blocking_added")
  /// This one no longer blocks another issue.
  public static let blockingRemoved = Self(rawValue: "blocking_removed")
}

/// An event's description of another issue or pull request.
public struct MentionedIssue: Hashable, Sendable {
  /// The number within its repository.
  public var number: Int
  /// The title.
  public var title: String?
  /// The state.
  public var state: IssueState?
  /// The repository; nil if the server doesn't name it.
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
