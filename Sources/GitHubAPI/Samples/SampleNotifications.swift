/// The inbox of the sample user: the notifications that the first sample issues would cause.
enum SampleNotifications {
  static func of(_ fullName: String?) throws -> [GitHub.Notification] {
    let repository = try SampleRepositories.swift()
    guard fullName == nil || fullName?.lowercased() == repository.fullName.lowercased() else {
      return []
    }
    let issues = try SampleIssues.of(repository) ?? []
    let reasons = ["mention", "review_requested", "subscribed"]
    return zip(issues, reasons).map { issue, reason in
      GitHub.Notification(
        id: "\(issue.id)", reason: reason, updatedAt: issue.updatedAt, title: issue.title,
        kind: issue.isPullRequest ? "PullRequest" : "Issue",
        subjectURL: "https://api.github.com/repos/\(repository.fullName)/issues/\(issue.number)",
        repository: repository)
    }
  }
}
