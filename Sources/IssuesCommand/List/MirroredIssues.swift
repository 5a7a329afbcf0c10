internal import IssueBrowser
internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A repository's issues in the mirror. If the first sync was never completed, it throws after the issues, so that an
/// incomplete list never looks complete.
struct MirroredIssues: ListSource {
  private enum Pages: Sendable {
    case rows(IssuePages<GitHub.Issue>.AsyncIterator)
    /// Whole issues. They are needed for programs, and for groups and columns that use other data than rows have.
    case documents(IssuePages<Data>.AsyncIterator)
  }

  /// The page size, which is the same as the server's.
  private static let pageSize = 100

  private let place: MirroredPlace
  private let filter: IssueFilter
  private let form: IssueListForm
  private let isPart: Bool
  private var pages: Pages
  private var page: ArraySlice<IssueRow> = []
  private var hasNewRows: Bool
  private var count = 0
  private(set) var heading = ""
  private(set) var end = ListEnd()

  /// Creates a list. A part of another list returns one row more than the limit.
  init(
    _ place: MirroredPlace, _ filter: IssueFilter, _ form: IssueListForm, isPart: Bool = false
  ) {
    self.place = place
    self.filter = filter
    self.form = form
    self.isPart = isPart
    hasNewRows = form.pending != nil
    let list = MirrorList(
      repository: place.repository, filter: filter, limit: form.readCount,
      includesPullRequests: form.includesPullRequests)
    // A table needs all rows at once, because its heading includes the number of rows.
    let pageSize = isPart || form.fields != nil ? Self.pageSize : form.readCount ?? Self.pageSize
    let isListed = form.columns.allSatisfy(\.isListed) && form.grouping == nil
    pages =
      isListed && !isPart && form.fields == nil
      ? .rows(
        place.mirror.rows(
          of: list, pageSize: pageSize, withAssignees: form.columns.contains(.assignees)
        ).makeAsyncIterator())
      : .documents(place.mirror.documents(of: list, pageSize: pageSize).makeAsyncIterator())
  }

  var subject: String { place.repository.fullName }

  private var notes: IssueListNotes {
    IssueListNotes(
      filter: filter, limit: form.limit, includesPullRequests: form.includesPullRequests)
  }

  var status: String { "Reading the mirror of \(subject)" }

  var nothing: String { notes.nothing(in: subject) }

  mutating func next() async throws -> [IssueRow]? {
    if page.isEmpty { try await read() }
    let newRows = hasNewRows ? try await pendingRows() : []
    hasNewRows = false
    let rows = newRows + page.prefix(Self.pageSize)
    page = page.dropFirst(Self.pageSize)
    guard rows.isEmpty else { return rows }
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    return nil
  }

  private mutating func read() async throws {
    heading = notes.pendingHeading(of: subject)
    guard let rows = try await nextPage() else { return }
    page = rows.prefix((isPart ? form.readCount : form.limit).map { $0 - count } ?? .max)
    count += page.count
    let isCut = page.count < rows.count
    end.limit = isCut ? form.limit : nil
    var openCount: Int?
    if form.includesPullRequests, isCut {
      let counts = try await place.mirror.counts(of: place.repository)
      openCount = counts.open + counts.openPullRequests
    }
    // Without a limit, the heading includes the number of rows if there is only one page, as for a list from a server.
    heading = notes.heading(
      of: subject, count: page.count,
      hasMore: isCut || form.limit == nil && rows.count == Self.pageSize, openCount: openCount)
  }

  private mutating func nextPage() async throws -> [IssueRow]? {
    switch pages {
    case .rows(var pages):
      defer { self.pages = .rows(pages) }
      return try await pages.next()?.map { form.row($0, in: subject) }
    case .documents(var pages):
      defer { self.pages = .documents(pages) }
      return try await pages.next()?.map { json in
        guard isPart || form.fields == nil else { return try form.row(document: json, in: subject) }
        return form.row(
          try GitHubJSON.decode(GitHub.Issue.self, from: json), json: json,
          in: isPart ? place.repository.typedName : subject)
      }
    }
  }

  /// The rows of new issues, and of issues that match the filter only because of pending changes.
  private func pendingRows() async throws -> [IssueRow] {
    var rows = form.newRows(filter, in: subject)
    guard let pending = form.pending, form.fields == nil else { return rows }
    for number in pending.numbers {
      guard let issue = try await place.mirror.issue(number, of: place.repository),
        !filter.matches(issue), filter.matches(pending.applied(to: issue)),
        form.includesPullRequests || !issue.isPullRequest
      else { continue }
      rows.append(form.row(issue, in: subject))
    }
    return rows
  }
}

/// The results of a search in the mirror, best first.
struct MirroredMatches: ListSource {
  private static let pageSize = 100

  private let query: SearchQuery
  private let repositories: [MirroredRepository]
  private let mirror: any IssueReader
  private let limit: Int?
  private let row: @Sendable (SearchResult) -> IssueRow
  /// Whether a partial mirror causes a failure, as in the list of its repository.
  private let needsWhole: Bool
  private var found: SearchListing?
  private var position = 0

  init(
    _ query: SearchQuery, in repositories: [MirroredRepository], _ mirror: any IssueReader,
    limit: Int?, needsWhole: Bool = false, row: @escaping @Sendable (SearchResult) -> IssueRow
  ) {
    self.query = query
    self.repositories = repositories
    self.mirror = mirror
    self.limit = limit
    self.needsWhole = needsWhole
    self.row = row
  }

  var subject: String {
    repositories.count == 1 ? repositories[0].typedName : "\(repositories.count) repositories"
  }

  private var count: Int { min(found?.resultsCount ?? 0, limit ?? .max) }

  private var isCut: Bool { found.map { $0.resultsCount > count } ?? false }

  var status: String { "Searching the mirror" }

  var nothing: String { "Nothing in \(subject) matches \(query.text)." }

  var heading: String {
    let total = isCut ? found?.count : nil
    let isUncounted = isCut && total == nil
    if isUncounted, count == 1 { return "Showing the first match in \(subject)" }
    let noun = count == 1 && total == nil ? "match" : "matches"
    let whole = total.map { " of \($0.grouped)" } ?? ""
    return
      "Showing \(isUncounted ? "the first " : "")\(count.grouped)\(whole) \(noun) in \(subject)"
  }

  var end: ListEnd {
    var end = ListEnd(limit: isCut ? count : nil)
    if isCut, found?.isExhaustive == false {
      end.notes = ["Only the newest matches were ranked; --all ranks all of them."]
    }
    return end
  }

  mutating func next() async throws -> [IssueRow]? {
    // One more result than is shown is requested, to find out whether there are more.
    let found: SearchListing
    if let known = self.found {
      found = known
    } else {
      found = try await mirror.find(
        query, in: repositories, limit: limit.map { min($0, .max - 1) + 1 } ?? .max)
      self.found = found
    }
    guard position < count else {
      if needsWhole, let part = repositories.first(where: { !$0.isComplete }) {
        throw part.incompleteness
      }
      return nil
    }
    let page = position..<min(position + Self.pageSize, count)
    position = page.upperBound
    return try await mirror.results(page, of: found).map(row)
  }
}
