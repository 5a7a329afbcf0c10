internal import ArgumentParser
internal import IssueTracker

/// What a list is asked for.
struct ListRequest: Hashable, Sendable {
  /// The repository as an argument names it; nil where none does.
  var repository: String?
  /// The value of --repo.
  var repo: String?
  /// Which issues, and in which order.
  var filter = IssueFilter()
  /// Whether pull requests are listed too.
  var includesPullRequests = false
  /// Whether a column tells who is assigned.
  var showsAssignees = false
  /// The most items to show; nil for all.
  var limit: Int? = LimitOptions.standard
  /// The fields of each item as JSON; nil for no JSON.
  var fields: [Issue.Field]?
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
    let place = try PlaceArgument(repository, repo: repo)
    if let number = place.issueNumber, repository?.contains("://") == false {
      let issue = IssueReference(repository: place.repository.named, number: number)
      throw CommandFailure(
        .usage, "\(issue) is an issue, not a repository: 'issues view' shows it")
    }
    let reference = try await place.repository.reference(environment: session.environment)
    let server = try connection.server(host: reference.host, environment: session.environment)
    if opensBrowser {
      let page = WebPage(server: server, reference: reference, filter: filter)
      try await session.openPage(page.url, of: server)
      return
    }
    let mirrored = MirroredIssueList(
      session: session, filter: filter, limit: limit,
      includesPullRequests: includesPullRequests, showsAssignees: showsAssignees, fields: fields)
    let verbosity = connection.request.verbosity
    if isOffline {
      let place = try await session.mirrored(reference.name, on: server)
      session.tellAge(of: place, verbosity: verbosity, maximumAge: maximumAge)
      return try await mirrored.show(place)
    }
    if let maximumAge {
      let fresh = FreshMirror(maximumAge: maximumAge, connection: connection, session: session)
      if let place = try await fresh.place(of: reference.name, on: server, withComments: false) {
        session.tellTime(of: [place.repository], withComments: false, verbosity: verbosity)
        return try await mirrored.show(place)
      }
      session.tellUnmirrored(reference.name, on: server)
    }
    let list = IssueList(
      name: reference.name, connection: try await connection.connection(to: server, session),
      session: session,
      filter: filter, limit: limit, includesPullRequests: includesPullRequests,
      showsAssignees: showsAssignees,
      fields: fields,
      history: connection.request.stub
        ? nil : RepositoryHistory(environment: session.environment))
    try await list.show()
  }
}
