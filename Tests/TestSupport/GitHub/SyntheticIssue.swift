/// An issue or a pull request that nobody wrote.
public struct SyntheticIssue: Sendable, Equatable {
  /// A label.
  public struct Label: Sendable, Equatable {
    /// What stays when it is renamed.
    public var id: Int
    /// The name.
    public var name: String
    /// Six hexadecimal digits.
    public var color: String
    /// What it is for; GitHub allows null.
    public var description: String?

    /// Creates a label; its id comes of its name unless told otherwise.
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
  /// The text; nil where nobody wrote one.
  public var body: String?
  /// Whether it is a pull request.
  public var isPullRequest: Bool
  /// Whether a pull request isn't ready to be reviewed.
  public var isDraft = false
  /// Whether a pull request that is closed was merged.
  public var isMerged = true
  /// Whether only members of the repository may comment.
  public var isLocked = false
  /// Who opened it.
  public var author: String
  /// Its labels.
  public var labels: [Label]
  /// To whom it is assigned.
  public var assignees: [String]
  /// Who is mentioned in its text.
  public var mentions: [String]
  /// The number of its milestone.
  public var milestone: Int?
  /// How many comments it has.
  public var comments: Int
  /// When it was opened, in seconds since 1970.
  public var createdAt: Int
  /// When it was changed last, in seconds since 1970.
  public var updatedAt: Int
  /// When it was closed, in seconds since 1970; nil while it is open.
  public var closedAt: Int?
  /// `completed`, `not_planned`, `reopened` or none.
  public var stateReason: String?

  /// Why it is locked, as in `too heated`; nil where nobody said.
  public var lockReason: String?
  /// The name of its type.
  public var type: String?
  /// The number of the issue that it is a sub-issue of.
  public var parent: Int?
  /// Who closed it; nil where that isn't known.
  public var closedBy: String?
  /// Whether it is pinned to the top of its repository's list.
  public var isPinned = false
  /// The reactions that came by requests.
  public var reactions: [SyntheticReaction] = []
  /// Whether it came by a request: such an issue has no reactions but ``reactions``.
  public var isWritten = false

  /// Whether it is open.
  public var isOpen: Bool { closedAt == nil }
}

/// A reaction that came by a request.
public struct SyntheticReaction: Sendable, Equatable {
  /// What GitHub lets people react with, in the order of its answers.
  public static let contents = [
    "+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes",
  ]

  /// GitHub's id of it.
  public let id: Int
  /// Whose it is.
  public let user: String
  /// One of ``contents``.
  public let content: String
  /// When, in seconds since 1970.
  public let createdAt: Int
}
