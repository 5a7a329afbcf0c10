public import GitHubAPI

/// A change that a user wants to make on a server.
public enum Change: Hashable, Sendable {
  /// Creates an issue. Each delivery creates another one.
  case createIssue(NewIssue, createsLabels: Bool = false)
  /// Comments on an issue. Each delivery adds another comment.
  case comment(on: IssueTarget, body: String)
  /// Changes fields of an issue, one by one.
  case edit(IssueTarget, IssueChange)
  /// Changes a relation of an issue to another one.
  case relate(IssueTarget, RelationChange)
  /// Closes an issue. A duplicate includes the number of the original issue.
  case close(IssueTarget, StateReason, duplicateOf: Int? = nil)
  /// Reopens an issue.
  case reopen(IssueTarget)
  /// Locks the conversation.
  case lock(IssueTarget, LockReason?)
  /// Unlocks the conversation.
  case unlock(IssueTarget)
  /// Reacts to an issue.
  case react(IssueTarget, Reactions.Kind)
  /// Removes the user's own reaction.
  case unreact(IssueTarget, Reactions.Kind)
  /// Subscribes the user to an issue.
  case subscribe(IssueTarget)
  /// Unsubscribes the user from an issue.
  case unsubscribe(IssueTarget)
  /// Pins an issue to the top of the repository's list.
  case pin(IssueTarget)
  /// Unpins an issue.
  case unpin(IssueTarget)
  /// Moves an issue to another repository of the same owner.
  case transfer(IssueTarget, to: RepositoryName, createsLabels: Bool = false)
  /// Deletes an issue permanently.
  case delete(IssueTarget)
  /// Changes the text of a comment.
  case editComment(id: Int64, on: Int?, body: TextChange)
  /// Deletes a comment.
  case deleteComment(id: Int64, on: Int?)
  /// Reacts to a comment.
  case reactToComment(id: Int64, on: Int?, Reactions.Kind)
  /// Removes the user's own reaction to a comment.
  case unreactToComment(id: Int64, on: Int?, Reactions.Kind)
  /// Acts on a thread of the user's notifications.
  case notification(NotificationThread, GitHub.NotificationAction)
}

/// A thread of the user's notifications.
public struct NotificationThread: Hashable, Sendable {
  /// The ID of the thread.
  public let id: Int64
  /// The number of its issue or pull request; nil for other subjects, such as a release.
  public let issue: Int?

  /// Creates a reference to a thread; nil if its ID isn't a number, as GitHub's are.
  public init?(_ notification: GitHub.Notification) {
    guard let id = Int64(notification.id), id > 0 else { return nil }
    self.init(id: id, issue: notification.number)
  }

  /// Creates a reference to a thread.
  public init(id: Int64, issue: Int?) {
    (self.id, self.issue) = (id, issue)
  }
}

/// The issue that a change affects.
public enum IssueTarget: Hashable, Sendable {
  /// An issue on the server.
  case number(Int)
  /// An issue that is still in the outbox, identified by the entry that creates it, and shown as `new-1`.
  case pending(OutboxEntry.ID)

  /// The issue created by an earlier intention in the same call of ``Outbox/add(_:asBulk:)``. An entry never has this
  /// target, because the outbox replaces it with the id of the creation.
  public static let createdBefore = IssueTarget.pending(0)
}

/// New text that replaces the text seen by the author of the change.
public struct TextChange: Hashable, Sendable, Codable {
  /// The new text.
  public var text: String
  /// The text seen by the author; nil if unknown. In that case, the first attempt records the server's text.
  public var base: String?

  /// Creates a change of text.
  public init(_ text: String, base: String? = nil) {
    self.text = text
    self.base = base
  }

  mutating func noteBase(_ present: String) { base = base ?? present }
}

/// Changes to fields of an issue. Changes that several users make to labels and assignees are combined.
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
  /// The values to set as typed by the user, by the names of the organization's fields.
  public var fields: [String: String]
  /// The names of the fields to clear.
  public var clearedFields: [String]
  /// The projects to add the issue to.
  public var addedProjects: [ProjectPlacement]
  /// Whether GitHub may create labels that the repository doesn't have.
  public var createsLabels: Bool

  /// Creates changes.
  public init(
    title: TextChange? = nil, body: TextChange? = nil, milestone: FieldChange<Int>? = nil,
    type: FieldChange<String>? = nil, addedLabels: [String] = [], removedLabels: [String] = [],
    addedAssignees: [String] = [], removedAssignees: [String] = [], fields: [String: String] = [:],
    clearedFields: [String] = [], addedProjects: [ProjectPlacement] = [],
    createsLabels: Bool = false
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
    self.addedProjects = addedProjects
    self.createsLabels = createsLabels
  }
}
