internal import ConcurrencyPrimitives
package import IssueMirror

/// The mirror. It is opened at its first use.
package struct BrowserMirror: Sendable {
  /// Opens the mirror, and may block. Returns nil if no mirror exists. The description of an error is shown to the
  /// user.
  package typealias Open = @Sendable () throws -> (any IssueReader)?

  /// Opens the mirror without blocking.
  package typealias WaitingOpen = @Sendable () async throws -> (any IssueReader)?

  private let open: WaitingOpen

  /// - Parameter open: Opens the mirror. It is called again after it returned nil, because a mirror may have been
  ///   created.
  package init(_ open: @escaping Open) {
    let opening = Opening(open)
    self.open = { try await opening.opened() }
  }

  /// - Parameter open: Opens the mirror, and keeps it open. It is called each time.
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
