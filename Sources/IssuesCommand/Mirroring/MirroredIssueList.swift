internal import IssueMirror

/// Shows the issues of a repository as the mirror has them: the rows that the server would give.
struct MirroredIssueList: Sendable {
  /// How many rows are written at a time, as many as a page of the server has.
  private static let pageSize = 100

  let session: CommandSession
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool
  let showsAssignees: Bool
  let fields: [Issue.Field]?

  /// Shows them.
  ///
  /// - Throws: ``CommandFailure`` after the rows where the first sync of the repository was never completed, so
  ///   that no part looks like the whole; `MirrorFailure` and ``OutputError``.
  func show(_ place: MirroredPlace) async throws {
    let repository = place.repository
    var writer = ListWriter<IssueRow>(
      session, fields: fields,
      columns: IssueRow.columns(
        showsKind: includesPullRequests, showsAssignees: showsAssignees))
    let isCut: Bool
    if let limit {
      isCut = try await write(place, atMost: limit, to: &writer)
    } else {
      isCut = false
      try await writeAll(place, to: &writer)
    }
    guard repository.isComplete else { throw repository.incompleteness }
    try await writer.finish()
    try await notes.explainEnd(isCut: isCut, writer, repository.fullName, session)
  }

  private var notes: IssueListNotes {
    IssueListNotes(filter: filter, limit: limit, includesPullRequests: includesPullRequests)
  }

  private func rows(_ issues: ArraySlice<Issue>) -> [IssueRow] {
    issues.map {
      IssueRow(issue: $0, showsKind: includesPullRequests, showsAssignees: showsAssignees)
    }
  }

  /// Writes the first of them.
  ///
  /// - Returns: Whether there are more.
  private func write(
    _ place: MirroredPlace, atMost limit: Int, to writer: inout ListWriter<IssueRow>
  ) async throws -> Bool {
    // One more than is shown tells whether there are more.
    var rest = try await place.mirror.issues(
      of: place.repository, filter: filter, limit: min(limit, .max - 1) + 1,
      includesPullRequests: includesPullRequests)[...]
    let isCut = rest.count > limit
    if isCut { rest.removeLast() }
    var openCount: Int?
    if includesPullRequests, isCut {
      let counts = try await place.mirror.counts(of: place.repository)
      openCount = counts.open + counts.openPullRequests
    }
    let heading = notes.heading(
      of: place.repository.fullName, count: rest.count, hasMore: isCut, openCount: openCount)
    while !rest.isEmpty {
      try await writer.write(rows(rest.prefix(Self.pageSize)), heading: heading)
      rest.removeFirst(min(Self.pageSize, rest.count))
    }
    return isCut
  }

  private func writeAll(
    _ place: MirroredPlace, to writer: inout ListWriter<IssueRow>
  ) async throws {
    try await MirroredPages.forEach(
      of: place, filter: filter, includesPullRequests: includesPullRequests, size: Self.pageSize
    ) { page in
      // As with a server, the first page tells how many there are if it is all.
      let heading = notes.heading(
        of: place.repository.fullName, count: page.count, hasMore: page.count == Self.pageSize,
        openCount: nil)
      try await writer.write(rows(page[...]), heading: heading)
    }
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
