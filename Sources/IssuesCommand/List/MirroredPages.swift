import Dispatch
internal import Locking

/// What a list of a mirror's has, page by page, in whatever memory a page or two take.
///
/// They are read on a thread of the database, which waits for whoever takes them: a terminal may be slow.
final class MirroredPages<Element: Sendable>: Sendable {
  /// What reads, and gives each element to what it is given, on a thread that may wait.
  typealias Reading = @Sendable (@escaping @Sendable (Element) throws -> Void) async throws -> Void

  private let pages: AsyncStream<[Element]>
  private let continuation: AsyncStream<[Element]>.Continuation
  /// What is waited for before another page is read: the one before was taken.
  private let room = DispatchSemaphore(value: 0)
  private let isAbandoned = Locked(false)

  private init() {
    (pages, continuation) = AsyncStream.makeStream()
    // Not by the value it is made with: libdispatch traps when a semaphore goes with less than that.
    room.signal()
  }

  /// Goes through what a mirror has, page by page.
  ///
  /// - Parameters:
  ///   - read: What reads it.
  ///   - size: How many are on a page.
  ///   - body: Is given each page.
  /// - Throws: What `body` throws; `MirrorFailure`.
  static func forEach(
    of read: @escaping Reading, size: Int, _ body: ([Element]) async throws -> Void
  ) async throws {
    let pages = MirroredPages()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pages.gather(read, size: size) }
      defer { pages.abandon() }
      for await page in pages.pages {
        try await body(page)
        pages.room.signal()
      }
      try await group.waitForAll()
    }
  }

  private func gather(_ read: Reading, size: Int) async throws {
    defer { continuation.finish() }
    let page = Locked<[Element]>([])
    try await read { element in
      let full: [Element]? = page.withLock { page in
        page.append(element)
        guard page.count == size else { return nil }
        defer { page = [] }
        return page
      }
      if let full { try self.give(full) }
    }
    let rest = page.withLock { $0 }
    if !rest.isEmpty { continuation.yield(rest) }
  }

  private func give(_ page: [Element]) throws {
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
