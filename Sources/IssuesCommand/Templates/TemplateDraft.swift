internal import IssueTracker

/// The issue that a template and its answers make.
struct TemplateDraft: Sendable, Hashable {
  /// The title; empty until there is one.
  var title: String
  var body: String
  var labels: [String]
  var assignees: [String]
  /// The name of the type.
  var type: String?

  /// The issue to send.
  var issue: NewIssue {
    NewIssue(title: title, body: body, labels: labels, assignees: assignees, type: type)
  }
}
