internal import ArgumentParser
internal import IssueMirror
internal import StyledText

/// What a list is asked for.
struct ListRequest: Hashable, Sendable {
  /// The repository as an argument names it; nil where none does.
  var repository: String?
  /// The value of --repo.
  var repo: String?
  /// Which issues, and in which order.
  var filter = FilterRequest()
  /// What is searched for, in the words of GitHub's search; nil for nothing.
  var search: String?
  /// Whether pull requests are listed too.
  var includesPullRequests = false
  /// Whether a column tells who is assigned.
  var showsAssignees = false
  /// The most items to show; nil for all.
  var limit: Int? = LimitOptions.standard
  /// The fields of each item as JSON; nil for no JSON.
  var fields: JSONFields?
  /// When to use colours.
  var color = ColorChoice.automatic
  /// Whether the list is opened in the web browser instead.
  var opensBrowser = false
  /// Whether the mirror is shown, and nobody asked.
  var isOffline = false
  /// How old an answer of the mirror may be; nil to ask the server.
  var maximumAge: Duration?
  /// Which server to ask, and how.
  var connection = ConnectionSettings()

  /// Shows the list.
  ///
  /// - Throws: `ExitCode`, when what went wrong has been told.
  func run() async throws {
    let status = await CommandSession.run(color: color) { session in
      try await show(session)
    }
    throw ExitCode(status.rawValue)
  }

  private func show(_ session: CommandSession) async throws {
    try fields?.prepare()
    if let repository, let address = try ListAddress(parsing: repository) {
      return try await with(address, session).show(address.repository, session)
    }
    let place = try PlaceArgument(repository, repo: repo)
    if let number = place.issueNumber, repository?.contains("://") == false {
      let issue = IssueReference(repository: place.repository.named, number: number)
      throw CommandFailure(
        .usage, "\(issue) is an issue, not a repository: 'issues view' shows it")
    }
    let reference = try await place.repository.reference(environment: session.environment)
    try await show(reference, session)
  }

  private func show(_ reference: RepositoryReference, _ session: CommandSession) async throws {
    let server = try connection.server(host: reference.host, environment: session.environment)
    if opensBrowser {
      let page = try WebPage(
        server: server, reference: reference, filter: filter, search: search,
        includesPullRequests: includesPullRequests)
      return try await session.openPage(page.url, of: server)
    }
    let verbosity = connection.request.verbosity
    if isOffline {
      let place = try await session.mirrored(reference.name, on: server)
      session.tellAge(of: place, verbosity: verbosity, maximumAge: maximumAge)
      return try await showMirrored(place, session)
    }
    if let maximumAge {
      let fresh = FreshMirror(maximumAge: maximumAge, connection: connection, session: session)
      if let place = try await fresh.place(of: reference.name, on: server, withComments: false) {
        session.tellTime(of: [place.repository], withComments: false, verbosity: verbosity)
        var named = self
        if filter.namesOwner {
          // Who that is, only the server knows.
          named.filter = try await connection.connection(to: server, session).explaining("@me") {
            (provider) async throws(NetworkError) in try await filter.named(by: provider).get()
          }
        }
        return try await named.showMirrored(place, session)
      }
      session.tellUnmirrored(reference.name, on: server)
    }
    let connection = try await connection.connection(to: server, session)
    if let search {
      let name = reference.name
      let milestone = try await connection.explaining("\(name)") {
        (provider) async throws(NetworkError) in
        try await filter.milestone(by: provider, in: name)
      }
      let list = SearchedIssueList(
        text: filter.search(
          for: search, includesPullRequests: includesPullRequests,
          milestone: try milestone.get()?.title),
        session: session, limit: limit, showsAssignees: showsAssignees, fields: fields)
      return try await list.show(name, connection)
    }
    let list = IssueList(
      name: reference.name, connection: connection, session: session,
      request: filter, limit: limit, includesPullRequests: includesPullRequests,
      showsAssignees: showsAssignees, fields: fields,
      history: self.connection.request.stub
        ? nil : RepositoryHistory(environment: session.environment))
    try await list.show()
  }

  private func showMirrored(_ place: MirroredPlace, _ session: CommandSession) async throws {
    if let search {
      let title = try await filter.milestone(in: place)?.title
      let list = SearchedIssueList(
        text: filter.search(
          for: search, includesPullRequests: includesPullRequests, milestone: title),
        session: session, limit: limit, showsAssignees: showsAssignees, fields: fields)
      return try await list.show(place)
    }
    let list = MirroredIssueList(
      session: session, filter: try await filter.resolved(in: place), limit: limit,
      includesPullRequests: includesPullRequests, showsAssignees: showsAssignees, fields: fields)
    try await list.show(place)
  }

  /// The list whose page somebody has the address of, with what the options say over it.
  ///
  /// What a list can say is listed: a search knows the first 1,000 only.
  private func with(
    _ address: ListAddress, _ session: CommandSession
  ) throws -> ListRequest {
    var request = self
    _ = try RepositoryChoice(address.repository, option: repo)
    if !address.leftOut.isEmpty {
      let parameters = address.leftOut.joined(separator: "&").prefix(200)
      session.errors.write(
        "Not understood in the address, and left out: \(TerminalText(String(parameters)))")
    }
    if let number = address.milestone, filter.milestone == nil {
      request.filter.milestone = .number(number)
    }
    if search == nil, let page = IssueFilter(ofPage: address.query) {
      request.filter = request.filter.over(page)
      return request
    }
    request.search = [address.query, search ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    // Where no state is said the page shows all, and the newest first.
    request.filter.state = filter.state ?? .all
    if filter.sort == nil, filter.order == nil, let search = request.search,
      !QueryWord.tellsOrder(search)
    {
      request.filter.sort = .created
    }
    return request
  }
}

extension IssueFilter {
  /// Reads what the address of a page says, if a list can be asked for it.
  fileprivate init?(ofPage query: String) {
    let words = QueryWord.tellsState(query) ? query : "is:all \(query)"
    guard let filter = try? IssueFilter(query: words) else { return nil }
    // On a page that is a title.
    switch filter.milestone {
    case .number, .title: return nil
    case .any, .absent, nil: self = filter
    }
  }
}
