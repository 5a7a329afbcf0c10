internal import IssueMirror

/// Shows the issues of a repository as the mirror has them: the rows that the server would give.
struct MirroredIssueList: Sendable {
  /// How many rows are written at a time, as many as a page of the server has.
  private static let pageSize = 100

  let session: CommandSession
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool
  let fields: [Issue.Field]?

  /// Shows them.
  ///
  /// - Throws: ``CommandFailure`` after the rows where the first sync of the repository was never completed, so
  ///   that no part looks like the whole; `MirrorFailure` and ``OutputError``.
  func show(_ place: MirroredPlace) async throws {
    let repository = place.repository
    let notes = IssueListNotes(
      filter: filter, limit: limit, includesPullRequests: includesPullRequests)
    // One more than is shown tells whether there are more.
    var rest = try await place.mirror.issues(
      of: repository, filter: filter, limit: limit.map { $0 + 1 },
      includesPullRequests: includesPullRequests)[...]
    let isCut = limit.map { rest.count > $0 } ?? false
    if isCut { rest.removeLast() }
    var openCount: Int?
    if includesPullRequests, isCut {
      let counts = try await place.mirror.counts(of: repository)
      openCount = counts.open + counts.openPullRequests
    }
    var writer = ListWriter<Issue>(session, fields: fields)
    let heading = notes.heading(
      of: repository.fullName, count: rest.count, hasMore: isCut, openCount: openCount)
    while !rest.isEmpty {
      try await writer.write(Array(rest.prefix(Self.pageSize)), heading: heading)
      rest.removeFirst(min(Self.pageSize, rest.count))
    }
    guard repository.isComplete else { throw repository.incompleteness }
    try await writer.finish()
    notes.explainEnd(isCut: isCut, writer, repository.fullName, session)
  }
}

extension MirroredRepository {
  /// Why what is shown of it isn't all.
  var incompleteness: CommandFailure {
    CommandFailure(
      .failed,
      "the mirror of \(fullName) is incomplete: its first sync was never completed\n"
        + "Go on with 'issues sync \(typedName)'.")
  }
}
