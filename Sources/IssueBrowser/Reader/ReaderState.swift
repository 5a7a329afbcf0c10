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

extension BrowserState {
  /// Opens an issue, as the list has it.
  mutating func read(_ issue: Issue) {
    show(issue)
    pane = .reader
    completions = nil
    // The reader may have taken width from the list, or all of it.
    revealSelection()
  }

  /// The issue that the entered address names, where it is still waited for.
  var addressedIssue: Int? {
    opensAddressed && pane == .list && reader == nil ? sheet?.reference.issueNumber : nil
  }

  /// Opens the issue that the entered address names, unless something else has been wanted since.
  mutating func readAddressed(_ issue: Issue) {
    guard addressedIssue == issue.number else { return }
    opensAddressed = false
    if let index = sheet?.issues.firstIndex(where: { $0.number == issue.number }) {
      selection = index
    }
    read(issue)
  }

  private mutating func show(_ issue: Issue) {
    var opened = ReaderState(issue: issue)
    opened.isLoading = issue.commentsCount > 0
    reader = opened
    revisions.reader += 1
  }

  mutating func closeReader() {
    guard reader != nil else { return }
    reader = nil
    revisions.reader += 1
    if pane == .reader { pane = .list }
    revealSelection()
  }

  /// Shows the selected issue in a reader that stands beside the list.
  mutating func followSelection() {
    guard let reader, layout.isWide, let issue = selectedIssue,
      issue.number != reader.issue.number
    else { return }
    show(issue)
  }

  mutating func readOther(_ step: Int) {
    guard reader != nil, rowCount > 0 else { return }
    let old = selection
    selection = max(0, min(selection + step, rowCount - 1))
    revealSelection()
    guard selection != old, let issue = selectedIssue else { return }
    show(issue)
  }

  mutating func moveReader(_ motion: BrowserCommand.Motion) {
    guard let reader, let height = layout.reader?.height else { return }
    let page = max(1, height - 1)
    switch motion {
    case .up: scrollReader(to: reader.top - 1)
    case .down: scrollReader(to: reader.top + 1)
    case .pageUp: scrollReader(to: reader.top - page)
    case .pageDown: scrollReader(to: reader.top + page)
    case .first: scrollReader(to: 0)
    case .last: scrollReader(to: reader.lines.count)
    }
  }

  /// Shows the lines from one on; the last one stays at the bottom.
  mutating func scrollReader(to line: Int) {
    guard let reader, let height = layout.reader?.height else { return }
    self.reader?.top = max(0, min(line, reader.lines.count - height))
  }

  /// What a page of the reader is made of: lines count where it is what there is when they are done.
  package struct ReaderPage: Sendable, Hashable {
    /// Which opening of the reader.
    var revision: Int
    /// How many comments are on it.
    var comments: Int
    /// The columns it was laid out for.
    var width: Int
  }

  /// What the reader's page is to be made of; nil where nothing is read.
  var readerPage: ReaderPage? {
    guard let reader, let width = layout.reader?.width else { return nil }
    return ReaderPage(revision: revisions.reader, comments: reader.comments.count, width: width)
  }

  /// Shows a page that was laid out, unless it isn't the one that is wanted any more.
  mutating func show(_ lines: [StyledLine], of page: ReaderPage) {
    guard page == readerPage else { return }
    reader?.lines = lines
    scrollReader(to: reader?.top ?? 0)
  }
}
