internal import ConcurrencyPrimitives
package import StyledText

/// Lays out pages one after the other, on its own thread. Swift has as few threads as there are processors, and keys
/// are handled on them: every key would wait for costly comments, even those that quit.
package actor PageLayout {
  /// Returns nil if the task is cancelled.
  package typealias Work = @Sendable (IssuePage) -> [StyledLine]?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "IssueBrowser.layout")
  private let work: Work

  package init(_ work: @escaping Work = PageLayout.lines) {
    self.work = work
  }

  func lines(of page: IssuePage) -> [StyledLine]? {
    Task.isCancelled ? nil : work(page)
  }

  /// Stops between two comments when the task is cancelled.
  package static func lines(_ page: IssuePage) -> [StyledLine]? {
    var lines = page.issueLines
    for comment in page.comments {
      if Task.isCancelled { return nil }
      lines += page.lines(of: comment)
    }
    return lines + page.pendingCommentLines
  }
}
