internal import ConcurrencyPrimitives
internal import IssueTracker
internal import StyledText

/// A repository's issues on its server, page by page as they arrive.
struct ServedIssues: ListSource {
  /// Filters the issues of a page.
  struct Sieve: Sendable {
    let status: String
    let heading: String
    let nothing: String
    let keep: @Sendable ([Sent<GitHub.Issue>]) async throws(NetworkError) -> [Sent<GitHub.Issue>]
    /// A note for the end of the list.
    let note: @Sendable () async -> String?
  }

  private struct Beginning: Sendable {
    let filter: IssueFilter
    var page: IssueListing.Page?
    var pages: IssueListing.Iterator
  }

  /// The repository, with the name as typed.
  let place: Place
  let connection: Connection
  let session: CommandSession
  let request: FilterRequest
  var form: IssueListForm
  /// Whether this list is part of another one, whose rows include their repositories.
  var isPart = false
  var sieve: Sieve?
  /// The history that records the repository once it was found.
  var history: RepositoryHistory?

  private(set) var heading = ""
  private(set) var end = ListEnd()
  private(set) var followed: [FollowedList] = []
  /// The repository's current name on the server.
  private var name: RepositoryName
  private var openCount: Int?
  private var beginning: Beginning?
  private var hasNewRows = true
  private var count = 0

  /// Creates a list without sending a request. In the request for a part, `@me` is already resolved.
  init(
    _ place: Place, _ connection: Connection, _ session: CommandSession, _ request: FilterRequest,
    _ form: IssueListForm
  ) {
    self.place = place
    self.connection = connection
    self.session = session
    self.request = request
    self.form = form
    name = place.name
  }

  private var limit: Int? { isPart ? form.readCount : form.limit }

  private var notes: IssueListNotes {
    IssueListNotes(
      filter: beginning?.filter ?? IssueFilter(), limit: form.limit,
      includesPullRequests: form.includesPullRequests)
  }

  var subject: String { subject(name) }

  var status: String { sieve?.status ?? "Loading the issues of \(name)" }

  var nothing: String { sieve?.nothing ?? notes.nothing(in: "\(name)") }

  /// Resolves the filter and requests the first page. Concurrently looks up the repository.
  mutating func begin() async throws(CommandFailure) {
    guard beginning == nil else { return }
    let found = Locked<RepositoryName?>(nil)
    let first: Result<Beginning, CommandFailure>
    do throws(NetworkError) {
      if isPart || sieve != nil {
        first = try await self.first(of: place.name).list
      } else {
        session.progress.update("Looking up \(place.name)…")
        let (repository, list) = try await connection.provider.repository(
          place.name,
          onFound: { [self] _, fullName in
            found.withLock { $0 = fullName }
            noteFound(fullName)
          },
          with: { [self] name async throws(NetworkError) in try await self.first(of: name) })
        openCount = repository.openIssuesCount
        first = list
      }
    } catch {
      throw connection.explanation(of: error, subject(found.withLock { $0 } ?? name))
    }
    let began = try first.get()
    if isPart {
      name = began.page?.issues.first?.repositoryOfPage ?? name
      noteFound(name)
    } else {
      name = found.withLock { $0 } ?? name
    }
    beginning = began
    if let follow = form.follow {
      followed = [
        FollowedList(
          isPart ? "\(place)" : "\(name)", connection, follow.notice(of: connection.server),
          began.filter, includesPullRequests: form.includesPullRequests
        ) { [name] in .issues(repositoryFullName: "\(name)", filter: $0, pageSize: $1) }
      ]
    }
  }

  private func subject(_ name: RepositoryName) -> String {
    sieve == nil ? "\(name)" : "\(place)"
  }

  private func first(
    of name: RepositoryName
  ) async throws(NetworkError) -> (list: Result<Beginning, CommandFailure>, source: AnswerSource?) {
    switch try await request.resolved(by: connection.provider, in: name) {
    case .success(let filter):
      noteUnsent(filter)
      var pages = IssueListing(
        provider: connection.provider, repository: name, filter: filter,
        limit: sieve == nil ? limit : nil, includesPullRequests: form.includesPullRequests
      ).makeAsyncIterator()
      let page = try await pages.next(isolation: nil)
      return (.success(Beginning(filter: filter, page: page, pages: pages)), pages.source)
    case .failure(let failure):
      return (.failure(failure), nil)
    }
  }

  private func noteUnsent(_ filter: IssueFilter) {
    let forge = connection.provider.forge
    var rest = filter.unsent(to: forge)
    rest.state = .open
    guard forge != .gitHub, rest != IssueFilter() else { return }
    session.errors.write(
      "\(forge.name) can't filter by \(QueryWord.withoutState(rest.query)): its pages are read, and filtered here.",
      style: .faint)
  }

  private func noteFound(_ fullName: RepositoryName) {
    if let history {
      let entry = RepositoryHistory.Entry(server: connection.server, name: fullName)
      // This runs while the list is decoded.
      let recording = Task { await history.record(entry) }
      session.end.add { _ = await recording.value }
    }
    if !isPart { session.progress.update("Loading the issues of \(fullName)…") }
  }

  mutating func next() async throws -> [IssueRow]? {
    try await begin()
    do throws(NetworkError) {
      let page = try await nextPage()
      let newRows = hasNewRows ? form.newRows(notes.filter, in: "\(name)") : []
      hasNewRows = false
      guard let page else {
        end.notes = await sieve?.note().map { [$0] } ?? []
        heading = notes.pendingHeading(of: "\(name)")
        return newRows.isEmpty ? nil : newRows
      }
      let sent = try await sieve?.keep(page.sent) ?? page.sent
      let shown = sent.prefix(limit.map { $0 - count } ?? .max)
      count += shown.count
      end.limit = page.hasMore || shown.count < sent.count ? form.limit : nil
      heading =
        sieve?.heading
        ?? notes.heading(
          of: "\(name)", count: shown.count, hasMore: page.hasMore, openCount: openCount)
      return newRows + shown.map(row)
    } catch {
      throw connection.explanation(of: error, subject(name), afterShowing: count)
    }
  }

  private mutating func nextPage() async throws(NetworkError) -> IssueListing.Page? {
    if let first = beginning?.page {
      beginning?.page = nil
      return first
    }
    guard sieve == nil || count < form.limit ?? .max, var pages = beginning?.pages else {
      return nil
    }
    defer { beginning?.pages = pages }
    return try await pages.next(isolation: nil)
  }

  private func row(_ sent: Sent<GitHub.Issue>) -> IssueRow {
    guard isPart else { return form.row(sent, in: "\(name)") }
    return form.row(
      sent, in: place.server.typedName(of: sent.entity.repositoryOfPage ?? place.name))
  }
}

/// The heading of a list of issues, and the message for an empty one.
struct IssueListNotes: Sendable {
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool

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

  /// The heading. It includes only reliable numbers: the number of rows if there is only one page, and the total
  /// (`openCount`) if the repository counts the same issues.
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

  func nothing(in place: String) -> String { "There are no \(kind) in \(place) that match." }
}
