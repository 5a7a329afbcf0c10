internal import IssueBrowser
internal import IssueMirror
internal import IssueOutbox
internal import PlatformModules

struct MirroredIssueList: Sendable {
  /// As many as the server's pages have.
  private static let pageSize = 100

  let session: CommandSession
  let filter: IssueFilter
  let form: IssueListForm

  /// After an incomplete first sync it throws once the rows are shown, so that a part never looks like the whole.
  func show(_ place: MirroredPlace) async throws {
    let repository = place.repository
    var writer = try form.writer(session)
    // Groups need the issues, not their JSON alone.
    let isCut =
      form.fields == nil || form.grouping != nil
      ? try await writeRows(of: place, to: &writer)
      : try await writeDocuments(of: place, to: &writer)
    try await writer.writeGroups()
    guard repository.isComplete else { throw repository.incompleteness }
    try await writer.finish()
    try await notes.explainEnd(isCut: isCut, writer, repository.fullName, session)
  }

  private var notes: IssueListNotes {
    IssueListNotes(
      filter: filter, limit: form.limit, includesPullRequests: form.includesPullRequests)
  }

  /// One more than is shown tells whether there are more.
  private var readCount: Int? { form.limit.map { min($0, .max - 1) + 1 } }

  private func list(of repository: MirroredRepository) -> MirrorList {
    MirrorList(
      repository: repository, filter: filter, limit: readCount,
      includesPullRequests: form.includesPullRequests)
  }

  /// Returns whether there are more.
  private func writeRows(
    of place: MirroredPlace, to writer: inout ListWriter<IssueRow>
  ) async throws -> Bool {
    let (mirror, repository) = (place.mirror, place.repository)
    var isCut = false
    var newRows = try await pendingRows(of: place)
    var pages = rows(of: place).makeAsyncIterator()
    var documents = mirror.documents(
      of: list(of: repository), pageSize: readCount ?? Self.pageSize
    ).makeAsyncIterator()
    let isListed = form.columns.allSatisfy(\.isListed) && form.grouping == nil
    while let page = try await isListed
      ? pages.next().map({ $0.map(form.row) })
      : documents.next()?.map({ json in
        form.row(Sent(try GitHubJSON.decode(GitHub.Issue.self, from: json), json: json))
      })
    {
      let shown = page.prefix(form.limit ?? .max)
      isCut = shown.count < page.count
      var openCount: Int?
      if form.includesPullRequests, isCut {
        let counts = try await mirror.counts(of: repository)
        openCount = counts.open + counts.openPullRequests
      }
      // Without a limit, as with a server, the first page gives the number if it is all.
      let hasMore = isCut || form.limit == nil && page.count == Self.pageSize
      let heading = notes.heading(
        of: repository.fullName, count: shown.count, hasMore: hasMore, openCount: openCount)
      for start in stride(from: 0, to: shown.count, by: Self.pageSize) {
        let rows = shown[start..<min(start + Self.pageSize, shown.count)]
        try await writer.write(newRows + rows, heading: heading)
        newRows = []
      }
    }
    try await writer.write(newRows, heading: notes.pendingHeading(of: repository.fullName))
    return isCut
  }

  private func rows(of place: MirroredPlace) -> IssuePages<GitHub.Issue> {
    place.mirror.rows(
      of: list(of: place.repository), pageSize: readCount ?? Self.pageSize,
      withAssignees: form.columns.contains(.assignees))
  }

  /// New issues, and those that the filter only lists because of changes that aren't sent yet.
  private func pendingRows(of place: MirroredPlace) async throws -> [IssueRow] {
    guard let pending = form.pending else { return [] }
    var rows = form.newRows(filter)
    for number in pending.numbers {
      guard let issue = try await place.mirror.issue(number, of: place.repository),
        !filter.matches(issue), filter.matches(pending.applied(to: issue)),
        form.includesPullRequests || !issue.isPullRequest
      else { continue }
      rows.append(form.row(issue))
    }
    return rows
  }

  /// Returns whether there are more.
  private func writeDocuments(
    of place: MirroredPlace, to writer: inout ListWriter<IssueRow>
  ) async throws -> Bool {
    var isCut = false
    let pages = place.mirror.documents(of: list(of: place.repository), pageSize: Self.pageSize)
    for try await page in pages {
      let shown = page.prefix(form.limit.map { $0 - writer.count } ?? .max)
      isCut = shown.count < page.count
      try await writer.write(objects: shown.map(form.object))
    }
    return isCut
  }
}
