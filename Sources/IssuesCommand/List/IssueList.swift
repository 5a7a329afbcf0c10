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
    /// What the list is filtered by.
    let filter: IssueFilter
    /// The first page; nil where there is none.
    let page: IssueListing.Page?
    /// What gives those after it.
    let rest: IssueListing.Iterator
  }

  private typealias FirstPage = (
    filter: IssueFilter, page: IssueListing.Page?, rest: IssueListing.Iterator
  )

  let name: RepositoryName
  let connection: Connection
  let session: CommandSession
  let request: FilterRequest
  let limit: Int?
  let includesPullRequests: Bool
  let showsAssignees: Bool
  let fields: JSONFields?
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
        session: session, filter: try await request.resolved(in: place), limit: limit,
        includesPullRequests: includesPullRequests, showsAssignees: showsAssignees,
        fields: fields)
      return try await list.show(place)
    }
    try await show(beginning)
  }

  /// Looks the repository up, and beside it asks for what the filter needs and for the first page.
  private func begin() async throws(CommandFailure) -> Beginning {
    session.progress.update("Looking up \(name)…")
    // The main thread is still initialising libcurl.
    GitHubJSON.warmUp()
    let found = Locked<RepositoryName?>(nil)
    let (repository, list): (Repository, Result<FirstPage, CommandFailure>)
    do throws(NetworkError) {
      (repository, list) = try await connection.provider.repository(
        name,
        onFound: { _, fullName in
          found.withLock { $0 = fullName }
          noteFound(fullName)
        },
        with: { name async throws(NetworkError) in
          switch try await request.resolved(by: connection.provider, in: name) {
          case .success(let filter):
            var pages = listing(of: name, filter).makeAsyncIterator()
            let page = try await pages.next(isolation: nil)
            return (.success((filter, page, pages)), pages.source)
          case .failure(let failure):
            return (.failure(failure), nil)
          }
        })
    } catch {
      throw connection.explanation(of: error, "\(found.withLock { $0 } ?? name)")
    }
    let (filter, page, rest) = try list.get()
    return Beginning(
      repository: repository, fullName: found.withLock { $0 } ?? name, filter: filter, page: page,
      rest: rest)
  }

  private func noteFound(_ fullName: RepositoryName) {
    if let history {
      let entry = RepositoryHistory.Entry(server: connection.server, name: fullName)
      session.end.add { await history.record(entry) }
    }
    session.progress.update("Loading the issues of \(fullName)…")
  }

  private func show(_ beginning: Beginning) async throws {
    let (repository, fullName) = (beginning.repository, beginning.fullName)
    let notes = IssueListNotes(
      filter: beginning.filter, limit: limit, includesPullRequests: includesPullRequests)
    var writer = try ListWriter<IssueRow>(
      session, fields: fields,
      columns: IssueRow.columns(
        showsKind: includesPullRequests, showsAssignees: showsAssignees))
    var pages = beginning.rest
    var upcoming = beginning.page
    var isCut = false
    while let page = upcoming {
      isCut = page.hasMore
      try await writer.write(
        page.sent.map {
          IssueRow(sent: $0, showsKind: includesPullRequests, showsAssignees: showsAssignees)
        },
        heading: notes.heading(
          of: repository.fullName, count: page.sent.count, hasMore: page.hasMore,
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

  private func listing(of repository: RepositoryName, _ filter: IssueFilter) -> IssueListing {
    IssueListing(
      provider: connection.provider, repository: repository, filter: filter, limit: limit,
      includesPullRequests: includesPullRequests)
  }
}
