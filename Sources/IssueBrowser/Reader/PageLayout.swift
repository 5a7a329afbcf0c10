internal import ConcurrencyPrimitives
package import StyledText

/// Lays out pages one after the other, on a thread of its own.
///
/// Swift has as few threads as there are processors, and keys are handled on them. If each laid out a page of costly
/// comments, every key would wait, even those that quit.
package actor PageLayout {
  /// Returns the lines of a page; nil if the task is cancelled.
  package typealias Work = @Sendable (IssuePage) -> [StyledLine]?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "IssueBrowser.layout")
  private let work: Work

  /// Creates the thread.
  package init(_ work: @escaping Work = PageLayout.lines) {
    self.work = work
  }

  /// The lines of a page; nil if the task was cancelled before its turn.
  func lines(of page: IssuePage) -> [StyledLine]? {
    Task.isCancelled ? nil : work(page)
  }

  /// Lays out a page, and stops between two comments when the task is cancelled.
  package static func lines(_ page: IssuePage) -> [StyledLine]? {
    var lines = page.issueLines
    for comment in page.comments {
      if Task.isCancelled { return nil }
      lines += page.lines(of: comment)
    }
    return lines + page.pendingCommentLines
  }
}
