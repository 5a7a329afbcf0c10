extension GitHub {
  /// The new position of a sub-issue among the sub-issues of its parent, for
  /// ``moveSubIssue(repositoryFullName:number:subIssueID:to:)``.
  public enum SubIssuePosition: Hashable, Sendable {
    /// After the sub-issue with this ``Issue/id``.
    case after(Int64)
    /// Before the sub-issue with this ``Issue/id``.
    case before(Int64)
  }
}
