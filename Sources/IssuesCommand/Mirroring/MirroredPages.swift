import Dispatch
internal import IssueMirror
internal import Locking

/// The issues of a mirror, page by page, in whatever memory a page or two take.
///
/// They are read on a thread of the database, which waits for whoever takes them: a terminal may be slow.
final class MirroredPages: Sendable {
  private let pages: AsyncStream<[Sent<Issue>]>
  private let continuation: AsyncStream<[Sent<Issue>]>.Continuation
  /// What is waited for before another page is read: the one before was taken.
  private let room = DispatchSemaphore(value: 0)
  private let isAbandoned = Locked(false)

  private init() {
    (pages, continuation) = AsyncStream.makeStream()
    // Not by the value it is made with: libdispatch traps when a semaphore goes with less than that.
    room.signal()
  }

  /// Reads all issues that a filter lists.
  ///
  /// - Parameters:
  ///   - place: Whose issues.
  ///   - filter: Which of them, and in which order.
  ///   - includesPullRequests: Whether pull requests are among them.
  ///   - size: How many are on a page.
  ///   - body: Is given each page.
  /// - Throws: What `body` throws; `MirrorFailure`.
  static func forEach(
    of place: MirroredPlace, filter: IssueFilter, includesPullRequests: Bool, size: Int,
    _ body: ([Sent<Issue>]) async throws -> Void
  ) async throws {
    let pages = MirroredPages()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await pages.read(
          place, filter: filter, includesPullRequests: includesPullRequests, size: size)
      }
      defer { pages.abandon() }
      for await page in pages.pages {
        try await body(page)
        pages.room.signal()
      }
      try await group.waitForAll()
    }
  }

  private func read(
    _ place: MirroredPlace, filter: IssueFilter, includesPullRequests: Bool, size: Int
  ) async throws {
    defer { continuation.finish() }
    let page = Locked<[Sent<Issue>]>([])
    try await place.mirror.forEachIssue(
      of: place.repository, filter: filter, includesPullRequests: includesPullRequests
    ) { issue, json in
      let full: [Sent<Issue>]? = page.withLock { page in
        page.append(Sent(issue, json: json))
        guard page.count == size else { return nil }
        defer { page = [] }
        return page
      }
      if let full { try self.give(full) }
    }
    let rest = page.withLock { $0 }
    if !rest.isEmpty { continuation.yield(rest) }
  }

  private func give(_ page: [Sent<Issue>]) throws {
    room.wait()
    guard !isAbandoned.withLock({ $0 }) else { throw CancellationError() }
    continuation.yield(page)
  }

  /// Lets the reading thread end: nobody takes what it reads.
  private func abandon() {
    isAbandoned.withLock { $0 = true }
    room.signal()
  }
}
