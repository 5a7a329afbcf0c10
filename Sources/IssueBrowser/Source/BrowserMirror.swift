package import IssueMirror
internal import Locking

/// The mirror that the browser reads: it is opened when it is first needed.
package struct BrowserMirror: Sendable {
  /// Opens the mirror, which may wait for the disk; nil where there is none. An error is shown to the person as it
  /// describes itself.
  package typealias Open = @Sendable () throws -> Mirror?

  private let opening: Opening

  /// Describes a mirror; nothing is opened yet.
  ///
  /// - Parameter open: Opens it. It is called again where there was none: one may have been made since.
  package init(_ open: @escaping Open) {
    opening = Opening(open)
  }

  /// Gives the mirror, the same each time; nil where there is none.
  func opened() async throws -> Mirror? {
    try await opening.opened()
  }

  /// Opens it once, on a thread that may wait.
  private actor Opening {
    private let queue = BlockingQueue(label: "IssueBrowser.mirror")
    private let open: Open
    private var mirror: Mirror?

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ open: @escaping Open) {
      self.open = open
    }

    func opened() throws -> Mirror? {
      if let mirror { return mirror }
      mirror = try open()
      return mirror
    }
  }
}
