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

  /// Whether it is open.
  public var isOpen: Bool { closedAt == nil }
}
