internal import IssueTracker

struct TemplateDraft: Sendable, Hashable {
  /// The title; empty until it is known.
  var title: String
  var body: String
  var labels: [String]
  var assignees: [String]
  var type: String?
  var template: Draft.Template

  var issue: NewIssue {
    NewIssue(title: title, body: body, labels: labels, assignees: assignees, type: type)
  }
}
