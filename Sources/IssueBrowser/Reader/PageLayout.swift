internal import ConcurrencyPrimitives
package import IssueTracker
package import TerminalMarkdown

/// Lays out pages one after the other, on its own thread. Swift has only as many threads as there are processors, and
/// keys are handled on them. A slow layout would block every key, even the one to quit.
package actor PageLayout {
  /// Lays out a comment of a page, or its beginning for nil.
  package typealias Part = @Sendable (IssuePage, IssueComment?) -> RenderedDocument

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "IssueBrowser.layout")
  private let part: Part
  /// The last page as far as it is laid out, without its end: more comments follow as they arrive.
  private var begun: (inputs: BrowserState.ReaderPage, comments: Int, document: RenderedDocument)?

  package init(_ part: @escaping Part = PageLayout.part) {
    self.part = part
  }

  /// Lays out what the last page doesn't have yet if their inputs differ only in the number of comments. Stops between
  /// two comments, and returns nil, when the task is canceled.
  func document(of page: IssuePage, _ inputs: BrowserState.ReaderPage) -> RenderedDocument? {
    var inputs = inputs
    inputs.comments = 0
    if Task.isCancelled { return nil }
    var (comments, document) = (0, RenderedDocument())
    if let begun, begun.inputs == inputs, begun.comments <= page.comments.count {
      (comments, document) = (begun.comments, begun.document)
    } else {
      document = part(page, nil)
    }
    defer { begun = (inputs, comments, document) }
    for comment in page.comments[comments...] {
      if Task.isCancelled { return nil }
      document.append(part(page, comment))
      comments += 1
    }
    return document + page.end
  }

  package static func part(of page: IssuePage, _ comment: IssueComment?) -> RenderedDocument {
    comment.map { page.part(of: $0) } ?? page.beginning
  }
}
