internal import IssueTracker
internal import PlatformModules

/// A list whose changes are asked for: a repository's, or what concerns the token's user.
struct FollowedList: Sendable {
  typealias Item = Sent<GitHub.LocatedIssue>

  private static let pageSize = 100

  /// For messages.
  let name: String
  let connection: Connection
  let notice: ServerNotice
  private let filter: IssueFilter
  private let includesPullRequests: Bool
  /// Whether the server knows only a part of the filter.
  private let isBroad: Bool
  private let first: @Sendable (IssueFilter, _ pageSize: Int) -> GitHub

  init(
    _ name: String, _ connection: Connection, _ notice: ServerNotice, _ filter: IssueFilter,
    includesPullRequests: Bool, isBroad: Bool = false,
    first: @escaping @Sendable (IssueFilter, _ pageSize: Int) -> GitHub
  ) {
    self.name = name
    self.connection = connection
    self.notice = notice
    self.filter = filter
    self.includesPullRequests = includesPullRequests
    self.isBroad = isBroad
    self.first = first
  }

  /// Those of the list.
  var states: IssueFilter.State { filter.state }

  /// The issues that were updated since then, in any state, page by page until enough of them are there.
  ///
  /// The last updated come first: what changes meanwhile shifts the others to later pages, where they are read twice
  /// and not missed.
  func issues(
    since: Date?, until isEnough: @Sendable ([GitHub.Issue]) -> Bool
  ) async throws(CommandFailure) -> [Item] {
    var asked = filter
    asked.state = .all
    asked.sort = .updated
    asked.direction = .descending
    asked.since = [filter.since, since].compactMap(\.self).max()
    var found: [Item] = []
    var pages = PagedListing<Item>(
      provider: connection.provider, first: first(asked, Self.pageSize)
    ).makeAsyncIterator()
    do throws(NetworkError) {
      // The next page is asked for only once this one isn't enough.
      while let page = try await pages.next(pagesAhead: 0, isolation: nil) {
        found += page.items.filter { item in
          let issue = item.entity.issue
          return (includesPullRequests || !issue.isPullRequest)
            && (isBroad ? asked.matches(issue) : asked.matchesUnsentLabels(issue))
        }
        if isEnough(page.items.map(\.entity.issue)) { break }
      }
    } catch {
      throw connection.explanation(of: error, name)
    }
    return found
  }
}
