internal import IssueTracker
internal import Locking
internal import StyledText

/// Looks a repository up and shows its issues, page by page as they come.
struct IssueList: Sendable {
  let name: RepositoryName
  let connection: Connection
  let session: CommandSession
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool
  let fields: [Issue.Field]?
  /// Where the repository is noted when it was found; nil for nowhere.
  let history: RepositoryHistory?

  func show() async throws {
    session.progress.update("Looking up \(name)…")
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
    var writer = ListWriter<Issue>(session, fields: fields)
    let known = early.withLock { early in
      defer { early = nil }
      return early
    }
    var pages =
      known.flatMap { $0.name == fullName ? $0.pages : nil }
      ?? listing(of: fullName).makeAsyncIterator()
    var isCut = false
    while true {
      let page: IssueListing.Page?
      do throws(NetworkError) {
        page = try await pages.next(isolation: nil)
      } catch {
        throw connection.explanation(of: error, "\(fullName)", afterShowing: writer.count)
      }
      guard let page else { break }
      isCut = page.hasMore
      try await writer.write(page.issues, heading: heading(page, repository))
      session.progress.update("Loading the issues of \(fullName)… \(writer.count) so far")
    }
    try await writer.finish()
    explainEnd(isCut: isCut, writer, fullName)
  }

  private func listing(of repository: RepositoryName) -> IssueListing {
    IssueListing(
      provider: connection.provider, repository: repository, filter: filter, limit: limit,
      includesPullRequests: includesPullRequests)
  }

  private var kind: String {
    let kind = includesPullRequests ? "issues and pull requests" : "issues"
    return filter.state == .all ? kind : "\(filter.state.rawValue) \(kind)"
  }

  /// The line above the table. It counts what is certain: the issues, when the first page is all that
  /// will be shown, and the whole, when the repository's own count is of the same things.
  private func heading(_ first: IssueListing.Page, _ repository: Repository) -> String {
    let isAll = !first.hasMore || first.issues.count == limit
    guard isAll else { return "Showing \(kind) in \(repository.fullName)" }
    var count = "\(first.issues.count)"
    if first.hasMore, let total = repository.openIssuesCount, includesPullRequests,
      filter == IssueFilter(sort: filter.sort, direction: filter.direction)
    {
      // GitHub's count of open issues includes the pull requests.
      count += " of \(total)"
    }
    let noun =
      first.issues.count == 1 && !first.hasMore && !includesPullRequests
      ? String(kind.dropLast()) : kind
    return "Showing \(count) \(noun) in \(repository.fullName)"
  }

  private func explainEnd(isCut: Bool, _ writer: ListWriter<Issue>, _ fullName: RepositoryName) {
    session.progress.finish()
    if writer.count == 0, !isCut {
      if writer.isTable { session.errors.write("There are no \(kind) in \(fullName) that match.") }
    } else if isCut {
      session.errors.write(
        "Stopped at the limit of \(writer.count): for more use --limit or --all.")
    }
  }
}
