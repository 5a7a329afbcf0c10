/// An event of an issue's timeline.
public struct SyntheticEvent: Sendable, Equatable {
  /// GitHub's name, such as `labeled`.
  public var kind: String
  /// The login of the actor; nil for none in the response.
  public var actor: String?
  /// The time, in seconds since 1970.
  public var createdAt: Int
  /// Further members of the JSON object, without a comma in front.
  public var members: String

  /// Creates an event.
  public init(_ kind: String, by actor: String?, at createdAt: Int, _ members: String = "") {
    self.kind = kind
    self.actor = actor
    self.createdAt = createdAt
    self.members = members
  }

  /// The timeline events of a change of an issue.
  static func events(
    from before: SyntheticIssue, to after: SyntheticIssue, by actor: String?, at time: Int,
    milestone: (Int) -> String?
  ) -> [SyntheticEvent] {
    var events: [SyntheticEvent] = []
    func add(_ kind: String, _ members: String = "") {
      events.append(SyntheticEvent(kind, by: actor, at: time, members))
    }
    func name(_ name: String) -> String { "{\"id\":1,\"name\":\(JSONText.string(name))}" }
    func label(_ label: SyntheticIssue.Label) -> String {
      "\"label\":{\"name\":\(JSONText.string(label.name)),\"color\":\"\(label.color)\"}"
    }
    if before.title != after.title {
      add(
        "renamed",
        "\"rename\":{\"from\":\(JSONText.string(before.title)),\"to\":\(JSONText.string(after.title))}"
      )
    }
    for gone in before.labels where !after.labels.contains(gone) { add("unlabeled", label(gone)) }
    for added in after.labels where !before.labels.contains(added) { add("labeled", label(added)) }
    for login in before.assignees where !after.assignees.contains(login) {
      add("unassigned", "\"assignee\":{\"login\":\(JSONText.string(login))}")
    }
    for login in after.assignees where !before.assignees.contains(login) {
      add("assigned", "\"assignee\":{\"login\":\(JSONText.string(login))}")
    }
    if before.milestone != after.milestone {
      for (kind, number) in [("demilestoned", before.milestone), ("milestoned", after.milestone)] {
        if let title = number.flatMap(milestone) {
          add(kind, "\"milestone\":{\"title\":\(JSONText.string(title))}")
        }
      }
    }
    if before.isLocked != after.isLocked {
      add(
        after.isLocked ? "locked" : "unlocked",
        after.isLocked ? "\"lock_reason\":\(JSONText.string(after.lockReason))" : "")
    }
    switch (before.type, after.type) {
    case (nil, let type?): add("issue_type_added", "\"issue_type\":\(name(type))")
    case (let type?, nil): add("issue_type_removed", "\"prev_issue_type\":\(name(type))")
    case (let old?, let new?) where old != new:
      add(
        "issue_type_changed",
        "\"issue_type\":\(name(new)),\"prev_issue_type\":\(name(old))")
    default: break
    }
    if before.isOpen != after.isOpen {
      add(
        after.isOpen ? "reopened" : "closed",
        "\"state_reason\":\(JSONText.string(after.isOpen ? nil : after.stateReason))")
    }
    return events
  }
}
