internal import HTTPTargets
internal import IssueTracker
internal import StyledText

/// The results of GitHub's search by meaning: one page, best match first.
struct IssuesByMeaning: ListSource {
  /// The maximum number of results. A quota of its own allows ten requests per minute, so only one page is requested.
  static let mostFound = 100
  /// The name of the JSON field for the kind of search that was carried out.
  static let field = "search_type"
  /// The longest text in addition to qualifiers.
  private static let longestText = 256

  let subject: String
  let status: String
  let nothing: String
  private let query: String
  private let kind: IssueSearchKind
  private let connection: Connection
  private let form: IssueListForm
  /// The number of an issue of the only repository that isn't a result.
  private let excluded: Int?
  private(set) var heading = ""
  private(set) var end = ListEnd()
  private var isGiven = false

  /// Creates a search without sending a request. Throws for a query that can't be searched by meaning.
  init(
    _ text: String, in names: [RepositoryName], by kind: IssueSearchKind, _ connection: Connection,
    _ form: IssueListForm, excluding excluded: Int? = nil
  ) throws(CommandFailure) {
    guard !QueryWord.tellsOrder(text) else {
      throw CommandFailure(
        .usage, "a search by meaning is ordered by relevance\nLeave out sort:, or use --by words.")
    }
    guard !QueryWord.wantsPullRequests(text) else {
      throw CommandFailure(
        .usage,
        "a search by meaning finds only issues, not pull requests\nLeave out is:pr, or use --by words."
      )
    }
    guard connection.isStub || connection.token != nil else {
      throw CommandFailure(
        .badCredentials,
        "a search by meaning needs an access token, and there is none for \(connection.server)\n"
          + CommandFailure.signInAdvice(connection.server))
    }
    let plain = QueryWord.withoutPhrases(text)
    if plain != text {
      end.notes.append(
        "Quotation marks ask for exact words, which a search by meaning doesn't know: they were left out."
      )
    }
    let ofIssues = QueryWord.tellsKind(plain) ? plain : "\(plain) is:issue"
    query = QueryWord.search(ofIssues, in: names)
    subject = "the search for \(text)"
    status = "Searching for \(text)"
    nothing = "\(connection.server) found nothing for \(text)."
    self.kind = kind
    self.connection = connection
    self.form = form
    self.excluded = excluded
  }

  /// The query for open or other issues about the same as a text.
  static func query(
    title: String, body: String, state: IssueFilter.State
  ) -> String {
    var text = ""
    for word in QueryWord.plainWords(title) + QueryWord.plainWords(body) {
      let longer = text.isEmpty ? word : "\(text) \(word)"
      guard longer.unicodeScalars.count <= longestText else { break }
      text = longer
    }
    return state == .all ? text : "\(text) is:\(state.rawValue)"
  }

  mutating func next() async throws -> [IssueRow]? {
    guard !isGiven else { return nil }
    isGiven = true
    let size = min(form.limit.map { $0 + (excluded == nil ? 0 : 1) } ?? .max, Self.mostFound)
    let page = try await page(ofSize: size)
    let rows = page.items.filter { $0.entity.issue.number != excluded }.map {
      var row = form.row(located: $0, on: connection.server)
      row.searchKind = page.outcome?.kind
      return row
    }
    let shown = Array(rows.prefix(form.limit ?? .max))
    report(page.outcome)
    if page.isIncomplete { end.notes.append(FoundIssues.timeoutNote) }
    let total = max(page.totalCount ?? 0, page.items.count)
    if excluded == nil { reportEnd(shown.count, of: total) }
    let basis = page.outcome.map { " \($0.kind.basis)" } ?? ""
    heading = "Showing the results of \(connection.server)\(basis) (\(total.grouped) in all)"
    return shown
  }

  private func page(
    ofSize size: Int
  ) async throws -> PagedListing<Sent<GitHub.LocatedIssue>>.Page {
    var pages = PagedListing<Sent<GitHub.LocatedIssue>>(
      provider: connection.provider, first: .searchIssues(query: query, kind: kind, pageSize: size),
      format: .searchResults
    ).makeAsyncIterator()
    do throws(NetworkError) {
      guard let page = try await pages.next(pagesAhead: 0) else { throw .cancelled }
      try pages.finish()
      return page
    } catch {
      let failure = connection.explanation(of: error, subject)
      guard failure.status == .badCredentials, error.response?.status == .forbidden,
        connection.server.isEnterpriseServer
      else { throw failure }
      throw CommandFailure(
        .failed,
        """
        \(connection.server) refuses a search by meaning, which GitHub Enterprise Server doesn't have
        Use --by words, or search the mirror.
        """)
    }
  }

  /// Notes a search that differs from the requested one.
  private mutating func report(_ outcome: IssueSearchOutcome?) {
    guard let outcome else {
      end.notes.append(
        """
        \(connection.server) doesn't say how it searched: it may not know the search \(kind.basis), and have searched \
        by words.
        """)
      return
    }
    guard outcome.kind != kind else { return }
    let reasons = outcome.fallbackReasons.map(Self.explanation).joined(separator: "; ")
    end.notes.append(
      "\(connection.server) searched \(outcome.kind.basis), not \(kind.basis)"
        + (reasons.isEmpty ? "." : ": \(reasons)."))
  }

  private mutating func reportEnd(_ count: Int, of total: Int) {
    guard count < total else { return }
    if count == form.limit, count < Self.mostFound {
      (end.limit, end.total) = (count, total)
      if total > Self.mostFound { end.reach = Self.mostFound }
    } else {
      end.notes.append(
        """
        Stopped at \(count.grouped) of \(total.grouped): a search by meaning returns no more than \
        \(Self.mostFound), the best first.
        """)
    }
  }

  /// GitHub's reason in words
  /// (<https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>).
  private static func explanation(_ reason: String) -> String {
    switch reason {
    case "no_text_terms": "the query has no words, only qualifiers"
    case "quoted_text": "the query has words in quotation marks"
    case "non_issue_target": "the query isn't only about issues"
    case "or_boolean_not_supported":
      "the query has alternatives (OR), or several repositories"
    case "no_accessible_repos": "no repository of the query is visible"
    case "server_error", "service_unavailable":
      "the search by meaning isn't available at the moment"
    default: "\(PlainText.harmless(String(reason.prefix(60))))"
    }
  }
}
