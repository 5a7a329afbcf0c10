internal import ConcurrencyPrimitives
package import IssueMirror

/// The mirror that the browser reads. It is opened at its first use.
package struct BrowserMirror: Sendable {
  /// Opens the mirror; nil if there is none. It may wait for the disk. The user sees the description of an error.
  package typealias Open = @Sendable () throws -> (any IssueReader)?

  private let opening: Opening

  /// Creates a mirror that isn't open yet.
  ///
  /// - Parameter open: Opens it. It is called again after it returned nil, since a mirror may have been made.
  package init(_ open: @escaping Open) {
    opening = Opening(open)
  }

  func opened() async throws -> (any IssueReader)? {
    try await opening.opened()
  }

  /// Opens it once, on a thread that may block.
  private actor Opening {
    private let queue = BlockingQueue(label: "IssueBrowser.mirror")
    private let open: Open
    private var mirror: (any IssueReader)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

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
