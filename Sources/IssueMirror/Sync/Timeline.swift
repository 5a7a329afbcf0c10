/// What of a repository changes along a time line: both lists are asked for with
/// `sort=updated&direction=asc&since=…`, and can be begun anywhere.
package enum Timeline: String, Codable, CaseIterable, Hashable, Sendable {
  /// Issues and pull requests: `GET /repos/{owner}/{repo}/issues`.
  case items
  /// The comments on them: `GET /repos/{owner}/{repo}/issues/comments`.
  case comments
}
