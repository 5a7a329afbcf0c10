internal import ConcurrencyPrimitives
internal import IssueTracker
internal import StyledText

/// Shows a repository's issues page by page as they arrive, or its mirror where the network is away.
struct IssueList: Sendable {
  private struct Beginning: Sendable {
    let repository: GitHub.Repository
    /// Its current name on the server.
    let fullName: RepositoryName
    let filter: IssueFilter
    /// nil where the list is empty.
    let page: IssueListing.Page?
    let rest: IssueListing.Iterator
  }

  private typealias FirstPage = (
    filter: IssueFilter, page: IssueListing.Page?, rest: IssueListing.Iterator
  )

  /// Under the name that was typed.
  let place: Place
  let connection: Connection
  let session: CommandSession
  let request: FilterRequest
  let form: IssueListForm
  let pending: PendingLookup?
  /// Remembers the repository once it was found.
  let history: RepositoryHistory?

  private var name: RepositoryName { place.name }

  func show() async throws {
    let beginning: Beginning
    do throws(CommandFailure) {
      beginning = try await begin()
    } catch {
      guard form.follow == nil, let absence = NetworkAbsence(error, of: place, session) else {
        throw error
      }
      let mirrored = try await absence.mirrored()
      absence.announce(mirrored)
      let list = MirroredIssueList(
        session: session, filter: try await request.resolved(in: mirrored),
        form: await form.showing(pending))
      return try await list.show(mirrored)
    }
    try await show(beginning, await form.showing(pending))
  }

  /// Looks the repository up, and meanwhile resolves the filter and asks for the first page.
  private func begin() async throws(CommandFailure) -> Beginning {
    session.progress.update("Looking up \(name)…")
    let found = Locked<RepositoryName?>(nil)
    let (repository, list): (GitHub.Repository, Result<FirstPage, CommandFailure>)
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
      // While the list is decoded.
      let recording = Task { await history.record(entry) }
      session.end.add { _ = await recording.value }
    }
    session.progress.update("Loading the issues of \(fullName)…")
  }

  private func show(_ beginning: Beginning, _ form: IssueListForm) async throws {
    let (repository, fullName) = (beginning.repository, beginning.fullName)
    let notes = IssueListNotes(
      filter: beginning.filter, limit: form.limit,
      includesPullRequests: form.includesPullRequests, goesOn: form.follow != nil)
    var writer = try form.writer(session)
    var pages = beginning.rest
    var upcoming = beginning.page
    var isCut = false
    var newRows = form.newRows(beginning.filter)
    while let page = upcoming {
      isCut = page.hasMore
      try await writer.write(
        newRows + page.sent.map(form.row),
        heading: notes.heading(
          of: repository.fullName, count: page.sent.count, hasMore: page.hasMore,
          openCount: repository.openIssuesCount))
      newRows = []
      session.progress.update("Loading the issues of \(fullName)… \(writer.count) so far")
      do {
        upcoming = try await next(of: &pages, fullName, afterShowing: writer.count)
      } catch {
        try await writer.writeGroups()
        throw error
      }
    }
    try await writer.write(newRows, heading: notes.pendingHeading(of: repository.fullName))
    try await writer.finish()
    try await notes.explainEnd(isCut: isCut, writer, "\(fullName)", session)
    guard let follow = form.follow else { return }
    let list = FollowedList(
      fullName, connection, follow.notice(of: connection.server), beginning.filter)
    try await follow.run([list], "\(fullName)", &writer) { form.row($0.sent, $1) }
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
      provider: connection.provider, repository: repository, filter: filter,
      limit: form.limit, includesPullRequests: form.includesPullRequests)
  }
}

/// The heading of a list, and the note at its end.
struct IssueListNotes: Sendable {
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool
  /// Whether the status line is still needed.
  var goesOn = false

  private var kind: String { kind(isOne: false) }

  private func kind(isOne: Bool) -> String {
    let kind =
      switch (isOne, includesPullRequests) {
      case (true, true): "issue or pull request"
      case (true, false): "issue"
      case (false, true): "issues and pull requests"
      case (false, false): "issues"
      }
    return filter.state == .all ? kind : "\(filter.state.rawValue) \(kind)"
  }

  /// Gives only certain numbers: the first page's if it is all, and the total (`openCount`) if the repository counts the
  /// same things.
  func heading(
    of fullName: String, count: Int, hasMore: Bool, openCount: Int?
  ) -> String {
    let isAll = !hasMore || count == limit
    guard isAll else { return "Showing \(kind) in \(fullName)" }
    var text = "\(count)"
    if hasMore, let openCount, includesPullRequests,
      filter == IssueFilter(sort: filter.sort, direction: filter.direction)
    {
      // GitHub's count of open issues includes the pull requests.
      text += " of \(openCount)"
    }
    let noun = text == "1" ? kind(isOne: true) : kind
    return "Showing \(text) \(noun) in \(fullName)"
  }

  func pendingHeading(of fullName: String) -> String {
    "Showing changes that aren't sent to \(fullName) yet"
  }

  func explainEnd<Row>(
    isCut: Bool, _ writer: ListWriter<Row>, _ fullName: String, _ session: CommandSession
  ) async throws {
    if !goesOn { session.progress.finish() }
    if writer.count == 0, !isCut {
      if writer.isTable {
        try await writer.tell("There are no \(kind) in \(fullName) that match.")
      }
    } else if isCut {
      try await writer.tellLimit(
        "Stopped at the limit of \(limit ?? writer.count): for more use --limit or --all.")
    }
  }
}
