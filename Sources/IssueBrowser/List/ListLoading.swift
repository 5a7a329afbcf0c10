internal import IssueMirror
internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Loads what the list is to hold, and what the list comes to want as it is scrolled.
///
/// Whatever it waits for (somebody to stop typing, the server, the network, the end of a limit) ends at
/// once when its task is cancelled.
struct ListLoading: Sendable {
  /// What came of a request, and how things stand after it.
  private struct Answer: Sendable {
    let result: BrowserWork.Result
    let standing: IssueSheet.Standing
    /// Whether the network is away, so that the mirror may stand in: a connection that broke is tried again too,
    /// but has met somebody.
    var isNetworkAway = false
  }

  let source: BrowserSource
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  /// The current state; nil once the work is superseded.
  let state: @Sendable () -> BrowserState?
  /// Tells the state a result.
  let emit: BrowserWork.Emit

  /// Loads what is asked for from its first page on.
  ///
  /// - Parameters:
  ///   - query: What is asked for.
  ///   - pause: How long it must not be superseded before anybody is asked. What is there after it already
  ///     isn't asked for again.
  ///   - turn: Whose turn it is to load pages, ``BrowserState/Revisions/pages``.
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
        // As many as GitHub gives: what a search costs is counted by requests.
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
      // Who asks again for what is there doesn't want to wait until somebody else has found the server.
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
    }
    await loadNextPages(turn: turn)
  }

  /// Loads page after page, as long as the list wants one.
  ///
  /// When it doesn't for a moment, somebody else may be told to load as soon as it does.
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
                try await IssuesPage(page, of: sheet.reference, from: connection.provider)),
              standing: .online)
          } catch {
            return failure(error, of: query, "\(sheet.reference)", connection)
          }
        }
      }
    }
  }

  // MARK: Requests

  /// Asks, and asks again when the server has come back, or its limit has ended.
  ///
  /// - Parameters:
  ///   - host: Whom to ask.
  ///   - query: What it is about.
  ///   - isImpatient: Whether to ask at once, where something else was shown before and is again.
  ///   - ask: Asks once.
  ///   - standIn: Shows something else while the network is away, and returns whether there was
  ///     something. It is given the turn to load pages, where that isn't the one that there was. What was shown for a query before is shown at once: the server is given the time that it needs.
  /// - Returns: The turn to load pages, where what was shown instead has taken it from the one that there was.
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
    // Whether something else was shown, be it with an answer of the server by now.
    var wasStoodIn = isStoodIn
    // Whoever loads more of the mirror has nothing more to load; nobody else takes the turn now.
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
      case .online, .failed: return turn
      case .offline:
        failures += 1
        await connection.reachability.waitUntilReachable()
        if let pause = RepositorySearch.pause(afterFailures: failures) {
          try? await clock.sleep(for: pause)
        }
      case .limited(let until):
        let wait = until.map { max(1, $0.timeIntervalSince(now())) } ?? 60
        try? await clock.sleep(for: .seconds(wait))
      }
    }
    return nil
  }

  /// The next page of a search, which is the first of a fresh one.
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
          result: .fail(.issues(reference, filter), .failed(reason)), standing: .failed(reason))
      }
      var sheet = IssueSheet(reference: reference, filter: filter)
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

  /// Loads the issue that an address names, where that is waited for: a closed one, or an old one, isn't
  /// among the first of the list.
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
      await emit(.addressed(try await connection.provider.issue(number, of: name)))
    } catch {
      guard !Task.isCancelled else { return }
      await emit(.message(connection.explain(error, "#\(number) of \(name)")))
    }
  }

  /// Looks a repository up and asks for its list side by side, or for the list alone where the repository of
  /// the one that is there is meant. There is none where the repository has no such milestone.
  private func firstPage(
    of reference: RepositoryReference, _ filter: IssueFilter, _ provider: Provider<GitHub>
  ) async throws(NetworkError) -> (Repository, IssuesPage?) {
    // The sheet keeps the filter as it was typed: the server is asked for the milestone by its number.
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
      case .page, .failed: .failed(connection.explain(error, subject))
      }
    return Answer(
      result: .failure(query, standing), standing: standing, isNetworkAway: error.isNetworkAway)
  }

  func spinning<Result: Sendable>(_ work: () async -> Result) async -> Result {
    await BrowserWork.spinning(by: clock, emit, during: work)
  }

  static func oneLine(_ error: any Error) -> String {
    "\(error)".split { $0.isNewline }.joined(separator: " ")
  }
}

/// What of the list is the mirror's.
extension ListLoading {
  /// Reads the mirror.
  var mirror: MirrorLoading { MirrorLoading(source: source) }

  /// Shows what the mirror has, or why there is nothing to show.
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

  /// Shows the mirror's issues of a repository where they are young enough, or could be renewed.
  ///
  /// - Parameters:
  ///   - reference: The repository.
  ///   - filter: Which issues.
  ///   - isAnew: Whether they are wanted anew where they are shown already.
  /// - Returns: Whether they are shown. Where not, whatever is wrong, the server is to be asked: it tells.
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

  /// The mirrored repositories that words find.
  func mirrored(matching text: String) async throws -> RepositorySearchState {
    let repositories = try await mirror.repositories(
      matching: text, on: try await source.server(of: nil).host)
    var found = RepositorySearchState(query: text)
    found.apply(
      .page(RepositorySearchPage(repositories: repositories, totalCount: repositories.count)))
    return found
  }

  /// Shows the mirror's issues of a repository whose server can't be reached, where it has them all; what is
  /// shown of them already stays as it is.
  ///
  /// - Parameters:
  ///   - reference: The repository.
  ///   - filter: Which issues.
  ///   - isAnew: Whether the mirror is read again where its issues are shown already.
  ///   - turn: Whose turn it is to load pages.
  /// - Returns: Whether they are shown.
  func standIn(
    for reference: RepositoryReference, _ filter: IssueFilter, isAnew: Bool, turn: Int
  ) async -> Bool {
    if !isAnew, state()?.showsStandIn(of: reference, filter) == true {
      await emit(.settled)
    } else {
      // Whatever is wrong with the mirror: what there is to say is that the server is away.
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

  /// Loads the issue that an address names from the mirror.
  func loadMirroredAddressed(_ number: Int, of reference: RepositoryReference) async {
    do {
      guard let issue = try await mirror.issue(number, of: reference) else {
        return await emit(.message("#\(number) isn't in the mirror"))
      }
      await emit(.addressed(issue))
    } catch {
      await emit(.message(Self.oneLine(error)))
    }
  }
}
