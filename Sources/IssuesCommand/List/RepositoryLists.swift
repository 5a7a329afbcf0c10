internal import IssueMirror
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Shows the rows of several lists in one order, as soon as the order allows.
///
/// A list that breaks off is told, and the others go on. The exit status is then that of the first failure; the rows
/// that are shown are right, and JSON is whole.
struct RepositoryLists: Sendable {
  /// As many failures are told one by one.
  private static let maximumTold = 5

  /// Such as `3 repositories`.
  let subject: String
  /// Its order; its state for the words.
  let filter: IssueFilter
  let form: IssueListForm
  let session: CommandSession
  /// With the names for failures.
  let lists: [(name: String, list: any MergedList<RepositoryRow>)]
  /// What single sign-on withholds.
  let withheld: WithheldResults
  /// The lists whose changes are asked for, if it goes on.
  var followed: [FollowedList] = []

  /// One more than is shown tells whether there are more.
  static func readCount(_ form: IssueListForm) -> Int? { form.limit.map { min($0, .max - 1) + 1 } }

  func show() async throws {
    let notes = IssueListNotes(
      filter: filter, limit: form.limit, includesPullRequests: form.includesPullRequests,
      goesOn: form.follow != nil)
    var writer = try form.repositoryWriter(session)
    var failures: [(list: Int, failure: CommandFailure)] = []
    var isCut = false
    session.progress.update("Loading the issues of \(subject)…")
    let merged = MergedLists(lists.map(\.list)) { [filter] in
      filter.precedes($0.issue, $1.issue)
    }
    try await merged.read { event in
      switch event {
      case .failure(let index, let error):
        let failure = CommandFailure(any: error)
        if failure.status == .cancelled { throw failure }
        failures.append((index, failure))
        return true
      case .items(let rows):
        let room = form.limit.map { $0 - writer.count } ?? .max
        let shown = Array(rows.prefix(room))
        isCut = shown.count < rows.count
        try await writer.write(
          shown,
          heading: notes.heading(of: subject, count: shown.count, hasMore: true, openCount: nil))
        session.progress.update("Loading the issues of \(subject)… \(writer.count) so far")
        return !isCut
      }
    }
    try await writer.finish()
    if failures.isEmpty || isCut {
      try await notes.explainEnd(isCut: isCut, writer, subject, session)
    }
    if form.follow == nil { session.progress.finish() }
    guard let follow = form.follow, failures.isEmpty else { return try end(failures) }
    tellWithheld()
    try await follow.run(followed, subject, &writer) { form.row($0.sent, in: $0.repository, $1) }
  }

  /// What single sign-on withholds stays withheld; the rest has changes.
  private func tellWithheld() {
    do throws(CommandFailure) {
      try withheld.check()
    } catch {
      ErrorForm.ofProcess.write(error, to: session.errors)
    }
  }

  /// In the order of the lists.
  private func end(
    _ failures: [(list: Int, failure: CommandFailure)]
  ) throws(CommandFailure) {
    let failures = failures.sorted { $0.list < $1.list }
    guard let first = failures.first?.failure else { return try withheld.check() }
    var told: Set<String> = []
    let different = failures.filter { told.insert($0.failure.message).inserted }
    // A network that is away says the same of each.
    if different.count == 1, failures.count == lists.count { throw first }
    for (list, failure) in different.prefix(Self.maximumTold) {
      session.errors.write("issues: \(lists[list].name): \(failure.message)")
    }
    throw CommandFailure(
      first.status,
      "the list is incomplete: \(failures.count) of \(lists.count) repositories failed")
  }
}

/// A repository's issues on a server.
struct ServedIssues: MergedList {
  private let place: Place
  private let connection: Connection
  private let request: FilterRequest
  private let form: IssueListForm
  private let onFound: @Sendable (RepositoryName) -> Void
  private var pages: IssueListing.Iterator?
  private var count = 0

  /// The request has no `@me` left. It asks nothing yet.
  init(
    _ place: Place, _ connection: Connection, _ request: FilterRequest, _ form: IssueListForm,
    onFound: @escaping @Sendable (RepositoryName) -> Void = { _ in }
  ) {
    self.place = place
    self.connection = connection
    self.request = request
    self.form = form
    self.onFound = onFound
  }

  mutating func next() async throws -> [RepositoryRow]? {
    var reading: IssueListing.Iterator
    if let pages {
      reading = pages
    } else {
      let filter = try await connection.explaining("\(place.name)") {
        [request, place] (provider) async throws(NetworkError) in
        try await request.resolved(by: provider, in: place.name)
      }.get()
      reading = IssueListing(
        provider: connection.provider, repository: place.name, filter: filter,
        limit: RepositoryLists.readCount(form), includesPullRequests: form.includesPullRequests
      ).makeAsyncIterator()
    }
    let page: IssueListing.Page?
    do throws(NetworkError) {
      page = try await reading.next(isolation: nil)
    } catch {
      throw connection.explanation(of: error, "\(place.name)", afterShowing: count)
    }
    if pages == nil { onFound(page?.issues.first?.repositoryOfPage ?? place.name) }
    pages = reading
    count += page?.sent.count ?? 0
    return page?.sent.map { sent in
      form.row(
        sent,
        in: place.server.typedName(of: sent.entity.repositoryOfPage ?? place.name))
    }
  }
}

/// A repository's issues in the mirror. After those of a mirror that was never completed, it throws.
struct MirroredIssues: MergedList {
  private static let pageSize = 100

  private let repository: MirroredRepository
  private let form: IssueListForm
  private var documents: IssuePages<Data>.AsyncIterator

  init(_ place: MirroredPlace, _ filter: IssueFilter, _ form: IssueListForm) {
    repository = place.repository
    self.form = form
    let list = MirrorList(
      repository: place.repository, filter: filter, limit: RepositoryLists.readCount(form),
      includesPullRequests: form.includesPullRequests)
    documents = place.mirror.documents(of: list, pageSize: Self.pageSize).makeAsyncIterator()
  }

  mutating func next() async throws -> [RepositoryRow]? {
    guard let page = try await documents.next() else {
      guard repository.isComplete else { throw repository.incompleteness }
      return nil
    }
    return try page.map { json in
      let issue = try GitHubJSON.decode(GitHub.Issue.self, from: json)
      return form.row(Sent(issue, json: json), in: repository.typedName)
    }
  }
}

/// The issues that concern the token's user, in all repositories or in an organisation's.
struct ConcerningIssues: MergedList {
  private let connection: Connection
  /// What the server doesn't know.
  private let filter: IssueFilter
  private let form: IssueListForm
  private let pageSize: Int
  private var pages: PagedListing<Sent<GitHub.LocatedIssue>>.Iterator
  private var given: Set<String> = []
  private let subject: String

  init(
    _ involvement: Involvement, in organization: Username?, _ connection: Connection,
    _ filter: IssueFilter, _ form: IssueListForm
  ) {
    self.connection = connection
    self.filter = filter
    self.form = form
    let narrowed = form.includesPullRequests ? 0 : (form.limit ?? 0) / 2
    pageSize = form.limit.map { max(30, min(100, $0 + 1 + narrowed)) } ?? 100
    let first: GitHub =
      if let organization {
        .organizationIssues(
          organization: organization.login, involvement: involvement, filter: filter,
          pageSize: pageSize)
      } else {
        .concerningIssues(involvement: involvement, filter: filter, pageSize: pageSize)
      }
    subject = organization.map { "the issues of \($0)" } ?? "your issues"
    pages = PagedListing(provider: connection.provider, first: first).makeAsyncIterator()
  }

  mutating func next() async throws -> [RepositoryRow]? {
    do throws(NetworkError) {
      // Nothing is asked early that the limit may not need.
      let wanted = form.limit.map { max(0, $0 - given.count) } ?? .max
      let page = try await pages.next(pagesAhead: wanted / pageSize)
      guard let page else { return nil }
      let fresh = page.items.filter { item in
        let issue = item.entity.issue
        return (form.includesPullRequests || !issue.isPullRequest) && filter.matches(issue)
          && given.insert(item.id).inserted
      }
      return fresh.map { item in
        form.row(
          Sent(item.entity.issue, json: item.json),
          in: connection.server.typedName(of: item.entity.repository))
      }
    } catch {
      throw connection.explanation(of: error, subject, afterShowing: given.count)
    }
  }
}
