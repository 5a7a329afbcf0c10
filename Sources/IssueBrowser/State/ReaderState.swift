package import IssueTracker
package import StyledText

/// The issue that is being read.
package struct ReaderState: Sendable, Hashable {
  /// The issue.
  package var issue: Issue
  /// Its comments, as far as they are loaded, the oldest first.
  package var comments: [IssueComment] = []
  /// Whether comments are on their way.
  package var isLoading = false
  /// Why the comments could not be loaded, in one line; nil where nothing went wrong.
  package var failure: String?
  /// What the pane shows, laid out for its width; empty until that is done.
  package var lines: [StyledLine] = []
  /// The first of the lines that is shown.
  package var top = 0

  /// Creates the state that reading begins with.
  package init(issue: Issue) {
    self.issue = issue
  }
}
