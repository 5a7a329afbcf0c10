/// A write to a repository.
enum WriteOperation: Sendable, Equatable {
  case createIssue
  case updateIssue(Int)
  case lock(Int)
  case unlock(Int)
  case addLabels(Int)
  case setLabels(Int)
  case removeLabel(String, Int)
  case clearLabels(Int)
  case addAssignees(Int)
  case removeAssignees(Int)
  case addSubIssue(Int)
  case removeSubIssue(Int)
  case moveSubIssue(Int)
  case addBlockedBy(Int)
  case removeBlockedBy(Int, Int)
  case setFields(Int)
  case replaceFields(Int)
  case clearField(Int, Int)
  case createComment(Int)
  case updateComment(Int)
  case deleteComment(Int)
  case react(Int)
  case unreact(Int, Int)
  case reactToComment(Int)
  case unreactToComment(Int, Int)
  case createLabel
  case updateLabel(String)
  case deleteLabel(String)
  case createMilestone
  case updateMilestone(Int)
  case deleteMilestone(Int)

  /// Reads a path below the repository's; nil if there is no such endpoint.
  init?(_ method: String, _ path: [String]) {
    let isComment = path.count > 1 && path[0] == "issues" && path[1] == "comments"
    let places = isComment ? [2, 4] : [1, 3]
    let pattern = path.enumerated().map { places.contains($0.offset) ? "*" : $0.element }
    let names = places.filter { $0 < path.count }.map { path[$0] }
    let numbers = names.map { Int($0) ?? 0 }
    if path.count == 5, path[0] == "issues", path[2] == "dependencies", path[3] == "blocked_by",
      method == "DELETE", let number = Int(path[1])
    {
      self = .removeBlockedBy(number, Int(path[4]) ?? 0)
      return
    }
    if path.count == 4, path[0] == "issues", let number = Int(path[1]) {
      switch (method, path[2], path[3]) {
      case ("POST", "dependencies", "blocked_by"):
        self = .addBlockedBy(number)
        return
      case ("PATCH", "sub_issues", "priority"):
        self = .moveSubIssue(number)
        return
      default: break
      }
    }
    switch "\(method) \(pattern.joined(separator: "/"))" {
    case "POST issues": self = .createIssue
    case "PATCH issues/*": self = .updateIssue(numbers[0])
    case "PUT issues/*/lock": self = .lock(numbers[0])
    case "DELETE issues/*/lock": self = .unlock(numbers[0])
    case "POST issues/*/sub_issues": self = .addSubIssue(numbers[0])
    case "DELETE issues/*/sub_issue": self = .removeSubIssue(numbers[0])
    case "POST issues/*/issue-field-values": self = .setFields(numbers[0])
    case "PUT issues/*/issue-field-values": self = .replaceFields(numbers[0])
    case "DELETE issues/*/issue-field-values/*": self = .clearField(numbers[0], numbers[1])
    case "POST issues/*/labels": self = .addLabels(numbers[0])
    case "PUT issues/*/labels": self = .setLabels(numbers[0])
    case "DELETE issues/*/labels": self = .clearLabels(numbers[0])
    case "DELETE issues/*/labels/*": self = .removeLabel(names[1], numbers[0])
    case "POST issues/*/assignees": self = .addAssignees(numbers[0])
    case "DELETE issues/*/assignees": self = .removeAssignees(numbers[0])
    case "POST issues/*/comments": self = .createComment(numbers[0])
    case "PATCH issues/comments/*": self = .updateComment(numbers[0])
    case "DELETE issues/comments/*": self = .deleteComment(numbers[0])
    case "POST issues/*/reactions": self = .react(numbers[0])
    case "DELETE issues/*/reactions/*": self = .unreact(numbers[0], numbers[1])
    case "POST issues/comments/*/reactions": self = .reactToComment(numbers[0])
    case "DELETE issues/comments/*/reactions/*": self = .unreactToComment(numbers[0], numbers[1])
    case "POST labels": self = .createLabel
    case "PATCH labels/*": self = .updateLabel(names[0])
    case "DELETE labels/*": self = .deleteLabel(names[0])
    case "POST milestones": self = .createMilestone
    case "PATCH milestones/*": self = .updateMilestone(numbers[0])
    case "DELETE milestones/*": self = .deleteMilestone(numbers[0])
    default: return nil
    }
  }

  /// Its documentation, below `https://docs.github.com/rest/`.
  var page: String {
    switch self {
    case .createIssue: "issues/issues#create-an-issue"
    case .updateIssue: "issues/issues#update-an-issue"
    case .lock: "issues/issues#lock-an-issue"
    case .unlock: "issues/issues#unlock-an-issue"
    case .addLabels: "issues/labels#add-labels-to-an-issue"
    case .setLabels: "issues/labels#set-labels-for-an-issue"
    case .removeLabel: "issues/labels#remove-a-label-from-an-issue"
    case .clearLabels: "issues/labels#remove-all-labels-from-an-issue"
    case .addAssignees: "issues/assignees#add-assignees-to-an-issue"
    case .removeAssignees: "issues/assignees#remove-assignees-from-an-issue"
    case .addSubIssue: "issues/sub-issues#add-sub-issue"
    case .removeSubIssue: "issues/sub-issues#remove-sub-issue"
    case .moveSubIssue: "issues/sub-issues#reprioritize-sub-issue"
    case .addBlockedBy:
      "issues/issue-dependencies#add-a-dependency-an-issue-is-blocked-by"
    case .removeBlockedBy:
      "issues/issue-dependencies#remove-dependency-an-issue-is-blocked-by"
    case .setFields: "issues/issue-field-values#add-issue-field-values-to-an-issue"
    case .replaceFields: "issues/issue-field-values#set-issue-field-values-for-an-issue"
    case .clearField: "issues/issue-field-values#delete-an-issue-field-value-from-an-issue"
    case .createComment: "issues/comments#create-an-issue-comment"
    case .updateComment: "issues/comments#update-an-issue-comment"
    case .deleteComment: "issues/comments#delete-an-issue-comment"
    case .react: "reactions/reactions#create-reaction-for-an-issue"
    case .unreact: "reactions/reactions#delete-an-issue-reaction"
    case .reactToComment: "reactions/reactions#create-reaction-for-an-issue-comment"
    case .unreactToComment: "reactions/reactions#delete-an-issue-comment-reaction"
    case .createLabel: "issues/labels#create-a-label"
    case .updateLabel: "issues/labels#update-a-label"
    case .deleteLabel: "issues/labels#delete-a-label"
    case .createMilestone: "issues/milestones#create-a-milestone"
    case .updateMilestone: "issues/milestones#update-a-milestone"
    case .deleteMilestone: "issues/milestones#delete-a-milestone"
    }
  }

  /// Whether it creates content, which GitHub limits more strictly than other writes.
  var createsContent: Bool {
    switch self {
    case .createIssue, .createComment: true
    default: false
    }
  }
}
