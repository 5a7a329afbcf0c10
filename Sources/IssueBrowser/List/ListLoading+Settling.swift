internal import IssueMirror
internal import IssueTracker

/// A list that is shown from the mirror at once, until the server's response replaces it.
extension ListLoading {
  /// The maximum number of server pages to load at once. They cover the mirror's rows that the user has scrolled to.
  private static let mostCovered = 5

  /// Shows the mirror's rows of a list that isn't on the screen. Returns whether they are shown. Only a complete mirror
  /// can replace the server.
  func showFirst(_ query: ListQuery, isAsking: Bool) async -> Bool {
    guard let state = state(), let scope = query.scope else { return false }
    if state.sheet?.isLoaded == true, state.sheet?.query == query {
      return state.list.showsMirror(for: query) && state.sheet?.settling == .asking
    }
    guard var sheet = await firstRows(of: query) else { return false }
    if state.list.showsStandIn(of: scope) {
      sheet.standing = .offline
    } else if isAsking {
      sheet.settling = .asking
    }
    await emit(.issues(sheet))
    return true
  }

  /// The first rows; nil if the mirror is incomplete. A failure of the mirror isn't shown, because the server's
  /// response follows.
  private func firstRows(of query: ListQuery) async -> IssueSheet? {
    guard source.hasMirror else { return nil }
    var login: String?
    if case .searched(let scope, let search) = query, search.needsLogin {
      guard let connection = try? await source.connection(to: scope.host),
        let known = try? await connection.login()
      else { return nil }
      login = known
    }
    guard let sheet = try? await mirror.sheet(query, login: login),
      sheet.mirror?.isComplete == true, sheet.unmirrored.isEmpty, !Task.isCancelled
    else { return nil }
    return sheet
  }

  /// Shows issues from the mirror if they are fresh enough or can be synced. `isAnew` syncs issues that are already
  /// shown.
  func showFresh(_ query: ListQuery, isAnew: Bool) async -> Bool {
    guard let freshen = source.freshen, let references = query.scope?.references,
      !references.isEmpty
    else { return false }
    let isShown = state()?.list.showsMirror(for: query) == true
    await emit(.loading)
    let sheet = await spinning { () -> IssueSheet? in
      for reference in references {
        guard (try? await freshen(reference, isAnew && isShown)) == true else { return nil }
      }
      return await firstRows(of: query)
    }
    guard let sheet, !Task.isCancelled else { return false }
    await emit(.issues(sheet))
    return true
  }

  /// Shows issues from the mirror while the server is unreachable, if the mirror has all of them. `isAnew` reads them
  /// again.
  func standIn(for query: ListQuery, isAnew: Bool, turn: Int) async -> Bool {
    guard let scope = query.scope, let state = state() else { return false }
    if !isAnew, state.list.showsMirror(for: query), state.sheet?.settling == .asking {
      await emit(.kept(query, .offline))
    } else if !isAnew, state.list.showsStandIn(of: scope), state.list.showsMirror(for: query) {
      await emit(.settled)
    } else {
      guard var sheet = await firstRows(of: query) else { return false }
      sheet.standing = .offline
      await emit(.issues(sheet))
    }
    await loadAddressed()
    await loadNextPages(turn: turn)
    return true
  }

  /// Loads the server's pages up to the row that is selected in the mirror's list, so that it stays selected.
  func cover(_ sheet: inout IssueSheet, _ connection: BrowserConnection) async throws(NetworkError)
  {
    var pages = 1
    while pages < Self.mostCovered, !Task.isCancelled, let state = state(),
      state.list.showsMirror(for: sheet.query), state.list.cursor.selection >= sheet.issues.count,
      let selected = state.selectedIssue.map(sheet.key),
      !sheet.issues.contains(where: { sheet.key(of: $0) == selected }),
      case .server(let next) = sheet.nextPage
    {
      sheet.append(
        try await IssuesPage.load(
          next, in: sheet.scope, from: connection.provider, sheet.format
        ).page)
      pages += 1
    }
  }

  /// Whether the mirror's rows are better than the server's: GitHub, which matches whole words only, has found nothing,
  /// and the mirror has matched the last word of the query as a prefix.
  func isBetter(_ query: ListQuery, than page: IssuesPage) -> Bool {
    guard case .searched(_, let search) = query, page.totalCount == 0, search.isOpenEnded,
      let state = state(), state.list.showsMirror(for: query)
    else { return false }
    return state.rowCount > 0
  }
}
