internal import ConcurrencyPrimitives
package import IssueMirror

/// The mirror, opened at its first use.
package struct BrowserMirror: Sendable {
  /// Opens the mirror, and may block; nil if there is none. The user sees the description of an error.
  package typealias Open = @Sendable () throws -> (any IssueReader)?

  /// Doesn't block.
  package typealias WaitingOpen = @Sendable () async throws -> (any IssueReader)?

  private let open: WaitingOpen

  /// - Parameter open: Called again after it returned nil, since a mirror may have been created.
  package init(_ open: @escaping Open) {
    let opening = Opening(open)
    self.open = { try await opening.opened() }
  }

  /// - Parameter open: Called each time; it keeps the mirror that it opens.
  package init(waiting open: @escaping WaitingOpen) {
    self.open = open
  }

  func opened() async throws -> (any IssueReader)? { try await open() }

  private actor Opening {
    private let queue = BlockingQueue(label: "IssueBrowser.mirror")
    private let open: Open
    private var mirror: (any IssueReader)?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe queue.asUnownedSerialExecutor()
    }

    init(_ open: @escaping Open) {
      self.open = open
    }

    func opened() throws -> (any IssueReader)? {
      if let mirror { return mirror }
      mirror = try open()
      return mirror
    }
  }
}
