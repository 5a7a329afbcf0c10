internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Loads the list, and its next pages as it is scrolled. Cancelling the task ends every wait: for more letters, the
/// server, the network, the end of a limit.
struct ListLoading: Sendable {
  private struct Answer: Sendable {
    let result: BrowserWork.Result
    let standing: IssueSheet.Standing
    /// The request that failed, with its answer.
    var request: String?
    /// Whether the mirror may stand in. It may not for a broken connection, since the server was there.
    var isNetworkAway = false
  }

  let source: BrowserSource
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  /// nil once the work is superseded.
  let state: @Sendable () -> BrowserState?
  let emit: BrowserWork.Emit

  /// Waits for more letters, and makes no request if the list is there by then. The turn is one of
  /// ``BrowserState/Revisions/pages``.
  func load(_ query: ListQuery, after pause: Duration?, turn: Int) async {
    if let pause {
      let hasRested = await spinning { (try? await clock.sleep(for: pause)) != nil }
      guard hasRested, let state = state() else { return }
      if state.holds(query) {
        await emit(.settled)
        return await loadNextPages(turn: turn)
      }
    }
    var turn = turn
    switch query {
    case .nothing, .incomplete: return
    case .repositories(let text) where source.isOffline:
      await showMirrored(query) { .repositories(try await mirrored(matching: text)) }
    case .repositories(let text):
      await persist(nil, query) { connection in
        // The most that GitHub gives, since its limit counts requests.
        await answer(RepositorySearchState(query: text, pageSize: 100), connection)
      }
    case .issues(let reference, let filter) where source.isOffline:
      await showMirrored(query) {
        .issues(try await mirror.sheet(of: reference, filter, nil))
      }
      await loadAddressed(of: reference)
    case .issues(let reference, let filter)
    where await showFresh(reference, filter, isAnew: pause == nil):
      await loadAddressed(of: reference)
    case .issues(let reference, let filter):
      // A user who asks again doesn't want to wait for the network.
      let isAnew = pause == nil && state()?.showsStandIn(of: reference, filter) == true
      let oldTurn = turn
      turn =
        await persist(reference.host, query, isImpatient: isAnew) { connection in
          await firstPage(of: reference, filter, connection)
        } standIn: {
          await standIn(for: reference, filter, isAnew: isAnew, turn: $0 ?? oldTurn)
        } ?? oldTurn
      await loadAddressed(of: reference)
    case .mirrored(let reference, let filter, let search):
      await showMirrored(query) {
        .issues(try await mirror.sheet(of: reference, filter, search))
      }
      await loadAddressed(of: reference)
    }
    await loadNextPages(turn: turn)
  }

  /// Loads pages while the list wants them and no other work takes the turn.
  func loadNextPages(turn: Int) async {
    while !Task.isCancelled, let state = state(), state.isLoading, state.revisions.pages == turn,
      let page = state.nextPage
    {
      switch (state.content, page) {
      case (.nothing, _), (.repositories, .mirror): return
      case (.repositories(let found), .server):
        await persist(nil, .repositories(found.query)) { connection in
          await answer(found, connection)
        }
      case (.issues(let sheet), .mirror(let rows)):
        let query = ListQuery.mirrored(sheet.reference, sheet.filter, sheet.search)
        await showMirrored(query) {
          .moreIssues(try await mirror.page(rows, of: sheet.reference))
        }
      case (.issues(let sheet), .server(let page)):
        let query = ListQuery.issues(sheet.reference, sheet.filter)
        await persist(sheet.reference.host, query) { connection in
          do throws(NetworkError) {
            return Answer(
              result: .moreIssues(
                try await IssuesPage.load(page, of: sheet.reference, from: connection.provider).page
              ),
              standing: .online)
          } catch {
            return failure(error, of: query, "\(sheet.reference)", connection)
          }
        }
      }
    }
  }

  // MARK: Requests

  /// Asks the server, and asks again when it is back or its limit has ended: at once, despite the mirror, if impatient.
  ///
  /// While the network is away, `standIn` shows the mirror and returns whether it could. It gets, and this function
  /// returns, the turn to load pages if this function has taken it. A mirror that stood in already is shown at once.
  @discardableResult
  private func persist(
    _ host: String?, _ query: ListQuery, isImpatient: Bool = false,
    _ ask: @Sendable (BrowserConnection) async -> Answer,
    standIn: (Int?) async -> Bool = { _ in false }
  ) async -> Int? {
    var failures = 0
    var isStoodIn = false
    var turn: Int?
    if case .issues(let reference, _) = query, state()?.showsStandIn(of: reference) == true {
      isStoodIn = await standIn(nil)
    }
    // Even if the server has answered since.
    var wasStoodIn = isStoodIn
    func takeTurn() async {
      guard wasStoodIn else { return }
      await emit(.beginPages)
      turn = state()?.revisions.pages
    }
    var waits = isStoodIn && !isImpatient
    while !Task.isCancelled {
      if !wasStoodIn { await emit(.loading) }
      let connection: BrowserConnection
      do {
        connection = try await source.connection(to: host)
      } catch {
        await emit(.failure(query, .failed(Self.oneLine(error))))
        return nil
      }
      if waits { await connection.reachability.waitUntilReachable() }
      waits = false
      let answer = await spinning { await ask(connection) }
      guard !Task.isCancelled else { return nil }
      if let request = answer.request { await emit(.request(request)) }
      if answer.standing == .offline {
        connection.reachability.reportFailure()
        if !isStoodIn, answer.isNetworkAway {
          await takeTurn()
          isStoodIn = await standIn(turn)
          wasStoodIn = wasStoodIn || isStoodIn
        }
        if !isStoodIn { await emit(answer.result) }
      } else {
        await takeTurn()
        await emit(answer.result)
        isStoodIn = false
      }
      switch answer.standing {
      case .online, .missing, .failed: return turn
      case .offline:
        failures += 1
        await connection.reachability.waitUntilReachable()
        if let pause = RepositorySearch.pause(afterFailures: failures) {
          try? await clock.sleep(for: pause)
        }
      case .limited(let until):
        let soonest = now().addingTimeInterval(1)
        await countDown(to: until.map { max($0, soonest) } ?? now().addingTimeInterval(60))
      }
    }
    return nil
  }

  private func countDown(to end: Date) async {
    while !Task.isCancelled, case let left = end.timeIntervalSince(now()), left > 0 {
      try? await clock.sleep(for: .seconds(min(1, left)))
      await emit(.time(now()))
    }
  }

  private func answer(
    _ found: RepositorySearchState, _ connection: BrowserConnection
  ) async -> Answer {
    var found = found
    let search = RepositorySearch(
      provider: connection.provider, reachability: connection.reachability, clock: clock, now: now)
    if let page = found.nextPage { found.apply(await search.load(page)) }
    return Answer(result: .repositories(found), standing: found.standing)
  }

  private func firstPage(
    of reference: RepositoryReference, _ filter: IssueFilter, _ connection: BrowserConnection
  ) async -> Answer {
    do throws(NetworkError) {
      let (repository, page) = try await firstPage(of: reference, filter, connection.provider)
      guard let page else {
        let reason =
          "\(repository.fullName) has no milestone “\(filter.milestone?.description ?? "")”"
        return Answer(
          result: .failure(.issues(reference, filter), .failed(reason)), standing: .failed(reason))
      }
      var sheet = IssueSheet(
        reference: reference, filter: filter,
        pending: await source.pending(of: reference, repository, on: connection.server.host))
      sheet.repository = repository
      sheet.append(page)
      if let history = source.history, let name = RepositoryName(repository.fullName) {
        await history.record(RepositoryHistory.Entry(server: connection.server, name: name))
      }
      return Answer(result: .issues(sheet), standing: .online)
    } catch {
      return failure(
        error, of: .issues(reference, filter), "\(reference)", connection)
    }
  }

  /// Loads the issue of the typed number, if the reader still waits for it: it may not be on the first page.
  func loadAddressed(of reference: RepositoryReference) async {
    guard !Task.isCancelled, let state = state(), let sheet = state.sheet, sheet.isLoaded,
      sheet.reference == reference, let number = state.addressedIssue
    else { return }
    if let issue = sheet.issues.first(where: { $0.number == number }) {
      return await emit(.addressed(issue))
    }
    guard sheet.mirror == nil else {
      return await loadMirroredAddressed(number, of: reference)
    }
    guard let name = sheet.repository.flatMap({ RepositoryName($0.fullName) }),
      let connection = try? await source.connection(to: reference.host)
    else { return }
    do throws(NetworkError) {
      let issue = try await connection.provider.issue(number, of: name)
      await emit(.addressed(sheet.pending?.applied(to: issue) ?? issue))
    } catch {
      guard !Task.isCancelled else { return }
      await emit(.request(error.message))
      await emit(.message(connection.explain(error, "#\(number) of \(name)")))
    }
  }

  /// Loads the repository, if it isn't known, beside its first page. There is no page without the filter's milestone.
  private func firstPage(
    of reference: RepositoryReference, _ filter: IssueFilter, _ provider: Provider<GitHub>
  ) async throws(NetworkError) -> (Repository, IssuesPage?) {
    // The server wants the milestone's number; the sheet keeps the filter as typed.
    @Sendable func load(
      _ name: RepositoryName
    ) async throws(NetworkError) -> (list: IssuesPage?, source: AnswerSource?) {
      guard let asked = try await provider.numberingMilestone(of: filter, in: name) else {
        return (nil, nil)
      }
      let target = IssuesPage.first(of: name.description, asked)
      let (page, source) = try await IssuesPage.load(target, of: reference, from: provider)
      return (page, source)
    }
    if let sheet = state()?.sheet, sheet.reference == reference, sheet.mirror == nil,
      let known = sheet.repository, let name = RepositoryName(known.fullName)
    {
      return (known, try await load(name).list)
    }
    return try await provider.repository(reference.name, with: load)
  }

  private func failure(
    _ error: NetworkError, of query: ListQuery, _ subject: String, _ connection: BrowserConnection
  ) -> Answer {
    let standing: IssueSheet.Standing =
      switch RepositorySearchOutcome(error, now: now()) {
      case .limitExceeded(let until): .limited(until: until)
      case .offline: .offline
      case .page, .failed:
        error.isStatus(404)
          ? .missing(connection.explain(error, subject))
          : .failed(connection.explain(error, subject))
      }
    return Answer(
      result: .failure(query, standing), standing: standing, request: error.message,
      isNetworkAway: error.isNetworkAway)
  }

  func spinning<Result: Sendable>(_ work: () async -> Result) async -> Result {
    await BrowserWork.spinning(by: clock, emit, during: work)
  }

  static func oneLine(_ error: any Error) -> String {
    "\(error)".split { $0.isNewline }.joined(separator: " ")
  }
}

extension ListLoading {
  var mirror: MirrorLoading { MirrorLoading(source: source) }

  func showMirrored(
    _ query: ListQuery, _ load: () async throws -> BrowserWork.Result
  ) async {
    let result: BrowserWork.Result = await spinning {
      do {
        return try await load()
      } catch {
        return .failure(query, .failed(Self.oneLine(error)))
      }
    }
    await emit(result)
  }

  /// Shows issues from the mirror if they are fresh enough or can be synced. `isAnew` syncs issues on the screen again.
  func showFresh(
    _ reference: RepositoryReference, _ filter: IssueFilter, isAnew: Bool
  ) async -> Bool {
    guard let freshen = source.freshen else { return false }
    let shown = state()?.sheet.map { sheet in
      sheet.mirror != nil && sheet.reference == reference && sheet.filter == filter
        && sheet.search == nil
    }
    await emit(.loading)
    let sheet = await spinning { () -> IssueSheet? in
      guard (try? await freshen(reference, isAnew && shown == true)) == true else { return nil }
      return try? await mirror.sheet(of: reference, filter, nil)
    }
    guard let sheet, !Task.isCancelled else { return false }
    await emit(.issues(sheet))
    return true
  }

  func mirrored(matching text: String) async throws -> RepositorySearchState {
    let repositories = try await mirror.repositories(
      matching: text, on: try await source.server(of: nil).host)
    var found = RepositorySearchState(query: text)
    found.apply(
      .page(RepositorySearchPage(repositories: repositories, totalCount: repositories.count)))
    return found
  }

  /// Shows issues from the mirror while the server is away, if it has them all. `isAnew` reads them again.
  func standIn(
    for reference: RepositoryReference, _ filter: IssueFilter, isAnew: Bool, turn: Int
  ) async -> Bool {
    if !isAnew, state()?.showsStandIn(of: reference, filter) == true {
      await emit(.settled)
    } else {
      // A failure of the mirror isn't shown: the user has to know that the server is away.
      guard var sheet = try? await mirror.sheet(of: reference, filter, nil),
        sheet.mirror?.repository.isComplete == true
      else { return false }
      sheet.standing = .offline
      await emit(.issues(sheet))
    }
    await loadAddressed(of: reference)
    await loadNextPages(turn: turn)
    return true
  }

  func loadMirroredAddressed(_ number: Int, of reference: RepositoryReference) async {
    do {
      guard let issue = try await mirror.issue(number, of: reference) else {
        return await emit(.message("#\(number) isn't in the mirror"))
      }
      await emit(.addressed(state()?.sheet?.pending?.applied(to: issue) ?? issue))
    } catch {
      await emit(.message(Self.oneLine(error)))
    }
  }
}
