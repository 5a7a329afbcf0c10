internal import IssueTracker
internal import Locking
internal import StyledText

/// Looks a repository up and shows its issues, page by page as they come; where the network is away, those of
/// its mirror.
struct IssueList: Sendable {
  /// A list whose first page is there.
  private struct Beginning: Sendable {
    let repository: Repository
    /// The repository's name, as the server has it.
    let fullName: RepositoryName
    /// The first page; nil where there is none.
    let page: IssueListing.Page?
    /// What gives those after it.
    let rest: IssueListing.Iterator
  }

  let name: RepositoryName
  let connection: Connection
  let session: CommandSession
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool
  let showsAssignees: Bool
  let fields: [Issue.Field]?
  /// Where the repository is noted when it was found; nil for nowhere.
  let history: RepositoryHistory?

  func show() async throws {
    let beginning: Beginning
    do throws(CommandFailure) {
      beginning = try await begin()
    } catch {
      guard let absence = NetworkAbsence(error, of: connection.server, session) else { throw error }
      let place = try await absence.mirrored(name)
      absence.announce(place)
      let list = MirroredIssueList(
        session: session, filter: filter, limit: limit,
        includesPullRequests: includesPullRequests, showsAssignees: showsAssignees,
        fields: fields)
      return try await list.show(place)
    }
    try await show(beginning)
  }

  /// Looks the repository up and asks for the first page.
  private func begin() async throws(CommandFailure) -> Beginning {
    session.progress.update("Looking up \(name)…")
    // The main thread is still initialising libcurl.
    GitHubJSON.warmUp()
    // Where the name is known from the last time, the list is asked for side by side with the look-up.
    let early = Locked<(name: RepositoryName, pages: IssueListing.Iterator)?>(nil)
    let repository = try await connection.explaining("\(name)") {
      (provider) async throws(NetworkError) in
      try await provider.repository(name) { stored in
        guard let fullName = RepositoryName(stored.fullName) else { return }
        var pages = listing(of: fullName).makeAsyncIterator()
        pages.prefetch()
        early.withLock { [pages] in $0 = (fullName, pages) }
      }
    }
    // From here on the name is the server's: a renamed repository has its new one.
    guard let fullName = RepositoryName(repository.fullName) else {
      throw CommandFailure(
        .badAnswer,
        "the server gives \(name) a name that is none: "
          + "“\(TerminalText(repository.fullName.prefix(100)))”")
    }
    if let history {
      let entry = RepositoryHistory.Entry(server: connection.server, name: fullName)
      session.end.add { await history.record(entry) }
    }
    session.progress.update("Loading the issues of \(fullName)…")
    let known = early.withLock { early in
      defer { early = nil }
      return early
    }
    var pages =
      known.flatMap { $0.name == fullName ? $0.pages : nil }
      ?? listing(of: fullName).makeAsyncIterator()
    let first = try await next(of: &pages, fullName, afterShowing: 0)
    return Beginning(repository: repository, fullName: fullName, page: first, rest: pages)
  }

  private func show(_ beginning: Beginning) async throws {
    let (repository, fullName) = (beginning.repository, beginning.fullName)
    let notes = IssueListNotes(
      filter: filter, limit: limit, includesPullRequests: includesPullRequests)
    var writer = ListWriter<IssueRow>(
      session, fields: fields,
      columns: IssueRow.columns(
        showsKind: includesPullRequests, showsAssignees: showsAssignees))
    var pages = beginning.rest
    var upcoming = beginning.page
    var isCut = false
    while let page = upcoming {
      isCut = page.hasMore
      try await writer.write(
        page.issues.map {
          IssueRow(issue: $0, showsKind: includesPullRequests, showsAssignees: showsAssignees)
        },
        heading: notes.heading(
          of: repository.fullName, count: page.issues.count, hasMore: page.hasMore,
          openCount: repository.openIssuesCount))
      session.progress.update("Loading the issues of \(fullName)… \(writer.count) so far")
      upcoming = try await next(of: &pages, fullName, afterShowing: writer.count)
    }
    try await writer.finish()
    try await notes.explainEnd(isCut: isCut, writer, "\(fullName)", session)
  }

  private func next(
    of pages: inout IssueListing.Iterator, _ fullName: RepositoryName, afterShowing count: Int
  ) async throws(CommandFailure) -> IssueListing.Page? {
    do throws(NetworkError) {
      return try await pages.next(isolation: nil)
    } catch {
      throw connection.explanation(of: error, "\(fullName)", afterShowing: count)
    }
  }

  private func listing(of repository: RepositoryName) -> IssueListing {
    IssueListing(
      provider: connection.provider, repository: repository, filter: filter, limit: limit,
      includesPullRequests: includesPullRequests)
  }
}
