internal import IssueMirror
internal import IssueTracker
internal import StyledText

/// Finds all issues of a bulk change. Throws if it can't.
struct BulkSearch: Sendable {
  let options: BulkOptions
  let place: Place
  let write: WriteOptions
  let writing: WriteSession

  private var session: CommandSession { writing.session }

  /// The search, limited to issues unless the user specified otherwise.
  private var text: String {
    let query = options.query ?? ""
    guard !QueryWord.tellsKind(query) else { return query }
    return QueryWord.hasAlternatives(query) ? "(\(query)) is:issue" : "\(query) is:issue"
  }

  /// - Throws: ``CommandFailure``, even if only some issues can't be found, unless a limit allows fewer.
  func issues() async throws -> [GitHub.Issue] {
    if let mirrored = try await mirrored() { return try await issues(in: mirrored) }
    let connection = try await writing.connection(to: place.server)
    session.progress.update("Searching \(place.name)…")
    // A list is complete and current. A search ends at 1,000 results and lags behind.
    if let filter = try? IssueFilter(query: stateful), !QueryWord.tellsOrder(text) {
      return try await issues(listedBy: filter, connection)
    }
    return try await issues(foundBy: connection)
  }

  /// The search as the filter of a list. Without a state, it means both states.
  private var stateful: String {
    let query = options.query ?? ""
    return QueryWord.tellsState(query) ? query : "is:all \(query)"
  }

  private func refuseBothStates() throws(CommandFailure) {
    guard QueryWord.tellsBothStates(text) else { return }
    throw CommandFailure(
      .usage, "a search without a state finds open and closed issues: leave out 'is:all'")
  }

  // MARK: In the mirror

  private func mirrored() async throws -> MirroredPlace? {
    if options.offline {
      let mirrored = try await session.mirrored(place)
      guard mirrored.repository.isComplete else { throw mirrored.repository.incompleteness }
      session.tellAge(of: mirrored, verbosity: write.connection.request.verbose)
      return mirrored
    }
    guard let maximumAge = options.age.maximumAge else { return nil }
    let fresh = FreshMirror(
      maximumAge: maximumAge, session, request: write.connection.request,
      wait: write.connection.wait.wait, standsIn: false)
    if let mirrored = try await fresh.mirrored(place, withComments: false) { return mirrored }
    session.tellUnmirrored(place)
    return nil
  }

  private func issues(in mirrored: MirroredPlace) async throws -> [GitHub.Issue] {
    try refuseBothStates()
    let query = try SearchQuery(parsing: text)
    let found = try await mirrored.mirror.find(
      query, in: [mirrored.repository], limit: options.limit ?? .max)
    return try await mirrored.mirror.results(0..<found.resultsCount, of: found).map(\.issue)
  }

  // MARK: On the server

  private func issues(
    listedBy filter: IssueFilter, _ connection: Connection
  ) async throws(CommandFailure) -> [GitHub.Issue] {
    let listed = try await connection.explaining("\(place.name)") {
      (provider) async throws(NetworkError) -> [GitHub.Issue]? in
      guard let filter = try await provider.numberingMilestone(of: filter, in: place.name) else {
        return nil
      }
      var issues: [GitHub.Issue] = []
      let listing = IssueListing(
        provider: provider, repository: place.name, filter: filter, limit: options.limit,
        includesPullRequests: false)
      var pages = listing.makeAsyncIterator()
      while let page = try await pages.next(isolation: nil) {
        issues += page.sent.map(\.entity)
        session.progress.update("Searching \(place.name)… \(issues.count) so far")
      }
      return issues
    }
    guard let listed else {
      throw CommandFailure(
        .notFound, "\(place.name) has no milestone “\(filter.milestone?.description ?? "")”")
    }
    return listed
  }

  private func issues(foundBy connection: Connection) async throws(CommandFailure) -> [GitHub.Issue]
  {
    try refuseBothStates()
    let query = RemoteQuery([text]).text(in: [place.name])
    let cap = SearchResults<GitHub.Issue>.maximumCount
    let (issues, total, isIncomplete) = try await connection.explaining("the search for \(text)") {
      (provider) async throws(NetworkError) -> ([GitHub.Issue], Int, Bool) in
      var (issues, total, isIncomplete): ([GitHub.Issue], Int, Bool) = ([], 0, false)
      var seen: Set<Int64> = []
      var pages = PagedListing<GitHub.Issue>(
        provider: provider, first: .searchIssues(query: query, pageSize: 100),
        format: .searchResults, maximumPages: cap
      ).makeAsyncIterator()
      while issues.count < min(options.limit ?? .max, cap),
        let page = try await pages.next(pagesAhead: 0)
      {
        issues += page.items.filter { seen.insert($0.id).inserted }
        total = max(total, page.totalCount ?? 0)
        isIncomplete = isIncomplete || page.isIncomplete
        session.progress.update("Searching \(place.name)… \(issues.count) of \(total)")
      }
      return (issues, total, isIncomplete)
    }
    // In this repository, the numbers of another repository's issues would refer to the wrong issues.
    let pages = issues.compactMap(\.htmlURL).compactMap { try? IssueReference(parsing: $0) }
    guard Set(pages.map { $0.repository?.name }).count < 2 else {
      throw CommandFailure(
        .badAnswer, "nothing was changed: the search finds issues of other repositories, too")
    }
    if let limit = options.limit, limit <= issues.count { return Array(issues.prefix(limit)) }
    guard !isIncomplete, issues.count >= total else {
      let count = isIncomplete ? "some of" : "\(issues.count.grouped) of"
      throw CommandFailure(
        .failed,
        """
        nothing was changed: the search finds \(total.grouped), and GitHub returns only \(count) them
        Narrow it, take the first with --limit \(min(cap, max(1, issues.count))), or mirror the repository with \
        '\(place.syncCommand)' and use --offline.
        """)
    }
    return issues
  }
}
