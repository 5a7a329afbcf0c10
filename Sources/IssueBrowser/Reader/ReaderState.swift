package import IssueTracker
package import StyledText
package import TerminalMarkdown
internal import TerminalScreen

package struct ReaderState: Sendable, Hashable {
  package var issue: GitHub.Issue
  package var comments: [IssueComment] = []
  package var isLoading = false
  /// Whether all comments are loaded, or else the reason, in one line.
  package var standing = IssueSheet.Standing.online
  /// The page for the reader's width; empty until it is laid out.
  package var document = RenderedDocument()
  package var top = 0
  package var find: ReaderFind?
  var images = ReaderImages()

  package var lines: [StyledLine] { document.lines }

  package init(issue: GitHub.Issue) {
    self.issue = issue
  }

  mutating func move(_ motion: BrowserCommand.Motion, height: Int, count: Int? = nil) {
    let place = motion.place(
      from: top, page: max(1, height - 1), last: lines.count, count: count)
    scroll(to: place, height: height)
  }

  /// Goes to a comment by its distance from the top of the window. The issue itself is before the first comment.
  mutating func goToComment(_ step: Int, height: Int) {
    let comments = document.comments
    let next = comments.partitioningIndex { $0 > top }
    let index =
      step > 0
      ? min(next + step - 1, comments.count - 1)
      : comments.partitioningIndex { $0 >= top } + step
    scroll(to: index < 0 ? (step < 0 ? 0 : top) : comments[index], height: height)
  }

  mutating func scroll(to line: Int, height: Int) {
    top = max(0, min(line, lines.count - height))
  }

  mutating func show(_ document: RenderedDocument, height: Int) {
    let showedMatch = showsMatch(height: height)
    self.document = document
    scroll(to: top, height: height)
    findAgain()
    if showedMatch { revealMatch(height: height) }
  }
}

extension BrowserState {
  mutating func read(_ issue: GitHub.Issue) {
    // A preview keeps its scroll position.
    if !isPreviewing || reader?.issue != issue || pane == .reader { show(issue) }
    pane = .reader
    search.completions = nil
    revealSelection()
  }

  /// The typed number, while the reader waits for its issue.
  var addressedIssue: Int? {
    pane == .list && (reader == nil || isPreviewing) && sheet != nil ? list.addressed : nil
  }

  /// Opens the issue of the typed number, unless the user has moved on.
  mutating func readAddressed(_ issue: GitHub.Issue) {
    guard addressedIssue == issue.number else { return }
    list.addressed = nil
    if let index = sheet?.issues.firstIndex(where: { $0.number == issue.number }) {
      list.cursor.selection = index
    }
    read(issue)
  }

  /// Whether the reader shows an issue of the list, in this or another version.
  func reads(_ issue: GitHub.Issue) -> Bool {
    guard let sheet, let reader else { return false }
    return sheet.key(of: reader.issue) == sheet.key(of: issue)
  }

  mutating func show(_ issue: GitHub.Issue) {
    var opened = ReaderState(issue: issue)
    // An issue that isn't created yet has only unsent comments.
    opened.isLoading = issue.number > 0 && issue.commentsCount > 0
    if let sheet, let comments = preview.comments(on: issue, in: sheet.scope) {
      (opened.comments, opened.isLoading) = (comments, false)
    }
    if var find = reader?.find, reads(issue) {
      find.matches = []
      opened.find = find
    }
    reader = opened
    revisions.reader += 1
    visit(issue)
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
    guard reader != nil, layout.isWide, let issue = selectedIssue,
      !reads(issue)
    else { return }
    show(issue)
  }

  mutating func readOther(_ step: Int) {
    guard reader != nil, rowCount > 0 else { return }
    let old = list.cursor.selection
    list.cursor.selection += step
    revealSelection()
    guard list.cursor.selection != old, let issue = selectedIssue else { return }
    show(issue)
  }

  /// The height of the reader; 0 if it is closed.
  var readerHeight: Int { layout.reader?.height ?? 0 }

  mutating func scrollReader(by lines: Int) {
    guard let top = reader?.top else { return }
    let height = readerHeight
    reader?.scroll(to: top + lines, height: height)
  }

  /// The inputs of a layout. A result for older inputs is dropped.
  package struct ReaderPage: Sendable, Hashable {
    var revision: Int
    var comments: Int
    var width: Int
    /// The number of changes to the pending changes or to their responses.
    var changes: Int
    var look: Look
    /// The number of loaded images.
    var images: Int
    var cell: CellSize?
  }

  var readerPage: ReaderPage? {
    guard let reader, let width = layout.reader?.width else { return nil }
    return ReaderPage(
      revision: revisions.reader, comments: reader.comments.count, width: width,
      changes: acting.shown, look: look, images: reader.images.loaded.count, cell: cell)
  }

  /// The inputs without the comments, which are laid out when they arrive.
  var pageBesideComments: ReaderPage? {
    var page = readerPage
    page?.comments = 0
    return page
  }

  mutating func show(_ document: RenderedDocument, of page: ReaderPage) {
    guard page == readerPage else { return }
    let height = readerHeight
    reader?.show(document, height: height)
  }
}
