/// A made-up issue or pull request.
public struct SyntheticIssue: Sendable, Equatable {
  /// A label.
  public struct Label: Sendable, Equatable {
    /// Stays the same when it is renamed.
    public var id: Int
    /// The name.
    public var name: String
    /// Six hexadecimal digits.
    public var color: String
    /// The purpose; null on GitHub for none.
    public var description: String?
    /// Whether the label is archived, on Forgejo and Gitea.
    public var isArchived = false

    /// Creates a label, whose id follows from its name by default.
    public init(_ name: String, color: String, description: String? = nil, id: Int? = nil) {
      self.id = id ?? 300_000 + Int(StableHash.of(name) % 9_000_000)
      self.name = name
      self.color = color
      self.description = description
    }
  }

  /// The number in its repository, from 1.
  public var number: Int
  /// The title.
  public var title: String
  /// The text; nil for none.
  public var body: String?
  /// Whether it is a pull request.
  public var isPullRequest: Bool
  /// Whether a pull request isn't ready to be reviewed.
  public var isDraft = false
  /// Whether a closed pull request was merged.
  public var isMerged = true
  /// Whether only members of the repository may comment.
  public var isLocked = false
  /// The author's login.
  public var author: String
  /// Its labels.
  public var labels: [Label]
  /// The assignees' logins.
  public var assignees: [String]
  /// The logins mentioned in its text.
  public var mentions: [String]
  /// The number of its milestone.
  public var milestone: Int?
  /// The number of its comments.
  public var comments: Int
  /// The time of opening, in seconds since 1970.
  public var createdAt: Int
  /// The time of the last change, in seconds since 1970.
  public var updatedAt: Int
  /// The time of closing, in seconds since 1970; nil while it is open.
  public var closedAt: Int?
  /// `completed`, `not_planned`, `reopened` or nil.
  public var stateReason: String?

  /// Why it is locked, such as `too heated`; nil for no reason.
  public var lockReason: String?
  /// The name of its type.
  public var type: String?
  /// The values of its fields, by the fields' ids, as JSON.
  public var fields: [Int: String] = [:]
  /// The number of its parent issue.
  public var parent: Int?
  /// The numbers of its sub-issues, in their order.
  public var subIssues: [Int] = []
  /// The numbers of the issues that it waits for.
  public var blockedBy: [Int] = []
  /// The numbers of the issues that wait for it.
  public var blocking: [Int] = []
  /// Its timeline events, without its comments.
  public var events: [SyntheticEvent] = []
  /// The login of the user who closed it; nil if that is unknown.
  public var closedBy: String?
  /// Whether it is pinned to the top of its repository's list.
  public var isPinned = false
  /// The reactions added by requests.
  public var reactions: [SyntheticReaction] = []
  /// Whether each login that has decided is subscribed.
  public var subscriptions: [String: Bool] = [:]
  /// Whether a request wrote it. Such an issue has no reactions but ``reactions``.
  public var isWritten = false

  /// Whether it is open.
  public var isOpen: Bool { closedAt == nil }

  /// The number of its reactions, made up or added by requests.
  public var reactionCount: Int {
    SyntheticReaction.madeUp(for: isWritten ? nil : number).values.reduce(reactions.count, +)
  }
}

/// A reaction added by a request.
public struct SyntheticReaction: Sendable, Equatable {
  /// The made-up counts on an issue or a comment: a few on every third, none if a request wrote it.
  static func madeUp(for number: Int?) -> [String: Int] {
    guard let number, number.isMultiple(of: 3) else { return [:] }
    return ["+1": 1 + number % 40, "heart": number % 2]
  }

  /// GitHub's reactions, in the order of its answers.
  public static let contents = [
    "+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes",
  ]

  /// GitHub's id for it.
  public let id: Int
  /// The owner's login.
  public let user: String
  /// One of ``contents``.
  public let content: String
  /// The time, in seconds since 1970.
  public let createdAt: Int
}
