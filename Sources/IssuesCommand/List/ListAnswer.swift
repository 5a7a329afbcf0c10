internal import IssueMirror
internal import IssueTracker
internal import StyledText

/// Answers a question: chooses the source, and shows its issues.
struct ListAnswer: Sendable {
  private static let searchAdvice = """
    GitHub's search returns no more: narrow it, for example with --label or --since, or name the \
    repositories, whose lists have no such limit.
    """

  var question: ListQuestion
  var form: IssueListForm
  let connection: ConnectionOptions
  let session: CommandSession
  /// Whether to show the list in the web browser.
  var opensPage = false

  private var apiURL: String? { connection.request.apiURL }

  private var isOffline: Bool { question.freshness.isOffline }

  func show() async throws {
    switch question.scope {
    case .one(let argument): try await show(argument.repository)
    // If a filter can express the query, the repositories' lists are used, because they are complete. Otherwise a
    // search is used.
    case .several(let sources) where question.search == nil && !opensPage:
      try await show(sources)
    case .several(let sources):
      let hosts = Set(
        try sources.compactMap { source -> GitHubServer? in
          guard case .repository(let reference) = source else { return nil }
          return try Place(reference, apiURL: apiURL, environment: session.environment).server
        })
      guard hosts.count < 2 else {
        throw CommandFailure(
          .usage, "search one server at a time: these repositories are on several")
      }
      try await find(in: ListScope.query(of: sources), on: hosts.first)
    case .user(let user):
      let server = try session.server(apiURL: apiURL)
      guard isOffline, question.search == nil else {
        return try await find(in: "user:\(user)", on: server)
      }
      try Self.refuseFollowing(in: form)
      try await show(
        try await session.mirroredPlaces(of: user, on: server)
          .map { .repository(try RepositoryReference(parsing: "\($0)")) })
    }
  }

  /// Throws if the list must be followed, because a search can't be.
  static func refuseFollowing(in form: IssueListForm) throws(CommandFailure) {
    guard form.follow != nil else { return }
    throw CommandFailure(
      .usage,
      """
      a search can't be followed
      Options such as --label and --assignee make a list that --follow can follow.
      """)
  }

  /// Searches for issues that no list contains. Reports the end of the search at 1,000 results.
  private func find(in place: String, on server: GitHubServer?) async throws {
    try Self.refuseFollowing(in: form)
    guard !isOffline else {
      throw CommandFailure(.usage, "with --offline, 'issues search' searches several repositories")
    }
    try question.filter.refuseCopilot()
    let text = question.filter.search(
      for: question.search ?? "", includesPullRequests: question.includesPullRequests)
    try await find(
      "\(place) \(text)", on: try server ?? session.server(apiURL: apiURL))
  }

  func find(_ query: String, on server: GitHubServer) async throws {
    if opensPage {
      let page: URLPath = "\(raw: server.webURL)/search?q=\(query)&type=issues"
      return try await session.openPage(page.encoded, of: server)
    }
    let withheld = WithheldResults()
    let connection = try await connection.connection(
      to: server, session, plugins: [withheld.plugin])
    var form = form
    form.naming = .always
    try await FoundIssues(query, connection, form, advice: Self.searchAdvice)
      .show(in: form, session)
    if let failure = withheld.failure { throw failure }
  }

  // MARK: One repository

  private func show(_ choice: RepositoryChoice) async throws {
    if question.search != nil { try Self.refuseFollowing(in: form) }
    let place = try await session.place(of: choice, apiURL: apiURL)
    if opensPage {
      let reference = try await choice.reference(environment: session.environment)
      let page = reference.issueNumber.map { place.server.webURL(of: place.name, issueNumber: $0) }
      return try await session.openPage(page ?? question.page(of: place), of: place.server)
    }
    var answer = self
    if let parent = question.parent, question.freshness != Freshness() || question.search != nil {
      answer.question.search = [question.search, "parent-issue:\(place.name)#\(parent)"]
        .compactMap(\.self).joined(separator: " ")
    }
    let pending =
      connection.request.stub || form.follow != nil
      ? nil : PendingLookup(of: place, fields: form.fields, session)
    if let mirrored = try await question.freshness.mirror(of: place, connection, session) {
      if !isOffline, question.filter.namesOwner {
        // Only the server can resolve the login.
        let connection = try await connection.connection(to: place.server, session)
        answer.question.filter = try await connection.naming(question.filter)
      }
      return try await answer.show(mirrored, pending)
    }
    let github = try await connection.connection(to: place.server, session, for: form.follow)
    if let search = answer.question.search {
      return try await answer.find(search, in: place.name, github, pending)
    }
    if let parent = question.parent {
      answer.form.pending = await pending?.changes()
      return try await answer.children(of: parent, in: place, github)
        .show(in: answer.form, session)
    }
    try await answer.show(place, github, pending)
  }

  /// Shows the server's list, or the mirror if the network is unreachable.
  private func show(
    _ place: Place, _ github: Connection, _ pending: PendingLookup?
  ) async throws {
    var list = ServedIssues(place, github, session, question.filter, form)
    if !connection.request.stub {
      list.history = RepositoryHistory(environment: session.environment)
    }
    do throws(CommandFailure) {
      try await list.begin()
    } catch {
      guard form.follow == nil, let absence = NetworkAbsence(error, of: place, session) else {
        throw error
      }
      let mirrored = try await absence.mirrored()
      absence.announce(mirrored)
      return try await show(mirrored, pending)
    }
    list.form.pending = await pending?.changes()
    try await list.show(in: list.form, session)
  }

  private func show(_ mirrored: MirroredPlace, _ pending: PendingLookup?) async throws {
    var form = form
    form.pending = await pending?.changes()
    guard let search = question.search else {
      let filter = try await question.filter.resolved(in: mirrored)
      return try await MirroredIssues(mirrored, filter, form).show(in: form, session)
    }
    let text = try await question.filter.recognizingLabels(in: mirrored)
      .namingCopilot(in: mirrored).search(
        for: search, includesPullRequests: form.includesPullRequests,
        milestone: try await question.filter.milestone(in: mirrored)?.title)
    form.includesPullRequests = !QueryWord.findsIssuesOnly(text)
    let name = mirrored.repository.fullName
    try await MirroredMatches(
      try SearchQuery(parsing: text), in: [mirrored.repository], mirrored.mirror,
      limit: form.limit, needsWhole: true
    ) { [form] in form.row($0.issue, json: $0.json, in: name) }
    .show(in: form, session)
  }

  /// Searches on the server. The results have the rows of a list.
  private func find(
    _ search: String, in name: RepositoryName, _ github: Connection, _ pending: PendingLookup?
  ) async throws {
    let (filter, milestone) = try await github.explaining("\(name)") {
      [filter = question.filter] (provider) async throws(NetworkError) in
      (
        try await filter.recognizingLabels(by: provider, in: name).get()
          .namingCopilot(of: "\(name)") { () async throws(NetworkError) in
            try await Copilot.assignable(in: name, by: provider)
          },
        try await filter.milestone(by: provider, in: name)
      )
    }
    let text = try filter.get().search(
      for: search, includesPullRequests: form.includesPullRequests,
      milestone: try milestone.get()?.title)
    var form = form
    form.pending = await pending?.changes()
    form.includesPullRequests = !QueryWord.findsIssuesOnly(text)
    try await FoundIssues(
      "repo:\(name) \(text)", in: name, text: text, github, form,
      advice: """
        GitHub's search returns no more. Narrow it, or mirror the repository with 'issues sync' and use --offline.
        """
    ).show(in: form, session)
  }

  /// The sub-issues of an issue that match the filter, in the server's order unless an order is requested.
  private func children(
    of parent: Int, in place: Place, _ github: Connection
  ) -> WholeList<IssueRow> {
    let subject = "\(place)#\(parent)"
    let kind = question.filter.state == .all ? "" : "\((question.filter.state ?? .open).rawValue) "
    return WholeList(
      subject, status: "Loading the sub-issues of \(subject)",
      nothing: "No sub-issue of \(subject) matches.", limit: form.limit,
      title: { shown, _ in
        "Showing \(shown) \(kind)\(shown == 1 ? "sub-issue" : "sub-issues") of \(subject)"
      },
      load: { [request = question.filter, form] in
        let filter = try await github.explaining("\(place)") { provider throws(NetworkError) in
          try await request.resolved(by: provider, in: place.name)
        }.get()
        let children = try await github.explaining(subject) { provider throws(NetworkError) in
          var children: [Sent<GitHub.Issue>] = []
          let pages = PagedListing<Sent<GitHub.Issue>>(
            provider: provider,
            first: .subIssues(
              repositoryFullName: "\(place.name)", number: parent, pageSize: 100))
          for try await page in pages { children += page.items }
          return children
        }
        var wanted = children.filter { filter.matches($0.entity) }
        if request.hasOrder { wanted.sort { filter.precedes($0.entity, $1.entity) } }
        return wanted.map { form.row($0, in: "\(place.name)") }
      })
  }
}

extension QueryWord {
  /// Whether a search finds only issues. If not, the results show their kind.
  fileprivate static func findsIssuesOnly(_ text: String) -> Bool {
    search(text) { ["is", "type"].contains($0.name) && $0.value == "issue" }
  }
}

extension Connection {
  /// Replaces `@me` with the login of the token's owner.
  func naming(_ request: FilterRequest) async throws(CommandFailure) -> FilterRequest {
    try await explaining("@me") { (provider) async throws(NetworkError) in
      try await request.named(by: provider).get()
    }
  }
}
