internal import IssueTracker
internal import StyledText

/// A list from the server, or a search on it, page by page as it arrives.
struct ServerPages<Entity: Decodable & Hashable & Identifiable & Sendable, Item: ListItem>:
  ListSource
where Entity.ID: Sendable {
  /// The end of GitHub's search, which doesn't return more results, regardless of the number of matches.
  struct Cap: Sendable {
    /// Advice for finding the rest.
    let advice: String
    /// Whether the end is a failure if all results were requested.
    var fails = true
  }

  static var timeoutNote: String {
    "GitHub's search took too long, and may have missed some: narrow it, or try again."
  }

  static var mostFound: Int { SearchResults<Entity>.maximumCount }

  let connection: Connection
  /// The subject in messages about failures.
  let subject: String
  let status: String
  let nothing: String
  let limit: Int?
  /// The end of the search; nil for a list that isn't a search.
  let cap: Cap?
  /// Returns the heading for the list and the number of rows on the first page.
  let title: @Sendable (_ list: Self, _ count: Int) -> String
  /// Returns the row of an item; nil for an omitted item.
  let row: @Sendable (Entity) -> Item?
  var followed: [FollowedList] = []
  private(set) var total = 0
  private(set) var hasMore = false
  private(set) var heading = ""
  private let pageSize: Int
  private var pages: PagedListing<Entity>.Iterator
  /// The number of items read. It ends the list if a server repeats itself, or returns more than the cap.
  private var readCount = 0
  private var given: Set<Entity.ID> = []
  private var count = 0
  private var isIncomplete = false

  /// Creates a list without sending a request. The argument of `first` is the page size.
  init(
    _ connection: Connection, _ subject: String, status: String, nothing: String, limit: Int?,
    pageSize: Int? = nil, cap: Cap? = nil, first: (Int) -> GitHub,
    title: @escaping @Sendable (_ list: Self, _ count: Int) -> String,
    row: @escaping @Sendable (Entity) -> Item?
  ) {
    self.connection = connection
    self.subject = subject
    self.status = status
    self.nothing = nothing
    self.limit = limit
    self.cap = cap
    self.title = title
    self.row = row
    self.pageSize = pageSize ?? min(limit ?? 100, 100)
    let first = first(self.pageSize)
    pages =
      cap == nil
      ? PagedListing(provider: connection.provider, first: first).makeAsyncIterator()
      : PagedListing(
        provider: connection.provider, first: first, format: .searchResults,
        maximumPages: Self.mostFound
      ).makeAsyncIterator()
  }

  mutating func next() async throws -> [Item]? {
    let mostRead = cap == nil ? Int.max : Self.mostFound
    let wanted = limit.map { $0 - count } ?? .max
    do throws(NetworkError) {
      guard wanted > 0, readCount < mostRead,
        // Pages are requested ahead only if the limit needs them.
        let page = try await pages.next(
          pagesAhead: (min(wanted, mostRead - readCount) - 1) / pageSize)
      else {
        try pages.finish()
        return nil
      }
      readCount += page.items.count
      // The server returns an item twice if the item moves down between two pages.
      let fresh = page.items.filter { given.insert($0.id).inserted }.compactMap(row)
      let shown = Array(fresh.prefix(wanted))
      hasMore = page.hasNext || shown.count < fresh.count
      isIncomplete = isIncomplete || page.isIncomplete
      total = max(total, page.totalCount ?? 0)
      if count == 0 { heading = title(self, shown.count) }
      count += shown.count
      return shown
    } catch {
      throw connection.explanation(of: error, subject, afterShowing: count)
    }
  }

  /// Whether more was requested than a search returns.
  private var isCapped: Bool {
    guard cap != nil, count > 0, !(hasMore && count == limit && count < Self.mostFound) else {
      return false
    }
    return hasMore || total > Self.mostFound && count < total
  }

  var end: ListEnd {
    var end = ListEnd(total: total, reach: total > Self.mostFound ? Self.mostFound : nil)
    if isIncomplete {
      end.notes = [Self.timeoutNote]
    }
    guard let cap, isCapped else {
      end.limit = hasMore ? limit : nil
      return end
    }
    let shown = count.grouped + (total > count ? " of \(total.grouped)" : "")
    if cap.fails, count != limit {
      end.failure = CommandFailure(
        .failed, "the list is incomplete: it ends at \(shown)\n\(cap.advice)")
    } else {
      end.notes.append("Stopped at \(shown): \(cap.advice)")
    }
    return end
  }
}

/// The results of a search for issues on a server.
typealias FoundIssues = ServerPages<Sent<GitHub.LocatedIssue>, IssueRow>

extension FoundIssues {
  /// - Parameters:
  /// - query: The query, including its places.
  /// - place: The only repository, for the heading.
  /// - text: The search text, for the message if there are no matches.
  /// - connection: The server.
  /// - form: The form of the list.
  /// - advice: Advice for finding more than the search returns.
  init(
    _ query: String, in place: RepositoryName? = nil, text: String? = nil,
    _ connection: Connection, _ form: IssueListForm, advice: String
  ) {
    let inPlace = place.map { " in \($0)" } ?? ""
    self.init(
      connection, "the search for \(query)", status: "Searching for \(query)",
      nothing: "Nothing\(inPlace) matches \(text ?? query).", limit: form.limit,
      cap: Cap(advice: advice), first: { .searchIssues(query: query, pageSize: $0) },
      title: { list, _ in
        "Showing the results of \(connection.server)\(inPlace) (\(list.total.grouped) in all)"
      },
      row: { form.row(located: $0, on: connection.server) })
  }
}

extension FoundIssues {
  /// The issues that concern the token's user, in all repositories or in an organization's.
  static func concerning(
    _ involvement: Involvement, in organization: Username?, _ connection: Connection,
    _ filter: IssueFilter, _ form: IssueListForm
  ) -> FoundIssues {
    let narrowed = form.includesPullRequests ? 0 : (form.limit ?? 0) / 2
    let first = { @Sendable (filter: IssueFilter, pageSize: Int) -> GitHub in
      if let organization {
        .organizationIssues(
          organization: organization.login, involvement: involvement, filter: filter,
          pageSize: pageSize)
      } else {
        .concerningIssues(involvement: involvement, filter: filter, pageSize: pageSize)
      }
    }
    var list = FoundIssues(
      connection, organization.map { "the issues of \($0)" } ?? "your issues", status: "",
      nothing: "", limit: form.readCount,
      pageSize: form.limit.map { max(30, min(100, $0 + 1 + narrowed)) } ?? 100,
      first: { first(filter, $0) }, title: { _, _ in "" },
      row: { item in
        let issue = item.entity.issue
        // The server supports only a part of the filter.
        let isWanted =
          (form.includesPullRequests || !issue.isPullRequest) && filter.matches(issue)
        return isWanted ? form.row(located: item, on: connection.server) : nil
      })
    list.followed =
      form.follow.map { follow in
        [
          FollowedList(
            organization.map { "\($0)" } ?? "\(connection.server)", connection,
            follow.notice(of: connection.server), filter,
            includesPullRequests: form.includesPullRequests, isBroad: true, first: first)
        ]
      } ?? []
    return list
  }
}
