internal import IssueBrowser
internal import IssueMirror

/// A search of issues in the mirror or on GitHub, for `issues search` and for views of several repositories.
struct IssueSearch: Sendable {
  /// As typed: the shell has removed quotation marks around values with blanks.
  var words: [String]
  /// As typed; empty for those that ``SearchScope`` finds.
  var repositories: [String]
  /// Whether no repository is meant where none is named.
  var isEverywhere = false
  let isRemote: Bool
  let opensPage: Bool
  let maximumAge: Duration?
  var limit: Int?
  let fields: JSONFields?
  let connection: ConnectionOptions
  var grouping: IssueGrouping?

  /// Searches as a view does. Words behind it, named repositories and a limit of the command line win.
  mutating func follow(_ view: SavedView, hasLimit: Bool) {
    let rest = words.dropFirst()
    let tellsOrder = QueryWord.tellsOrder(rest.joined(separator: " "))
    words = [tellsOrder ? view.query : view.text] + rest
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
      let fresh = maximumAge.map {
        FreshMirror(
          maximumAge: $0, session, request: connection.request, wait: connection.wait.wait)
      }
      let list = MirroredSearchList(
        query: query, scope: scope, session: session, limit: limit, fields: fields,
        grouping: grouping, fresh: fresh, verbosity: connection.request.verbose)
      return try await list.show()
    }
    let query = RemoteQuery(words)
    let scope = try await SearchScope(
      repositories, [], namesPlace: isEverywhere || query.namesPlace, apiURL: apiURL, session)
    if opensPage {
      return try await session.openPage(Self.page(query, scope).encoded, of: scope.server)
    }
    let list = RemoteSearchList(
      text: query.text(in: scope.names), scope: scope,
      connection: try await connection.connection(to: scope.server, session),
      session: session, limit: limit, fields: fields, grouping: grouping)
    try await list.show()
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
