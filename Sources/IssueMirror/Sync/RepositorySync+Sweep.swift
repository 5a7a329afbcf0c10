internal import ConcurrencyPrimitives
internal import GitHubAPI
internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules

extension RepositorySync {
  /// The age in seconds of a sweep after which the items that it has seen may be gone.
  private static let unnoticed = 86_400

  /// The limit of pages per transaction. More pages would save little time and take memory.
  private static let mostStoredAtOnce = 8

  private typealias Arrival = (ask: SweepAsk, page: Result<SyncRequests.Page, NetworkError>)

  /// Continues the unfinished sweep of a feed, or begins the sweep that is due. `first` is the first page of changes,
  /// if already requested.
  mutating func bringUpToDate(_ feed: ChangeFeed, first: SyncRequests.Page?) async throws {
    let time = answer?.time ?? 0
    let pending = try await store.state(of: repository)?.sweeps[feed]
    if let pending {
      let isOutdated = options.verifies || time - pending.began >= Self.unnoticed
      guard pending.purpose == .verification, isOutdated else {
        return try await go(through: pending, of: feed)
      }
    }
    if let syncedTo = repository.syncedTo(feed), pending == nil,
      feed == .comments && !options.verifies || first != nil || !isVerificationDue
    {
      try await begin(Sweep(changesSince: syncedTo, began: time), of: feed, first: first)
    } else {
      let isFirst = repository.syncedTo(feed) == nil
      try await beginEverything(
        isFirst ? .first : .verification, of: feed, inPlaceOf: pending)
    }
  }

  mutating func verify() async throws {
    try await beginEverything(.verification, of: .items)
  }

  private mutating func beginEverything(
    _ purpose: Sweep.Purpose, of feed: ChangeFeed, inPlaceOf old: Sweep? = nil
  ) async throws {
    let total = try await total(of: feed)
    let pages = total.map { ($0 + SweepAnswer.pageSize - 1) / SweepAnswer.pageSize }
    let created = answer?.repository.createdAt?.seconds ?? 0
    let began = max(answer?.time ?? 0, requests.serverTime)
    let streams = min(
      options.jobs, pages.map { $0 / options.leastPagesPerStream } ?? options.jobs)
    var sweep =
      !requests.isOrdered(feed) || options.leastPagesPerStream > 1 && streams < 2
      ? Sweep(everythingInOneGo: purpose, began: began)
      : Sweep(everything: purpose, created: created, began: began, streams: streams)
    sweep.total = total
    try await begin(sweep, of: feed, inPlaceOf: old)
  }

  private func total(of feed: ChangeFeed) async throws -> Int? {
    switch feed {
    case .items: try await requests.newestNumber(in: repository.fullName) ?? 0
    case .comments: try await store.count(.countedComments, of: repository)
    }
  }

  private mutating func begin(
    _ sweep: Sweep, of feed: ChangeFeed, inPlaceOf old: Sweep? = nil,
    first: SyncRequests.Page? = nil
  ) async throws {
    let begun = try await store.begin(
      sweep, feed, of: repository, inPlaceOf: old, at: now)
    // If this is another sync's sweep, it may need another page first.
    let isOwn = begun.stretches == sweep.stretches
    try await go(through: begun, of: feed, first: isOwn ? first : nil)
  }

  private mutating func go(
    through sweep: Sweep, of feed: ChangeFeed, first: SyncRequests.Page? = nil
  ) async throws {
    var machine = SweepStateMachine(
      sweep, jobs: options.jobs, leastPages: options.leastPagesPerStream,
      isOrdered: requests.isOrdered(feed))
    let isVerification = sweep.purpose == .verification
    var isKept = try await stream(&machine, of: feed, first: first)
    if isKept {
      if let failure = machine.failure { throw failure }
      if isVerification {
        isKept =
          switch feed {
          case .items: try await checkUnseen(machine.sweep)
          case .comments: try await checkUnseenComments(machine.sweep)
          }
      }
      if sweep.purpose == .first { try await refuseNothing(machine.sweep, of: feed) }
    }
    guard isKept else { return try await goOn(after: sweep, of: feed) }
    let isFresh = (answer?.time ?? 0) - sweep.began < Self.unnoticed
    repository = try await store.finish(
      feed, of: repository, sweep: sweep,
      syncedTo: machine.sweep.syncedTo ?? sweep.began, entityTag: machine.entityTag,
      isVerified: feed == .items && (isVerification || sweep.purpose == .first && isFresh),
      provesTo: feed == .items && sweep.purpose != .changes ? sweep.total : nil, at: now)
    if isVerification, feed == .items {
      report.isVerified = true
      let latest = try await store.latestChange(of: repository) ?? 0
      report.hasUncomparedChanges =
        options.verifies && latest >= machine.sweep.began - Sweep.lateness
    }
    // The sweep was interrupted at its very end, so later changes are missing.
    if sweep.stretches.isEmpty, case .found(let first) = try await changes(on: feed) {
      try await bringUpToDate(feed, first: first)
    }
  }

  /// Throws if the list is empty although the repository has items: such a server would hide changes too.
  private mutating func refuseNothing(_ sweep: Sweep, of feed: ChangeFeed) async throws {
    guard feed == .items, sweep.stored == 0, let newest = sweep.total, newest > 0 else {
      return
    }
    try await store.drop(sweep)
    throw NetworkError(
      .decoding,
      """
      the newest issue or pull request of \(repository.fullName) has the number \(newest), but the list is \
      empty: sync it again
      """)
  }

  /// Continues after another sync has ended or replaced the sweep. Only a verification replaces a verification, so if
  /// the other sweep has ended too, it was a verification.
  private mutating func goOn(after sweep: Sweep, of feed: ChangeFeed) async throws {
    let state = try await store.state(of: repository)
    repository = state?.repository ?? repository
    if let other = state?.sweeps[feed] {
      try await go(through: other, of: feed)
    } else if state == nil || repository.syncedTo(feed) == nil {
      throw MirrorFailure.removed(repository)
    } else if sweep.purpose == .verification, feed == .items {
      report.isVerified = true
    }
  }

  /// Requests and stores the pages that the machine needs. Returns false immediately if the sweep no longer exists.
  /// Pages that arrive during a transaction share the next transaction, and a segment of the search index.
  private mutating func stream(
    _ machine: inout SweepStateMachine, of feed: ChangeFeed, first: SyncRequests.Page?
  ) async throws -> Bool {
    let (requests, name, repository) = (requests, repository.fullName, repository)
    let phase: SyncProgress.Phase =
      feed == .comments
      ? .comments : machine.sweep.purpose == .verification ? .verifying : .items
    var first = first
    let arrivals = Locked<[Arrival]>([])
    tell(phase, machine.sweep)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      func ask() async throws {
        // Pages that are requested together share a ticket.
        var ticket: StoreTicket?
        while let ask = machine.next() {
          let early = first
          first = nil
          let asked =
            if let ticket { ticket } else { try await store.ticket(of: repository) }
          ticket = asked
          group.addTask {
            let page: Result<SyncRequests.Page, NetworkError>
            do throws(NetworkError) {
              if let early {
                page = .success(early)
              } else {
                page = .success(
                  try await requests.page(of: feed, ask, name: name, ticket: asked))
              }
            } catch {
              page = .failure(error)
            }
            arrivals.withLock { $0.append((ask, page)) }
          }
        }
      }
      try await ask()
      while try await group.next() != nil {
        let arrived = arrivals.withLock { arrivals in
          let taken = arrivals.prefix(Self.mostStoredAtOnce)
          arrivals.removeFirst(taken.count)
          return taken
        }
        for _ in arrived.dropFirst() { try await group.next() }
        var pages: [SyncRequests.Page] = []
        for (answered, result) in arrived {
          switch result {
          case .failure(let error): machine.fail(answered, error)
          case .success(let page):
            machine.receive(page.answer, to: answered)
            pages.append(page)
          }
        }
        // The next pages are requested while these are stored.
        try await ask()
        guard !pages.isEmpty else { continue }
        try await confirm(pages)
        let stored = try await store.store(
          Self.contents(of: pages, machine.sweep.purpose, feed), of: repository,
          sweep: machine.sweep, at: now)
        report[feed] += stored.counts
        tell(phase, machine.sweep)
        if stored.isSweepGone {
          group.cancelAll()
          return false
        }
      }
      return true
    }
  }

  /// The pages' entries, marked as the server's present versions in a verification.
  private static func contents(
    of pages: [SyncRequests.Page], _ purpose: Sweep.Purpose, _ feed: ChangeFeed
  ) -> FeedPage {
    let contents = pages.map { page in
      var contents = page.contents
      if purpose == .verification {
        contents.notePresent(before: page.answer.askedAt - Sweep.lateness)
      }
      return contents
    }
    return FeedPage(
      contents.flatMap(\.entries), unreadable: contents.flatMap(\.unreadable), of: feed)
  }

  private func tell(_ phase: SyncProgress.Phase, _ sweep: Sweep) {
    tell(SyncProgress(phase: phase, stored: sweep.stored, total: sweep.total))
  }
}

extension RepositorySync {
  /// Checks that pages belong to the repository. GitHub's links contain the repository's id. Pages without links belong
  /// to the repository that a later lookup finds, because ids aren't reused.
  mutating func confirm(_ pages: [SyncRequests.Page]) async throws {
    let id = repository.serverID
    let unidentified = pages.filter { $0.repositoryID == nil }
    lastUnidentified = unidentified.map(\.received).reduce(lastUnidentified, max)
    guard pages.allSatisfy({ $0.repositoryID ?? id == id }) else {
      throw NetworkError.replaced(repository.fullName)
    }
    let asked = answer?.asked ?? 0
    let isKnown = pages.allSatisfy { page in
      page.contents.entries.isEmpty
        || (page.repositoryID != nil || page.received <= asked) && names(page)
    }
    guard !isKnown else { return }
    try await lookUpAgain()
    guard pages.allSatisfy(names) else {
      throw NetworkError(
        .decoding,
        "the list of \(repository.fullName) has entries of another repository: sync it again")
    }
  }

  private func names(_ page: SyncRequests.Page) -> Bool {
    page.contents.entries.allSatisfy { entry in
      guard let address = entry.repositoryURL else { return true }
      let parts = address.split(separator: "/").suffix(2)
      if parts.first == "repositories" { return parts.last == "\(repository.serverID)" }
      return parts.joined(separator: "/").lowercased() == repository.fullName.lowercased()
    }
  }
}
