public import GitHubAPI

/// A change that a person wants on a server.
public enum Change: Hashable, Sendable {
  /// Creates an issue. Each send counts.
  case createIssue(NewIssue, createsLabels: Bool = false)
  /// Comments on an issue. Each send counts.
  case comment(on: IssueTarget, body: String)
  /// Changes fields of an issue, one by one.
  case edit(IssueTarget, IssueChange)
  /// Changes what an issue has to do with another one.
  case relate(IssueTarget, RelationChange)
  /// Closes an issue; as a duplicate of another one with its number.
  case close(IssueTarget, StateReason, duplicateOf: Int? = nil)
  /// Reopens an issue.
  case reopen(IssueTarget)
  /// Locks the conversation.
  case lock(IssueTarget, LockReason?)
  /// Unlocks the conversation.
  case unlock(IssueTarget)
  /// Reacts to an issue.
  case react(IssueTarget, Reactions.Kind)
  /// Takes back one's own reaction.
  case unreact(IssueTarget, Reactions.Kind)
  /// Pins an issue to the top of the repository's list.
  case pin(IssueTarget)
  /// Takes an issue from the top of the list.
  case unpin(IssueTarget)
  /// Moves an issue to another repository of the same owner.
  case transfer(IssueTarget, to: RepositoryName, createsLabels: Bool = false)
  /// Deletes an issue for good.
  case delete(IssueTarget)
  /// Changes the text of a comment.
  case editComment(id: Int64, on: Int?, body: TextChange)
  /// Deletes a comment.
  case deleteComment(id: Int64, on: Int?)
}

/// The issue that a change is about.
public enum IssueTarget: Hashable, Sendable {
  /// An issue that the server knows.
  case number(Int)
  /// An issue still in the outbox, by the id of the entry that creates it: shown as `new-1`.
  case pending(OutboxEntry.ID)

  /// The issue that an intention creates further up in the same call of ``Outbox/add(_:asBulk:)``. An entry never has this
  /// target: the outbox puts the id of the creation in its place.
  public static let createdBefore = IssueTarget.pending(0)
}

/// A new text in place of the one that the writer saw.
public struct TextChange: Hashable, Sendable, Codable {
  /// The new text.
  public var text: String
  /// The text that the writer saw; nil if they saw none. Then the first attempt notes the server's.
  public var base: String?

  /// Makes a change of a text.
  public init(_ text: String, base: String? = nil) {
    self.text = text
    self.base = base
  }

  mutating func noteBase(_ present: String) { base = base ?? present }
}

/// Changes to fields of an issue. Two people's changes of labels and assignees both count.
public struct IssueChange: Hashable, Sendable {
  /// The new title.
  public var title: TextChange?
  /// The new text.
  public var body: TextChange?
  /// The number of the new milestone.
  public var milestone: FieldChange<Int>?
  /// The name of the new type.
  public var type: FieldChange<String>?
  /// The labels to add.
  public var addedLabels: [String]
  /// The labels to remove.
  public var removedLabels: [String]
  /// The logins to add.
  public var addedAssignees: [String]
  /// The logins to remove.
  public var removedAssignees: [String]
  /// The values to set, by the names of the organisation's fields, as a person writes them.
  public var fields: [String: String]
  /// The names of the fields to clear.
  public var clearedFields: [String]
  /// Whether GitHub may create labels that the repository hasn't got.
  public var createsLabels: Bool

  /// Makes changes.
  public init(
    title: TextChange? = nil, body: TextChange? = nil, milestone: FieldChange<Int>? = nil,
    type: FieldChange<String>? = nil, addedLabels: [String] = [], removedLabels: [String] = [],
    addedAssignees: [String] = [], removedAssignees: [String] = [], fields: [String: String] = [:],
    clearedFields: [String] = [], createsLabels: Bool = false
  ) {
    self.title = title
    self.body = body
    self.milestone = milestone
    self.type = type
    self.addedLabels = addedLabels
    self.removedLabels = removedLabels
    self.addedAssignees = addedAssignees
    self.removedAssignees = removedAssignees
    self.fields = fields
    self.clearedFields = clearedFields
    self.createsLabels = createsLabels
  }
}
