internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules

/// Loads the list, and its next pages as the user scrolls. Canceling the task ends every wait: for more letters, for
/// the server, for the network, and for the end of a limit.
struct ListLoading: Sendable {
  struct Answer: Sendable {
    let result: BrowserWork.Result
    let standing: IssueSheet.Standing
    /// The failed request, with its response.
    var request: String?
    /// Whether the mirror may replace the server. After a broken connection it may not, because the server was
    /// reachable.
    var isNetworkAway = false
  }

  let source: BrowserSource
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  /// The current state; nil once the work is superseded.
  let state: @Sendable () -> BrowserState?
  let emit: BrowserWork.Emit

  /// Loads a list after a pause for more letters. Makes no request if the list has been loaded by then. The turn is one
  /// of ``BrowserState/Revisions/pages``.
  ///
  /// The mirror responds to each letter of a filter at once.
  func load(_ query: ListQuery, after pause: Duration?, turn: Int) async {
    let isFiltering = pause.map { $0 > .zero } == true && state()?.filter.field != nil
    var isShown = false
    if isFiltering, !source.isOffline {
      let isOpenEnded =
        if case .searched(_, let search) = query { search.isOpenEnded } else { false }
      isShown = await showFirst(query, isAsking: !isOpenEnded)
      // The server matches whole words only, so a search for the unfinished word would find nothing.
      if isShown, isOpenEnded {
        await emit(.rested)
        return await loadNextPages(turn: turn)
      }
    }
    if let pause, !isFiltering || !source.isOffline {
      let hasRested = await spinning { (try? await clock.sleep(for: pause)) != nil }
      guard hasRested, let state = state() else { return }
      await emit(.rested)
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
        // The page size is the largest that GitHub returns, because its limit counts requests.
        await answer(RepositorySearchState(query: text, pageSize: 100), connection)
      }
    case .inbox where source.isOffline:
      await emit(.failure(query, .failed("Notifications aren't in the mirror")))
    case .inbox: await persist(nil, query) { await answer(InboxList(), $0) }
    case .issues, .searched:
      guard let scope = query.scope else { return }
      if source.isOffline {
        await showMirrored(query) { .issues(try await mirror.sheet(query)) }
      } else if await !showFresh(query, isAnew: pause == nil) {
        // A user who retries doesn't want to wait for the network.
        let isAnew = pause == nil && state()?.list.showsMirror(for: query) == true
        let oldTurn = turn
        if !isShown { isShown = await showFirst(query, isAsking: true) }
        turn =
          await persist(scope.host, query, isShown: isShown, isImpatient: isAnew) {
            await firstPage(of: query, $0)
          } standIn: {
            await standIn(for: query, isAnew: isAnew, turn: $0 ?? oldTurn)
          } ?? oldTurn
      }
      await loadAddressed()
    }
    await loadNextPages(turn: turn)
  }

  /// Loads pages while the list needs them and no other work takes the turn.
  func loadNextPages(turn: Int) async {
    while !Task.isCancelled, let state = state(), state.list.isLoading,
      state.revisions.pages == turn,
      let page = state.list.nextPage
    {
      switch (state.list.content, page) {
      case (.nothing, _), (.repositories, .mirror), (.inbox, .mirror): return
      case (.inbox(let inbox), .server):
        await persist(nil, .inbox) { connection in await answer(inbox, connection) }
      case (.repositories(let found), .server):
        await persist(nil, .repositories(found.query)) { connection in
          await answer(found, connection)
        }
      case (.issues(let sheet), .mirror(let rows)):
        await showMirrored(sheet.query) {
          .moreIssues(try await mirror.page(rows, in: sheet.scope))
        }
      case (.issues(let sheet), .server(let page)):
        await persist(sheet.scope.host, sheet.query) { connection in
          do throws(NetworkError) {
            let more = try await IssuesPage.load(
              page, in: sheet.scope, from: connection.provider, sheet.format)
            return Answer(result: .moreIssues(more.page), standing: .online)
          } catch {
            return failure(error, of: sheet.query, sheet.scope.words, connection)
          }
        }
      }
    }
  }

  // MARK: Requests

  /// Sends a request, and repeats it when the server is reachable again or its limit has ended. With `isImpatient`, the
  /// first request is sent at once even if the mirror is shown.
  ///
  /// While the network is unreachable, `standIn` shows the mirror and returns whether it could. It receives the turn to
  /// load pages, and this function returns the turn if it has taken it. If the mirror already replaces the server, it
  /// is shown at once. If the mirror's rows are shown until the server responds (`isShown`), other work loads their
  /// pages.
  @discardableResult
  private func persist(
    _ host: String?, _ query: ListQuery, isShown: Bool = false, isImpatient: Bool = false,
    _ ask: @Sendable (BrowserConnection) async -> Answer,
    standIn: (Int?) async -> Bool = { _ in false }
  ) async -> Int? {
    var failures = 0
    var isStoodIn = false
    var turn: Int?
    if let scope = query.scope, state()?.list.showsStandIn(of: scope) == true {
      isStoodIn = await standIn(nil)
    }
    // This stays true even if the server has responded since.
    var wasStoodIn = isStoodIn || isShown
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
        let end = until.map { max($0, soonest) } ?? now().addingTimeInterval(60)
        await BrowserWork.countDown(to: end, by: clock, now, emit)
      }
    }
    return nil
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

  private func answer(_ inbox: InboxList, _ connection: BrowserConnection) async -> Answer {
    guard let page = inbox.nextPage else { return Answer(result: .settled, standing: .online) }
    do throws(NetworkError) {
      let response = try await connection.provider.request(page)
      let provider = connection.provider
      let contents = try PageContents<GitHub.Notification>(
        of: response, .array, forge: provider.forge)
      let next = try provider.nextPage(after: response, count: contents.count)
      var inbox = inbox
      inbox.append(contents.items, next: next.map { .page($0) })
      return Answer(result: .inbox(inbox), standing: .online)
    } catch {
      var answer = failure(error, of: .inbox, "your notifications", connection)
      // GitHub refuses other tokens, some of them with 404.
      if error.isStatus(403) || error.isStatus(404), case .failure = answer.result {
        let reason = IssueSheet.Standing.failed(
          connection.explain(error, "your notifications").prefix { !$0.isNewline }
            + "\nOnly classic tokens with the scope notifications or repo may read notifications.")
        answer = Answer(
          result: .failure(.inbox, reason), standing: reason, request: error.message)
      }
      return answer
    }
  }

  private func firstPage(of query: ListQuery, _ connection: BrowserConnection) async -> Answer {
    do {
      let (repository, page) = try await firstPage(of: query, connection)
      guard var sheet = IssueSheet(query) else {
        return Answer(result: .settled, standing: .online)
      }
      sheet.repository = repository
      sheet.append(page)
      let pending = await source.pending(of: sheet, on: connection.server.host)
      _ = sheet.follow(pending, nil, reading: nil)
      if isBetter(query, than: page) {
        return Answer(result: .kept(query, .online), standing: .online)
      }
      try await cover(&sheet, connection)
      if let shown = state()?.sheet, shown.query == query,
        shown.mirror != nil || shown.settling == .settled
      {
        sheet.settling = .settled
      }
      if let history = source.history, let name = RepositoryName(repository?.fullName ?? "") {
        await history.record(RepositoryHistory.Entry(server: connection.server, name: name))
      }
      return Answer(result: .issues(sheet), standing: .online)
    } catch let error as NetworkError {
      return failure(error, of: query, query.scope?.words ?? "", connection)
    } catch {
      let reason = Self.oneLine(error)
      return Answer(result: .failure(query, .failed(reason)), standing: .failed(reason))
    }
  }

  /// The first page of a list: from GitHub's list if possible, or else from its search. The repository is nil if there
  /// are several.
  private func firstPage(
    of query: ListQuery, _ connection: BrowserConnection
  ) async throws -> (GitHub.Repository?, IssuesPage) {
    switch query {
    case .issues(let reference, let filter):
      return try await firstPage(of: reference, filter, connection.provider)
    case .searched(let scope, let search):
      guard let reference = scope.reference else {
        // GitHub's search knows "@me".
        let text = search.sent(to: scope.references.map(\.name), login: nil)
        let page = try await IssuesPage.load(
          IssuesPage.first(finding: text), in: scope, from: connection.provider, .searchResults)
        return (nil, page.page)
      }
      let login = search.needsLogin ? try await connection.login() : nil
      if let filter = search.filter(login: login) {
        return try await firstPage(of: reference, filter, connection.provider)
      }
      // A search doesn't find a renamed repository.
      let repository =
        if let known = knownRepository(of: reference) { known } else {
          try await connection.provider.repository(reference.name)
        }
      guard let name = RepositoryName(repository.fullName) else {
        throw Refusal(description: "The server's name for \(reference.name) is invalid")
      }
      let page = try await IssuesPage.load(
        IssuesPage.first(finding: search.sent(to: [name], login: login)), in: scope,
        from: connection.provider, .searchResults)
      return (repository, page.page)
    case .nothing, .incomplete, .repositories, .inbox:
      throw Refusal(description: "That isn't a list of issues")
    }
  }

  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// The repository as described by the server; nil if it isn't known.
  private func knownRepository(of reference: RepositoryReference) -> GitHub.Repository? {
    guard let sheet = state()?.sheet, sheet.reference == reference, sheet.mirror == nil else {
      return nil
    }
    return sheet.repository
  }

  /// Loads the repository, if it isn't known, concurrently with its first page.
  private func firstPage(
    of reference: RepositoryReference, _ filter: IssueFilter, _ provider: Provider<GitHub>
  ) async throws -> (GitHub.Repository, IssuesPage) {
    // The server requires the milestone's number. The sheet keeps the filter as typed.
    @Sendable func load(
      _ name: RepositoryName
    ) async throws(NetworkError) -> (list: IssuesPage?, source: AnswerSource?) {
      guard let asked = try await provider.numberingMilestone(of: filter, in: name) else {
        return (nil, nil)
      }
      let target = IssuesPage.first(of: name.description, asked)
      let (page, source) = try await IssuesPage.load(
        target, in: .repository(reference), from: provider)
      return (page, source)
    }
    let (repository, page): (GitHub.Repository, IssuesPage?)
    if let known = knownRepository(of: reference), let name = RepositoryName(known.fullName) {
      (repository, page) = (known, try await load(name).list)
    } else {
      (repository, page) = try await provider.repository(reference.name, with: load)
    }
    guard let page else {
      let milestone = filter.milestone?.description ?? ""
      throw Refusal(description: "\(repository.fullName) has no milestone “\(milestone)”")
    }
    return (repository, page)
  }

  /// Loads the issue with the typed number, if the reader still waits for it. It may not be on the first page.
  func loadAddressed() async {
    guard !Task.isCancelled, let state = state(), let sheet = state.sheet, sheet.isLoaded,
      sheet.scope == state.list.query.scope, let reference = sheet.reference,
      let number = state.addressedIssue
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
      await emit(.addressed(sheet.pending(on: issue)?.applied(to: issue) ?? issue))
    } catch {
      guard !Task.isCancelled else { return }
      await emit(.request(error.message))
      await emit(
        .notice(connection.explain(error, "#\(number) of \(name)", in: "\(name)")))
    }
  }

  func failure(
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

  func mirrored(matching text: String) async throws -> RepositorySearchState {
    let repositories = try await mirror.repositories(
      matching: text, on: try await source.server(of: nil).host)
    var found = RepositorySearchState(query: text)
    found.apply(
      .page(RepositorySearchPage(repositories: repositories, totalCount: repositories.count)))
    return found
  }

  func loadMirroredAddressed(_ number: Int, of reference: RepositoryReference) async {
    do {
      guard let issue = try await mirror.issue(number, of: reference) else {
        return await emit(.message("#\(number) isn't in the mirror"))
      }
      await emit(.addressed(state()?.sheet?.pending(on: issue)?.applied(to: issue) ?? issue))
    } catch {
      await emit(.message(Self.oneLine(error)))
    }
  }
}
