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
    let issue = reader.issue
    let pause = state.sheet.map(isMirrored) == true ? nil : pause
    if reader.isLoading {
      await BrowserWork.spinning(by: clock, emit) {
        if let pause, (try? await clock.sleep(for: pause)) == nil { return }
        await loadComments(on: issue, in: state)
      }
    } else if let pause, state.isPreviewing {
      try? await clock.sleep(for: pause)
    }
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

  private func loadComments(on issue: GitHub.Issue, in state: BrowserState) async {
    guard let sheet = state.sheet, let place = sheet.repository(of: issue) else {
      return await emit(.commentsEnd(failure: nil))
    }
    let name = place.name
    if isMirrored(sheet) { return await loadMirrored(on: issue, of: sheet.reference ?? place) }
    let connection: BrowserConnection
    do {
      connection = try await source.connection(to: place.host)
    } catch {
      return await emit(.commentsEnd(failure: ListLoading.oneLine(error)))
    }
    do throws(NetworkError) {
      let comments = IssueComments(
        provider: connection.provider, repository: name, number: issue.number)
      for try await page in comments {
        await emit(.comments(page))
        await layOut()
      }
      await emit(.commentsEnd(failure: nil))
    } catch {
      guard !Task.isCancelled else { return }
      await emit(.request(error.message))
      let reload = state.keyMap.shown("r")
      let reason =
        switch RepositorySearchOutcome(error, now: now()) {
        case .limitExceeded(let end):
          "rate limited until \(LocalTime.hoursAndMinutes(of: end)); then press \(reload)"
        case .offline:
          "\(place.host ?? state.host) can't be reached; press \(reload) to try again"
        case .page, .failed:
          connection.explain(error, "the comments on #\(issue.number) of \(name)")
        }
      await emit(.commentsEnd(failure: reason))
    }
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
      await emit(.commentsEnd(failure: absence?.description))
    } catch {
      guard !Task.isCancelled else { return }
      await emit(.commentsEnd(failure: ListLoading.oneLine(error)))
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
