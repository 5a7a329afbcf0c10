import IssueTracker
import Testing

@testable import IssuesCommand

@Suite("A list's heading")
struct IssueListNotesTests {
  @Test(
    "a heading uses the singular for one issue and the plural otherwise",
    arguments: [
      (1, false, false, "Showing 1 open issue in o/r"),
      (1, true, false, "Showing 1 open issue in o/r"),
      (2, false, false, "Showing 2 open issues in o/r"),
      (1, false, true, "Showing 1 open issue or pull request in o/r"),
      (1, true, true, "Showing 1 of 85 open issues and pull requests in o/r"),
    ])
  func plural(count: Int, hasMore: Bool, includesPullRequests: Bool, expected: String) {
    let notes = IssueListNotes(
      filter: IssueFilter(), limit: 1, includesPullRequests: includesPullRequests)
    #expect(
      notes.heading(of: "o/r", count: count, hasMore: hasMore, openCount: 85) == expected)
  }
}
