internal import IssueMirror
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct ReaderLoading: Sendable {
  let source: BrowserSource
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let pageLayout: PageLayout
  /// The current state; nil once the work is superseded.
  let state: @Sendable () -> BrowserState?
  let emit: BrowserWork.Emit

  /// Shows the issue, and then loads and shows its comments page by page: from the server after the pause, from the
  /// mirror at once.
  func load(after pause: Duration?) async {
    await layOut()
    guard let state = state(), let reader = state.reader else { return }
    let pause = state.sheet.map(isMirrored) == true ? nil : pause
    if let pause, reader.isLoading || state.isPreviewing {
      await spinning(reader.isLoading) { try? await clock.sleep(for: pause) }
    }
    if reader.isLoading { await loadComments(on: reader.issue, in: state) }
    await loadAhead()
  }

  /// Loads comments on issues around the previewed one once the selection stops moving. Without a token, the rate limit
  /// is too low for that.
  private func loadAhead() async {
    guard !Task.isCancelled, let state = state(), state.isPreviewing, let sheet = state.sheet,
      !source.isOffline,
      let connection = try? await source.connection(to: sheet.scope.host), connection.hasToken
    else { return }
    for issue in state.issuesAhead {
      guard let name = sheet.repository(of: issue)?.name else { continue }
      let comments = IssueComments(
        provider: connection.provider, repository: name, number: issue.number)
      var pages = comments.makeAsyncIterator()
      // A failure is reported when the issue is read.
      guard !Task.isCancelled, let page = try? await pages.next(), page.count == issue.commentsCount
      else { continue }
      await emit(.ahead(page, on: issue, in: sheet.scope))
    }
  }

  /// Loads the comments, and again when the server is reachable again or its limit has ended.
  private func loadComments(on issue: GitHub.Issue, in state: BrowserState) async {
    guard let sheet = state.sheet, let place = sheet.repository(of: issue) else {
      return await emit(.commentsEnd(.online))
    }
    let name = place.name
    if isMirrored(sheet) {
      return await spinning { await loadMirrored(on: issue, of: sheet.reference ?? place) }
    }
    let connection: BrowserConnection
    do {
      connection = try await source.connection(to: place.host)
    } catch {
      return await emit(.commentsEnd(.failed(ListLoading.oneLine(error))))
    }
    let comments = IssueComments(
      provider: connection.provider, repository: name, number: issue.number)
    var (shown, failures) = (Set<Int64>(), 0)
    while !Task.isCancelled {
      let failure = await spinning { await load(comments, &shown) }
      guard let failure else { return await emit(.commentsEnd(.online)) }
      guard !Task.isCancelled else { return }
      await emit(.request(failure.message))
      switch RepositorySearchOutcome(failure, now: now()) {
      case .limitExceeded(let end):
        await emit(.commentsEnd(.limited(until: end)))
        await BrowserWork.countDown(to: end, by: clock, now, emit)
      case .offline:
        failures += 1
        connection.reachability.reportFailure()
        await emit(.commentsEnd(.offline))
        await connection.reachability.waitUntilReachable()
        if let pause = RepositorySearch.pause(afterFailures: failures) {
          try? await clock.sleep(for: pause)
        }
      case .page, .failed:
        let reason = connection.explain(failure, "the comments on #\(issue.number) of \(name)")
        return await emit(.commentsEnd(.failed(reason)))
      }
      await emit(.loading)
    }
  }

  /// Shows the comments that aren't shown yet.
  private func load(_ comments: IssueComments, _ shown: inout Set<Int64>) async -> NetworkError? {
    do throws(NetworkError) {
      for try await page in comments {
        let others = page.filter { shown.insert($0.id).inserted }
        if others.isEmpty { continue }
        await emit(.comments(others))
        await layOut()
      }
      return nil
    } catch {
      return error
    }
  }

  private func spinning<Value: Sendable>(
    _ spins: Bool = true, _ work: () async -> Value
  ) async -> Value {
    spins ? await BrowserWork.spinning(by: clock, emit, during: work) : await work()
  }

  /// Whether the comments come from the mirror. Comments that aren't mirrored are loaded from the server if it can be
  /// reached.
  private func isMirrored(_ sheet: IssueSheet) -> Bool {
    guard let listing = sheet.mirror else { return false }
    return source.freshen == nil || sheet.isStandIn || listing.hasComments
  }

  private func loadMirrored(on issue: GitHub.Issue, of reference: RepositoryReference) async {
    do {
      let (comments, absence) = try await MirrorLoading(source: source)
        .comments(on: issue.number, of: reference)
      await emit(.comments(comments))
      await layOut()
      await emit(.commentsEnd(absence.map { .failed($0.description) } ?? .online))
    } catch {
      guard !Task.isCancelled else { return }
      await emit(.commentsEnd(.failed(ListLoading.oneLine(error))))
    }
  }

  func layOut() async {
    guard let state = state(), let reader = state.reader, let page = state.readerPage else {
      return
    }
    var issuePage = IssuePage(
      issue: reader.issue, comments: reader.comments, now: now(), width: page.width,
      repositoryURL: await repositoryURL(state))
    issuePage.look = state.look
    issuePage.pending = state.sheet?.pending(on: reader.issue)
    issuePage.showsStanding = false
    issuePage.hasStrikethrough = state.look.strikesThrough
    issuePage.images = state.imageBoxes
    guard let document = await pageLayout.document(of: issuePage, page) else { return }
    await emit(.document(document, of: page))
  }

  private func repositoryURL(_ state: BrowserState) async -> String? {
    guard let issue = state.reader?.issue, let place = state.sheet?.repository(of: issue),
      let server = try? await source.server(of: place.host)
    else { return nil }
    return server.webURL(of: place.name)
  }
}
