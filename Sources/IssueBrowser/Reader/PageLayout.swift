internal import Locking
package import StyledText

/// Lays out pages, one after the other and on a thread of its own.
///
/// Swift's own threads are as few as the processors, and what is typed is answered on them: a page of costly
/// comments on each would keep every key waiting, those that leave among them.
package actor PageLayout {
  /// Gives the lines of a page; nil where nobody wants them any more.
  package typealias Work = @Sendable (IssuePage) -> [StyledLine]?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "IssueBrowser.layout")
  private let work: Work

  /// Creates a thread.
  ///
  /// - Parameter work: What is done there.
  package init(_ work: @escaping Work = PageLayout.lines) {
    self.work = work
  }

  /// The lines of a page; nil where the task was cancelled meanwhile.
  func lines(of page: IssuePage) -> [StyledLine]? {
    Task.isCancelled ? nil : work(page)
  }

  /// Lays a page out, and gives up between two comments when the task is cancelled.
  package static func lines(_ page: IssuePage) -> [StyledLine]? {
    var lines = page.issueLines
    for comment in page.comments {
      if Task.isCancelled { return nil }
      lines += page.lines(of: comment)
    }
    return lines
  }
}
