internal import ConcurrencyPrimitives
package import TerminalMarkdown

/// Lays out pages one after the other, on its own thread. Swift has only as many threads as there are processors, and
/// keys are handled on them. A slow layout would block every key, even the one to quit.
package actor PageLayout {
  /// Returns nil if the task is canceled.
  package typealias Work = @Sendable (IssuePage) -> RenderedDocument?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "IssueBrowser.layout")
  private let work: Work

  package init(_ work: @escaping Work = PageLayout.document) {
    self.work = work
  }

  func document(of page: IssuePage) -> RenderedDocument? {
    Task.isCancelled ? nil : work(page)
  }

  /// Stops between two comments when the task is canceled.
  package static func document(_ page: IssuePage) -> RenderedDocument? {
    var document = page.beginning
    for comment in page.comments {
      if Task.isCancelled { return nil }
      document.append(page.part(of: comment))
    }
    document.append(page.end)
    return document
  }
}
