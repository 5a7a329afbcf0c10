package import IssueTracker

extension ListQuery {
  package static func filtered(
    _ text: String, of reference: RepositoryReference
  ) throws(InvalidInput) -> ListQuery {
    .issues(reference, try IssueFilter(query: text))
  }
}
