internal import IssueTracker
internal import PlatformModules

/// A list whose changes are requested: a repository's list, or the issues that concern the token's user.
struct FollowedList: Sendable {
  typealias Item = Sent<GitHub.LocatedIssue>

  private static let pageSize = 100

  /// The name in messages.
  let name: String
  let connection: Connection
  let notice: ServerNotice
  private let filter: IssueFilter
  private let includesPullRequests: Bool
  /// Whether the server supports only a part of the filter.
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

  var states: IssueFilter.State { filter.state }

  /// The issues updated since a time, in any state, page by page until there are enough.
  ///
  /// The last updated issues come first. Changes in the meantime shift the others to later pages, so that they are read
  /// twice rather than missed.
  func issues(
    since: Date?, until isEnough: @Sendable ([GitHub.Issue]) -> Bool
  ) async throws(CommandFailure) -> [Item] {
    var asked = filter
    asked.state = .all
    asked.sort = .updated
    asked.direction = .descending
    asked.since = [filter.since, since].compactMap(\.self).max()
    let rest = isBroad ? asked : filter.unsent(to: connection.provider.forge)
    asked = isBroad ? asked : asked.sent(to: connection.provider.forge)
    var found: [Item] = []
    var pages = PagedListing<Item>(
      provider: connection.provider, first: first(asked, Self.pageSize)
    ).makeAsyncIterator()
    do throws(NetworkError) {
      // The next page is requested only if this one isn't enough.
      while let page = try await pages.next(pagesAhead: 0, isolation: nil) {
        found += page.items.filter { item in
          let issue = item.entity.issue
          return (includesPullRequests || !issue.isPullRequest) && rest.matches(issue)
        }
        if isEnough(page.items.map(\.entity.issue)) { break }
      }
    } catch {
      throw connection.explanation(of: error, name)
    }
    return found
  }
}
