internal import IssueMirror

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Shows the issues of a repository as the mirror has them: the rows that the server would give.
struct MirroredIssueList: Sendable {
  /// How many rows are written at a time, as many as a page of the server has.
  private static let pageSize = 100

  let session: CommandSession
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool
  let showsAssignees: Bool
  let fields: JSONFields?

  /// Shows them.
  ///
  /// - Throws: ``CommandFailure`` after the rows where the first sync of the repository was never completed, so
  ///   that no part looks like the whole; `MirrorFailure` and ``OutputError``.
  func show(_ place: MirroredPlace) async throws {
    let repository = place.repository
    var writer = try ListWriter<IssueRow>(
      session, fields: fields,
      columns: IssueRow.columns(
        showsKind: includesPullRequests, showsAssignees: showsAssignees))
    let isCut =
      fields == nil
      ? try await writeRows(of: place, to: &writer)
      : try await writeDocuments(of: place, to: &writer)
    guard repository.isComplete else { throw repository.incompleteness }
    try await writer.finish()
    try await notes.explainEnd(isCut: isCut, writer, repository.fullName, session)
  }

  private var notes: IssueListNotes {
    IssueListNotes(filter: filter, limit: limit, includesPullRequests: includesPullRequests)
  }

  /// How many are read at most: one more than is shown tells whether there are more.
  private var readCount: Int? { limit.map { min($0, .max - 1) + 1 } }

  private func list(of repository: MirroredRepository) -> MirrorList {
    MirrorList(
      repository: repository, filter: filter, limit: readCount,
      includesPullRequests: includesPullRequests)
  }

  /// Writes rows of what the mirror's columns have.
  ///
  /// - Returns: Whether there are more.
  private func writeRows(
    of place: MirroredPlace, to writer: inout ListWriter<IssueRow>
  ) async throws -> Bool {
    let (mirror, repository) = (place.mirror, place.repository)
    let showsKind = includesPullRequests
    var isCut = false
    let pages = mirror.rows(
      of: list(of: repository), pageSize: readCount ?? Self.pageSize, withAssignees: showsAssignees)
    for try await page in pages {
      let shown = page.prefix(limit ?? .max)
      isCut = shown.count < page.count
      var openCount: Int?
      if showsKind, isCut {
        let counts = try await mirror.counts(of: repository)
        openCount = counts.open + counts.openPullRequests
      }
      // Without a limit, as with a server, the first page tells how many there are if it is all.
      let hasMore = isCut || limit == nil && page.count == Self.pageSize
      let heading = notes.heading(
        of: repository.fullName, count: shown.count, hasMore: hasMore, openCount: openCount)
      for start in stride(from: 0, to: shown.count, by: Self.pageSize) {
        let rows = shown[start..<min(start + Self.pageSize, shown.count)].map {
          IssueRow($0, showsKind: showsKind, showsAssignees: showsAssignees)
        }
        try await writer.write(rows, heading: heading)
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
    var isCut = false
    let pages = place.mirror.documents(of: list(of: place.repository), pageSize: Self.pageSize)
    for try await page in pages {
      let shown = page.prefix(limit.map { $0 - writer.count } ?? .max)
      isCut = shown.count < page.count
      try await writer.write(objects: shown.map { JSONObject($0) })
    }
    return isCut
  }
}

extension MirroredRepository {
  /// Why what is shown of it isn't all.
  var incompleteness: CommandFailure {
    CommandFailure(
      .failed,
      "the mirror of \(fullName) is incomplete: its first sync was never completed\n"
        + "Go on with '\(syncCommand)'.")
  }
}
