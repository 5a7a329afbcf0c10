internal import IssueTracker
internal import PlatformModules

/// A list whose changes are asked for: a repository's, or what concerns the token's user.
struct FollowedList: Sendable {
  struct Item: Sendable {
    let sent: Sent<GitHub.Issue>
    /// As one would type it; empty where the server doesn't say.
    let repository: String
  }

  private enum Source: Sendable {
    case repository(RepositoryName, IssueFilter)
    /// Its milestone still has to be looked up.
    case requested(RepositoryName, FilterRequest)
    case concerning(Involvement, Username?, IssueFilter)
  }

  private static let pageSize = 100

  /// For messages.
  let name: String
  let connection: Connection
  let notice: ServerNotice
  /// Those of the list.
  let states: IssueFilter.State
  private let source: Source

  /// A repository's list.
  init(
    _ name: RepositoryName, _ connection: Connection, _ notice: ServerNotice,
    _ filter: IssueFilter
  ) {
    self.init("\(name)", connection, notice, filter.state, .repository(name, filter))
  }

  /// A repository's list. The request has no `@me` left.
  init(_ place: Place, _ connection: Connection, _ notice: ServerNotice, _ request: FilterRequest) {
    self.init(
      "\(place)", connection, notice, request.state ?? .open, .requested(place.name, request))
  }

  /// The list of what concerns the token's user.
  init(
    _ involvement: Involvement, in organization: Username?, _ connection: Connection,
    _ notice: ServerNotice, _ filter: IssueFilter
  ) {
    self.init(
      organization.map { "\($0)" } ?? "\(connection.server)", connection, notice, filter.state,
      .concerning(involvement, organization, filter))
  }

  private init(
    _ name: String, _ connection: Connection, _ notice: ServerNotice,
    _ states: IssueFilter.State, _ source: Source
  ) {
    self.name = name
    self.connection = connection
    self.notice = notice
    self.states = states
    self.source = source
  }

  /// The issues that were updated since then, in any state, page by page until enough of them are there.
  ///
  /// The last updated come first: what changes meanwhile shifts the others to later pages, where they are read twice
  /// and not missed.
  func issues(
    since: Date?, until isEnough: @Sendable ([GitHub.Issue]) -> Bool
  ) async throws(CommandFailure) -> [Item] {
    switch source {
    case .requested(let name, let request):
      let filter = try await connection.explaining("\(name)") {
        provider async throws(NetworkError) in
        try await request.resolved(by: provider, in: name)
      }.get()
      return try await FollowedList(name, connection, notice, filter)
        .issues(since: since, until: isEnough)
    case .repository(let name, let filter):
      let first = GitHub.issues(
        repositoryFullName: "\(name)", filter: Self.asking(filter, since),
        pageSize: Self.pageSize)
      return try await pages(first, until: isEnough) { (item: Sent<GitHub.Issue>) in
        Item(
          sent: item,
          repository: connection.server.typedName(of: item.entity.repositoryOfPage ?? name))
      }
    case .concerning(let involvement, let organization, let filter):
      let asked = Self.asking(filter, since)
      let first: GitHub =
        if let organization {
          .organizationIssues(
            organization: organization.login, involvement: involvement, filter: asked,
            pageSize: Self.pageSize)
        } else {
          .concerningIssues(involvement: involvement, filter: asked, pageSize: Self.pageSize)
        }
      return try await pages(first, until: isEnough) { (item: Sent<GitHub.LocatedIssue>) in
        Item(
          sent: Sent(item.entity.issue, json: item.json),
          repository: connection.server.typedName(of: item.entity.repository))
      }.filter { asked.matches($0.sent.entity) }
    }
  }

  /// Leaves the filter of the time to the question where that reaches back less far.
  private static func asking(_ filter: IssueFilter, _ since: Date?) -> IssueFilter {
    var filter = filter
    filter.state = .all
    filter.sort = .updated
    filter.direction = .descending
    filter.since = [filter.since, since].compactMap(\.self).max()
    return filter
  }

  private func pages<Sent: Decodable & Hashable & Sendable & Identifiable>(
    _ first: GitHub, until isEnough: ([GitHub.Issue]) -> Bool, _ item: (Sent) -> Item
  ) async throws(CommandFailure) -> [Item] {
    var found: [Item] = []
    var pages = PagedListing<Sent>(provider: connection.provider, first: first)
      .makeAsyncIterator()
    do throws(NetworkError) {
      // The next page is asked for only once this one isn't enough.
      while let page = try await pages.next(pagesAhead: 0, isolation: nil) {
        let items = page.items.map(item)
        found += items
        if isEnough(items.map(\.sent.entity)) { break }
      }
    } catch {
      throw connection.explanation(of: error, name)
    }
    return found
  }
}
