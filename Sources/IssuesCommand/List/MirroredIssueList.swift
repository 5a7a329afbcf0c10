internal import ConcurrencyPrimitives
import Dispatch
internal import IssueMirror

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Shows the issues of a mirrored repository, in the rows that the server would give.
struct MirroredIssueList: Sendable {
  /// How many rows are written at a time: as many as the server's pages have.
  private static let pageSize = 100

  let session: CommandSession
  let filter: IssueFilter
  let form: IssueListForm

  /// Shows them.
  ///
  /// - Throws: ``CommandFailure`` after the rows where the first sync was never completed, so that a part never looks
  ///   like the whole; `MirrorFailure` and ``OutputError``.
  func show(_ place: MirroredPlace) async throws {
    let repository = place.repository
    var writer = try form.writer(session)
    let isCut =
      form.fields == nil
      ? try await writeRows(of: place, to: &writer)
      : try await writeDocuments(of: place, to: &writer)
    guard repository.isComplete else { throw repository.incompleteness }
    try await writer.finish()
    try await notes.explainEnd(isCut: isCut, writer, repository.fullName, session)
  }

  private var notes: IssueListNotes {
    IssueListNotes(
      filter: filter, limit: form.limit, includesPullRequests: form.includesPullRequests)
  }

  /// The most issues to read: one more than is shown tells whether there are more.
  private var readCount: Int? { form.limit.map { min($0, .max - 1) + 1 } }

  /// Writes rows of the mirror's columns.
  ///
  /// - Returns: Whether there are more.
  private func writeRows(
    of place: MirroredPlace, to writer: inout ListWriter<IssueRow>
  ) async throws -> Bool {
    let (mirror, repository, readCount) = (place.mirror, place.repository, readCount)
    let (filter, form) = (filter, form)
    var isCut = false
    let read: MirroredPages<Issue>.Reading = { body in
      try await mirror.forEachListed(
        of: repository, filter: filter, limit: readCount,
        includesPullRequests: form.includesPullRequests, withAssignees: form.showsAssignees, body)
    }
    try await MirroredPages.forEach(of: read, size: readCount ?? Self.pageSize) { page in
      let shown = page.prefix(form.limit ?? .max)
      isCut = shown.count < page.count
      var openCount: Int?
      if form.includesPullRequests, isCut {
        let counts = try await mirror.counts(of: repository)
        openCount = counts.open + counts.openPullRequests
      }
      // Without a limit, as with a server, the first page tells how many there are if it is all.
      let hasMore = isCut || form.limit == nil && page.count == Self.pageSize
      let heading = notes.heading(
        of: repository.fullName, count: shown.count, hasMore: hasMore, openCount: openCount)
      for start in stride(from: 0, to: shown.count, by: Self.pageSize) {
        let rows = shown[start..<min(start + Self.pageSize, shown.count)]
        try await writer.write(rows.map(form.row), heading: heading)
      }
    }
    return isCut
  }

  /// Writes the JSON that the server sent.
  ///
  /// - Returns: Whether there are more.
  private func writeDocuments(
    of place: MirroredPlace, to writer: inout ListWriter<IssueRow>
  ) async throws -> Bool {
    let (mirror, repository, readCount) = (place.mirror, place.repository, readCount)
    let (filter, form) = (filter, form)
    var isCut = false
    let read: MirroredPages<Data>.Reading = { body in
      try await mirror.forEachDocument(
        of: repository, filter: filter, limit: readCount,
        includesPullRequests: form.includesPullRequests, body)
    }
    try await MirroredPages.forEach(of: read, size: Self.pageSize) { page in
      let shown = page.prefix(form.limit.map { $0 - writer.count } ?? .max)
      isCut = shown.count < page.count
      try await writer.write(objects: shown.map { JSONObject($0) })
    }
    return isCut
  }
}

/// The rows of a list in the mirror, page by page, in the memory of a page or two.
///
/// A thread of the database reads them, and waits for the reader of the pages: a terminal may be slow.
final class MirroredPages<Element: Sendable>: Sendable {
  /// Reads, and passes each element to a closure on a thread that may wait.
  typealias Reading = @Sendable (@escaping @Sendable (Element) throws -> Void) async throws -> Void

  private let pages: AsyncStream<[Element]>
  private let continuation: AsyncStream<[Element]>.Continuation
  /// Signalled when a page was taken, so that the next may be given.
  private let room = DispatchSemaphore(value: 0)
  private let isAbandoned = Locked(false)

  private init() {
    (pages, continuation) = AsyncStream.makeStream()
    // Not an initial value of 1: libdispatch traps when a semaphore ends below its initial value.
    room.signal()
  }

  /// Reads page by page.
  ///
  /// - Parameters:
  ///   - read: Reads the elements.
  ///   - size: The number of elements on a page.
  ///   - body: Called with each page.
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

  /// Lets the reading thread end when nobody takes its pages any more.
  private func abandon() {
    isAbandoned.withLock { $0 = true }
    room.signal()
  }
}
