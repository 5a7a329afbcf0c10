internal import IssueBrowser
internal import IssueMirror

/// A search for issues in the mirror or on GitHub, for `issues search` and for views of several repositories.
struct IssueSearch: Sendable {
  /// The words as typed. The shell has removed quotation marks around values with spaces.
  var words: [String]
  /// The repositories as typed; empty for those of ``SearchScope``.
  var repositories: [String]
  /// Whether to search everywhere if no repository is specified.
  var isEverywhere = false
  let isRemote: Bool
  /// The kind of GitHub's search.
  var kind = IssueSearchKind.lexical
  let opensPage: Bool
  let maximumAge: Duration?
  var limit: Int?
  let fields: JSONFields?
  let connection: ConnectionOptions
  var grouping: IssueGrouping?

  /// Applies a view. Words after the view, repositories and a limit on the command line take precedence.
  mutating func follow(_ view: SavedView, hasLimit: Bool) {
    let rest = words.dropFirst()
    let tellsOrder = QueryWord.tellsOrder(rest.joined(separator: " "))
    words = [tellsOrder || kind != .lexical ? view.query : view.text] + rest
    if !hasLimit, let most = view.limit { limit = most }
    if repositories.isEmpty { look(in: view.place) }
  }

  mutating func look(in place: SavedView.Place) {
    switch place {
    case .here: break
    case .everywhere: isEverywhere = true
    case .repositories(let references): repositories = references.map(\.description)
    }
  }

  func show(_ session: CommandSession) async throws {
    let apiURL = connection.request.apiURL
    guard opensPage || isRemote else {
      let query = try Self.query(words)
      let scope = try await SearchScope(
        repositories, query.repositories,
        namesPlace: isEverywhere || !query.repositories.isEmpty, apiURL: apiURL, session)
      return try await search(query, scope, session)
    }
    let query = RemoteQuery(words)
    let scope = try await SearchScope(
      repositories, [], namesPlace: isEverywhere || query.namesPlace, apiURL: apiURL, session)
    if opensPage {
      return try await session.openPage(Self.page(query, scope).encoded, of: scope.server)
    }
    let form = form(namesAll: scope.names.count != 1)
    let connection = try await connection.connection(to: scope.server, session)
    guard kind == .lexical else {
      return try await IssuesByMeaning(query.text, in: scope.names, by: kind, connection, form)
        .show(in: form, session)
    }
    try await FoundIssues(
      query.text(in: scope.names), connection, form,
      advice: """
        GitHub's search returns no more: narrow it, for example with created:2025, or mirror the repository with \
        'issues sync' and search there.
        """
    ).show(in: form, session)
  }

  /// The form of the list. For programs, rows always include the repository.
  private func form(namesAll: Bool) -> IssueListForm {
    var form = IssueListForm(
      limit: limit, includesPullRequests: true, fields: fields, grouping: grouping)
    form.naming = namesAll ? .always : .forPrograms
    form.hasSnippets = true
    return form
  }

  /// Searches the mirror.
  private func search(
    _ query: SearchQuery, _ scope: SearchScope, _ session: CommandSession
  ) async throws {
    let (mirror, known) = try await scope.repositories(in: session)
    var repositories = known
    if let maximumAge {
      let fresh = FreshMirror(
        maximumAge: maximumAge, session, request: connection.request, wait: connection.wait.wait)
      let named = Set(query.repositories.map { "\($0)".lowercased() })
      for (index, repository) in repositories.enumerated()
      where named.isEmpty || named.contains(repository.fullName.lowercased()) {
        repositories[index] = try await fresh.renewed(repository)
      }
      session.progress.finish()
    }
    session.tellTime(
      of: repositories, withComments: true, verbosity: connection.request.verbose)
    let pending = await PendingLookup(fields: fields, session)?.changes(of: repositories) ?? [:]
    var form = form(namesAll: repositories.count > 1)
    form.showsPending = !pending.isEmpty
    try await MirroredMatches(query, in: repositories, mirror, limit: limit) { [form] found in
      form.row(found: found, pending: pending[found.repository.typedName])
    }
    .show(in: form, session)
    session.tellFreshness(of: repositories, withComments: true)
  }

  private static func query(_ words: [String]) throws(CommandFailure) -> SearchQuery {
    do throws(InvalidInput) {
      return try SearchQuery(parsing: words.joined(separator: " "))
    } catch {
      throw CommandFailure(
        .usage, "\(error.message)\nWith --remote, GitHub's own search reads the query.")
    }
  }

  private static func page(_ query: RemoteQuery, _ scope: SearchScope) -> URLPath {
    if scope.names.count == 1 {
      return "\(raw: scope.server.webURL(of: scope.names[0]))/issues?q=\(query.text)"
    }
    return "\(raw: scope.server.webURL)/search?q=\(query.text(in: scope.names))&type=issues"
  }
}

/// A search on GitHub, sent as typed: GitHub's syntax has more qualifiers than this package supports.
struct RemoteQuery: Hashable, Sendable {
  let text: String

  init(_ arguments: [String]) {
    // Words that begin with a minus may have a space before them (``SearchCommand/readable(_:)``).
    let typed = arguments.map { String($0.drop { $0.isWhitespace }) }.filter { !$0.isEmpty }
      .joined(separator: " ")
    text = typed.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? Self.withDates($0.element) : String($0.element) }
      .joined(separator: "\"")
  }

  /// Replaces the words for times that GitHub doesn't know, such as `yesterday`.
  private static func withDates(_ text: Substring) -> String {
    let time = /\b((?:created|updated|closed|merged):)([^\s()]+)/.ignoresCase()
    return String(text).replacing(time) { match -> String in
      let value = String(match.output.2)
      return "\(match.output.1)\(SearchSpan(times: value)?.text ?? value)"
    }
  }

  var namesPlace: Bool { QueryWord.namesPlace(text) }

  func text(in names: [RepositoryName]) -> String { QueryWord.search(text, in: names) }
}
