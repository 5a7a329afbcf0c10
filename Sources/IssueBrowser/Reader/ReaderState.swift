package import IssueTracker
package import StyledText
package import TerminalMarkdown
internal import TerminalScreen

package struct ReaderState: Sendable, Hashable {
  package var issue: GitHub.Issue
  package var comments: [IssueComment] = []
  package var isLoading = false
  /// Why the comments couldn't be loaded, in one line.
  package var failure: String?
  /// Laid out for the reader's width; empty until then.
  package var document = RenderedDocument()
  package var top = 0
  package var find: ReaderFind?
  var images = ReaderImages()

  package var lines: [StyledLine] { document.lines }

  package init(issue: GitHub.Issue) {
    self.issue = issue
  }
}

extension BrowserState {
  mutating func read(_ issue: GitHub.Issue) {
    // The preview goes on where it is.
    if !isPreviewing || reader?.issue != issue || pane == .reader { show(issue) }
    pane = .reader
    completions = nil
    revealSelection()
  }

  /// The typed number, while the reader waits for its issue.
  var addressedIssue: Int? {
    pane == .list && (reader == nil || isPreviewing) && sheet != nil ? addressed : nil
  }

  /// Opens the issue of the typed number, unless the user has done something else since.
  mutating func readAddressed(_ issue: GitHub.Issue) {
    guard addressedIssue == issue.number else { return }
    addressed = nil
    if let index = sheet?.issues.firstIndex(where: { $0.number == issue.number }) {
      selection = index
    }
    read(issue)
  }

  mutating func show(_ issue: GitHub.Issue) {
    var opened = ReaderState(issue: issue)
    // An issue not created yet has only unsent comments.
    opened.isLoading = issue.number > 0 && issue.commentsCount > 0
    if let sheet, let comments = preview.comments(on: issue, of: sheet.reference) {
      (opened.comments, opened.isLoading) = (comments, false)
    }
    if var find = reader?.find, reader?.issue.number == issue.number {
      find.matches = []
      opened.find = find
    }
    reader = opened
    revisions.reader += 1
    visit(issue.number)
  }

  mutating func closeReader() {
    guard reader != nil else { return }
    if isPreviewing {
      if pane == .reader { pane = .list }
    } else {
      leaveReader()
    }
    revealSelection()
  }

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
    case .halfPageUp: scrollReader(to: reader.top - max(1, page / 2))
    case .halfPageDown: scrollReader(to: reader.top + max(1, page / 2))
    case .first: scrollReader(to: 0)
    case .last: scrollReader(to: reader.lines.count)
    }
  }

  mutating func scrollReader(to line: Int) {
    guard let reader, let height = layout.reader?.height else { return }
    self.reader?.top = max(0, min(line, reader.lines.count - height))
  }

  /// The inputs of a layout. Lines laid out from older inputs are dropped.
  package struct ReaderPage: Sendable, Hashable {
    var revision: Int
    var comments: Int
    var width: Int
    /// Of changes that aren't sent yet, and of answers to them.
    var changes: Int
    var look: Look
    /// How many images are loaded.
    var images: Int
    var cell: CellSize?
  }

  var readerPage: ReaderPage? {
    guard let reader, let width = layout.reader?.width else { return nil }
    return ReaderPage(
      revision: revisions.reader, comments: reader.comments.count, width: width,
      changes: acting.shown, look: look, images: reader.images.loaded.count, cell: cell)
  }

  /// Without the comments, which are laid out as they come.
  var pageBesideComments: ReaderPage? {
    var page = readerPage
    page?.comments = 0
    return page
  }

  mutating func show(_ document: RenderedDocument, of page: ReaderPage) {
    guard page == readerPage else { return }
    let showedMatch = isMatchVisible
    reader?.document = document
    scrollReader(to: reader?.top ?? 0)
    findAgain(wasVisible: showedMatch)
  }
}
