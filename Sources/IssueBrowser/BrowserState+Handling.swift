internal import IssueTracker
internal import StyledText
package import TerminalScreen

/// The only place where events change the state.
extension BrowserState {
  package enum Event: Sendable {
    case start
    case input(InputEvent)
    case result(BrowserWork.Result, of: BrowserWork)
    case copied(CopyOutcome)
  }

  package enum Effect: Sendable, Hashable {
    /// Begins work, in place of running work of its kind.
    case begin(BrowserWork)
    case cancel(BrowserWork.Kind)
    case cancelAll

    func ends(_ work: BrowserWork) -> Bool {
      switch self {
      case .begin(let next): next.kind.replaces(work.kind)
      case .cancel(let kind): kind.replaces(work.kind)
      // Even after the screen closes, pages are opened and changes are saved or sent.
      case .cancelAll: work.kind != .open && work.kind != .acting
      }
    }
  }

  /// Handles an event. The reactor carries out the effects in their order.
  @discardableResult
  package mutating func handle(_ event: Event) -> [Effect] {
    guard !isFinished else { return [] }
    let before = Mark(self)
    switch event {
    case .start:
      if !beginWithViews() { submitSearch() }
      let refreshing = refreshInterval.flatMap {
        $0 > .zero ? Effect.begin(.refresh(every: $0)) : nil
      }
      return [.begin(.clock), .begin(.acting(.follow))] + [refreshing].compactMap(\.self)
        + effects(since: before, of: nil)
    case .input(.background(let color)):
      look.background = color
      return effects(since: before, of: nil)
    case .input(.showsImages(let cell)):
      self.cell = cell
      return effects(since: before, of: nil)
    case .input(let input):
      let command = BrowserKeys.command(for: input, in: self)
      if case .resized = input {} else { message = nil }
      guard let command else {
        count = nil
        message = KeyTable.reason(for: input, in: self)
        return []
      }
      if !command.traits.contains(.keepsGoing) { list.goesToEnd = false }
      // Any other command is the chosen action.
      if !command.traits.contains(.keepsPalette) { palette = nil }
      if !command.traits.contains(.keepsHints) { hints = nil }
      if command != .repaint { copying.expectsMore = false }
      let (left, wasAtRest) = (place, isAtRest)
      perform(command)
      switch command {
      case .count, .resize, .repaint: break
      case .editSearch(.insert) where search.field.isFull,
        .editFilter(.insert) where filter.field?.isFull == true,
        .editFind(.insert) where reader?.find?.field?.isFull == true:
        message = TextField.fullMessage
      default: count = nil
      }
      followPreview()
      remember(left, wasAtRest: wasAtRest, after: command)
      if command == .stopLoading { return [.cancel(.list)] }
      return effects(since: before, of: command)
    case .copied(let outcome):
      noteCopy(outcome)
      return []
    case .result(let result, let work):
      guard wants(work) else { return [] }
      take(result, of: work)
      followPreview()
      return effects(since: before, of: nil)
    }
  }

  func wants(_ work: BrowserWork) -> Bool {
    guard !isFinished else { return false }
    return switch work {
    case .list(let revision, _), .pages(let revision, _): revision == revisions.list
    case .completions(let revision): revision == revisions.completions
    case .names(let revision): revision == revisions.names
    case .reader(let revision, _), .layout(let revision): revision == revisions.reader
    case .image(let source): source == nextImage
    case .views(let revision): revision == revisions.views
    case .open, .openLink, .address, .refresh, .acting, .clock: true
    }
  }

  // MARK: Commands

  private mutating func perform(_ command: BrowserCommand) {
    let height = readerHeight
    switch command {
    case .resize(let size): resize(to: size)
    case .quit: quit()
    case .suspend: suspensions += 1
    case .repaint: repaints += 1
    case .showHelp: help = KeyHelp()
    case .hideHelp: help = nil
    case .editHelp(let edit): help?.edit(edit)
    case .scrollHelp(let motion):
      help?.scroll(motion, in: size, isPlain: look.symbols.isPlain)
    case .openPalette: palette = Palette()
    case .closePalette: palette = nil
    case .editPalette(let edit): palette?.edit(edit)
    case .selectAction(let step):
      let rows = paletteRows.count
      palette?.move(by: step, among: rows)
    case .focus(let pane): focus(pane)
    case .openPage: break
    case .refresh: refresh()
    case .showRequest:
      if problem == nil, reader?.standing ?? .online == .online {
        message = list.request
      } else {
        list.showsRequest.toggle()
      }
    case .count(let digit): count = min((count ?? 0) * 10 + digit, Self.maximumCount)
    case .editSearch(let edit): editSearch(edit)
    case .leaveSearch: leaveSearch()
    case .submitSearch: submitSearch()
    case .selectCompletion(let selection): search.completions?.selection = selection
    case .takeCompletion(let index, let isFinal): takeCompletion(index, isFinal: isFinal)
    case .beginCommand(let mark): beginCommand(mark)
    case .moveCounted(let key):
      guard let (motion, state) = counted(by: key) else { break }
      self = state
      perform(motion)
    case .openIssue(let issue): open(issue)
    case .move(let motion):
      move(motion)
      followSelection()
    case .stopLoading: list.giveUpLoading()
    case .scrollList(let rows): scrollList(to: list.cursor.top + rows)
    case .select(let row):
      focus(.list)
      list.cursor.selection = row
      revealSelection()
      followSelection()
    case .enter: enter()
    case .goBack: goBack()
    case .sort: openOrders()
    case .moveOrder(let step): filter.orders?.move(by: step)
    case .takeOrder(let index): takeOrder(index)
    case .closeOrders: filter.orders = nil
    case .openFilter: openFilter()
    case .editFilter(let edit): editFilter(edit)
    case .completeFilter(let index): completeFilter(index)
    case .selectFilterCompletion(let selection): filter.completions?.selection = selection
    case .closeFilterCompletions: filter.completions = nil
    case .applyFilter: applyFilter()
    case .closeFilter: closeFilter()
    case .dropFilter: dropFilter()
    case .moveReader(let motion): reader?.move(motion, height: height, count: count)
    case .scrollReader(let lines): scrollReader(by: lines)
    case .readOther(let step): readOther(step)
    case .goToComment(let step): reader?.goToComment(step, height: height)
    case .closeReader: closeReader()
    case .showStart: showStart()
    case .openView(let number): openView(number)
    case .openInbox: openInbox()
    case .leaveToViews: leaveToViews()
    case .travel(let step): travel(step)
    case .copy(let subject): copy(subject)
    case .openHints: openHints()
    case .typeHint(let digit): hints?.typed.append(digit)
    case .closeHints: hints = nil
    case .openLink: break
    case .togglePreview: togglePreview()
    case .openFind: reader?.openFind()
    case .editFind(let edit): reader?.editFind(edit, height: height)
    case .keepFind: reader?.keepFind(height: height)
    case .dropFind: reader?.dropFind(height: height)
    case .goToMatch(let step): reader?.goToMatch(step, height: height)
    case .act(let command): act(command)
    }
  }

  /// The visible pane after Tab (1) or Shift-Tab (-1).
  func pane(after step: Int) -> Pane {
    let panes: [Pane] =
      reader == nil
      ? [.search, .list]
      : layout.showsBoth || isPreviewing ? [.search, .list, .reader] : [.search, .reader]
    let index = panes.firstIndex(of: pane) ?? 0
    return panes[(index + step + panes.count) % panes.count]
  }

  // MARK: The window

  private mutating func resize(to size: ScreenSize) {
    let showedMatch = reader?.showsMatch(height: readerHeight) == true
    self.size = size
    // A covered list can't have the focus.
    if reader != nil, !layout.showsBoth, pane == .list {
      if preview.isOn { leaveReader() } else { pane = .reader }
    }
    followPreview()
    revealSelection()
    scrollReader(by: 0)
    let height = readerHeight
    if showedMatch { reader?.revealMatch(height: height) }
  }

  mutating func focus(_ pane: Pane) {
    if pane == .search {
      search.field.selectAll()
    } else {
      closeCompletions()
      search.field.deselect()
      // The number was typed but not entered.
      if ListQuery.isCommand(search.text) {
        search.field =
          history.departure?.search ?? TextField(sheet?.reference?.description ?? "")
      }
    }
    // A narrow window has room for only one of the panes.
    if pane != .reader, reader != nil, !layout.showsBoth { closeReader() }
    self.pane = pane
  }

  // MARK: Effects

  private struct Mark {
    let revisions: Revisions
    let searchText: String
    let page: ReaderPage?
    let image: WebLink?

    init(_ state: BrowserState) {
      revisions = state.revisions
      searchText = state.search.text
      page = state.pageBesideComments
      image = state.nextImage
    }
  }

  private mutating func effects(since before: Mark, of command: BrowserCommand?) -> [Effect] {
    if isFinished { return [.cancelAll] }
    defer { acting.due = [] }
    let effects = [
      listEffect(since: before, of: command), completionEffect(since: before, of: command),
      revisions.names == before.revisions.names
        ? nil : .begin(.names(revision: revisions.names)),
      readerEffect(since: before, of: command),
      nextImage == before.image ? nil : nextImage.map { .begin(.image($0)) } ?? .cancel(.images),
      revisions.views == before.revisions.views ? nil : .begin(.views(revision: revisions.views)),
      pageEffect(of: command),
    ]
    return effects.compactMap(\.self) + acting.due.map { .begin(.acting($0)) }
  }

  private func pageEffect(of command: BrowserCommand?) -> Effect? {
    switch command {
    case .openPage: selectedPage.map { .begin(.open($0)) }
    case .openLink(let link): .begin(.openLink(link))
    case .copy(.address): selectedPage.map { .begin(.address($0)) }
    default: nil
    }
  }

  private mutating func listEffect(
    since before: Mark, of command: BrowserCommand?
  ) -> Effect? {
    let revision = revisions.list
    if revision != before.revisions.list {
      guard let rest = list.query.pause else { return .cancel(.list) }
      // A list that was shown before is reloaded only if it isn't complete, and then without a pause.
      let traits = command?.traits ?? []
      let pause =
        traits.contains(.types) ? rest : traits.contains(.goesBack) ? Duration.zero : nil
      list.isPausing = pause != nil
      return .begin(.list(revision: revision, pause: pause))
    }
    guard command?.traits.contains(.scrolls) == true, wantsNextPage, !list.isLoading else {
      return nil
    }
    beginPages()
    return .begin(.pages(revision: revision, turn: revisions.pages))
  }

  private func completionEffect(
    since before: Mark, of command: BrowserCommand?
  ) -> Effect? {
    guard revisions.completions != before.revisions.completions else { return nil }
    return command?.traits.contains(.types) == true && search.text != before.searchText
      && !search.text.isEmpty
      && !search.text.contains("#") && !ListQuery.isCommand(search.text)
      ? .begin(.completions(revision: revisions.completions)) : .cancel(.completions)
  }

  private func readerEffect(since before: Mark, of command: BrowserCommand?) -> Effect? {
    let revision = revisions.reader
    if revision != before.revisions.reader {
      // Comments aren't needed for an issue that the user only scrolls past.
      let pause: Duration? =
        command?.traits.contains(.passes) == true ? .milliseconds(300) : nil
      return reader == nil
        ? .cancel(.reader) : .begin(.reader(revision: revision, pause: pause))
    }
    return reader != nil && pageBesideComments != before.page
      ? .begin(.layout(revision: revision)) : nil
  }

  // MARK: Results

  private mutating func take(_ result: BrowserWork.Result, of work: BrowserWork) {
    switch result {
    case .time(let now): self.now = now
    // If both the list and the reader are loading, only one of them turns the spinner.
    case .spin: if work.kind != .reader || !list.isLoading { spinner += 1 }
    case .message(let message): self.message = message
    case .notice(let words): note(words)
    case .address(let url): copying.copy(url, url)
    case .acting(let result): take(result)
    case .request(let request): list.request = request
    case .beginPages: beginPages()
    case .loading:
      if work.kind == .reader {
        reader?.isLoading = true
        reader?.standing = .online
      } else {
        list.isLoading = true
      }
    case .rested: list.isPausing = false
    case .kept(let query, let standing):
      if list.keep(query, standing) { list.isLoading = wantsNextPage }
    case .settled:
      if list.nextPage == nil { list.goesToEnd = false }
      list.isLoading = wantsNextPage
    case .repositories(let found): show(found)
    case .inbox(let inbox): show(inbox)
    case .issues(let sheet):
      list.forgetRequest()
      show(sheet)
    case .moreIssues(let page):
      list.forgetRequest()
      append(page)
    case .refreshed(let page, let filter): refresh(with: page, of: filter)
    case .failure(let query, let standing): fail(query, standing)
    case .addressed(let issue): readAddressed(issue)
    case .completions(let predictions): offer(predictions)
    case .names(let names, let scope):
      filter.take(names, of: scope, isFiltered: filteredQuery?.scope == scope)
    case .comments(let comments): reader?.comments += comments
    case .ahead(let comments, let issue, let scope):
      preview.keep(comments, on: issue, in: scope)
    case .commentsEnd(let standing):
      reader?.isLoading = false
      reader?.standing = standing
    case .startPage(let page): show(page)
    case .document(let document, let page): show(document, of: page)
    case .image(let outcome): if let source = nextImage { reader?.images.take(outcome, of: source) }
    }
  }

  /// Ends other work that loads pages of the list. Only the caller loads them from now on.
  private mutating func beginPages() {
    list.isLoading = true
    revisions.pages += 1
  }
}
