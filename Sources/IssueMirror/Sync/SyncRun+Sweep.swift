internal import IssueTracker
internal import Locking

/// Going through a time line.
extension SyncRun {
  /// For how many seconds of deletions an undisturbed first sync is taken to have none: a day.
  private static let unnoticed = 86_400

  /// How many pages are stored in one transaction, at most. More would save little, and take memory.
  private static let mostStoredAtOnce = 4

  /// A page that was asked for, or why there is none.
  private typealias Arrival = (ask: SweepAsk, page: Result<TimelineRequests.Page, NetworkError>)

  /// Goes on with the sweep of a time line that is under way, or else makes the one that is due.
  ///
  /// - Parameters:
  ///   - timeline: The time line.
  ///   - first: The first page of what has changed, if it is there already.
  /// - Throws: ``HTTPTargets/NetworkError``; ``MirrorFailure``.
  mutating func bringUpToDate(_ timeline: Timeline, first: TimelineRequests.Page?) async throws {
    if let sweep = try await mirror.sweep(timeline, of: repository) {
      return try await go(through: sweep, of: timeline)
    }
    let time = description?.time ?? 0
    if let syncedTo = repository.syncedTo(timeline),
      timeline == .comments || first != nil || !isVerificationDue
    {
      try await begin(Sweep(changesSince: syncedTo, began: time), of: timeline, first: first)
    } else {
      let isFirst = repository.syncedTo(timeline) == nil
      try await beginEverything(isFirst ? .first : .verification, of: timeline)
    }
  }

  /// Goes through all items, for what was deleted or transferred.
  mutating func verify() async throws {
    try await beginEverything(.verification, of: .items)
  }

  private mutating func beginEverything(
    _ purpose: Sweep.Purpose, of timeline: Timeline
  ) async throws {
    let total = try await total(of: timeline)
    let pages = total.map { ($0 + SweepAnswer.pageSize - 1) / SweepAnswer.pageSize }
    let created = description?.repository.createdAt?.seconds ?? 0
    let sweep = Sweep(
      everything: purpose, created: created, began: description?.time ?? 0,
      streams: min(options.jobs, pages ?? options.jobs))
    try await begin(sweep, of: timeline, total: total)
  }

  /// About how many entries a time line has; nil where that can't be told.
  private func total(of timeline: Timeline) async throws -> Int? {
    switch timeline {
    case .items: try await requests.newestNumber(in: repository.fullName) ?? 0
    case .comments: try await mirror.countedComments(of: repository)
    }
  }

  private mutating func begin(
    _ sweep: Sweep, of timeline: Timeline, first: TimelineRequests.Page? = nil,
    total: Int? = nil
  ) async throws {
    try await mirror.begin(sweep, timeline, of: repository)
    try await go(through: sweep, of: timeline, first: first, total: total)
  }

  private mutating func go(
    through sweep: Sweep, of timeline: Timeline, first: TimelineRequests.Page? = nil,
    total: Int? = nil
  ) async throws {
    var machine = SweepStateMachine(sweep, jobs: options.jobs)
    try await stream(&machine, of: timeline, first: first, total: total)
    if let failure = machine.failure { throw failure }
    let isVerification = sweep.purpose == .verification
    if isVerification { try await checkUnseen(machine.sweep) }
    let isFresh = (description?.time ?? 0) - sweep.began < Self.unnoticed
    repository = try await mirror.finish(
      timeline, of: repository, syncedTo: machine.sweep.syncedTo ?? sweep.began,
      entityTag: machine.entityTag,
      isVerified: timeline == .items && (isVerification || sweep.purpose == .first && isFresh),
      at: now)
    if isVerification { report.isVerified = true }
  }

  /// Asks for the pages that the machine wants, and stores them.
  ///
  /// Some that came while others were being stored are stored together: they share what a transaction and a
  /// segment of the search index cost. In memory are these, and at most as many as are asked for at once.
  private mutating func stream(
    _ machine: inout SweepStateMachine, of timeline: Timeline, first: TimelineRequests.Page?,
    total: Int?
  ) async throws {
    let (requests, name, repository) = (requests, repository.fullName, repository)
    let phase: SyncProgress.Phase =
      timeline == .comments
      ? .comments : machine.sweep.purpose == .verification ? .verifying : .items
    var progress = SyncProgress(phase: phase, total: total)
    var first = first
    let arrivals = Locked<[Arrival]>([])
    onProgress(progress)
    try await withThrowingTaskGroup(of: Void.self) { group in
      func ask() {
        while let ask = machine.next() {
          let early = first
          first = nil
          group.addTask {
            let page: Result<TimelineRequests.Page, NetworkError>
            do throws(NetworkError) {
              if let early {
                page = .success(early)
              } else {
                page = .success(try await requests.page(of: timeline, at: ask.place, name: name))
              }
            } catch {
              page = .failure(error)
            }
            arrivals.withLock { $0.append((ask, page)) }
          }
        }
      }
      ask()
      while try await group.next() != nil {
        let arrived = arrivals.withLock { arrivals in
          let taken = arrivals.prefix(Self.mostStoredAtOnce)
          arrivals.removeFirst(taken.count)
          return taken
        }
        var entries: [TimelinePage.Entry]?
        for (answered, result) in arrived {
          switch result {
          case .failure(let error): machine.fail(answered, error)
          case .success(let page):
            machine.receive(page.answer, to: answered)
            entries = (entries ?? []) + page.contents.entries
          }
        }
        // The next pages are on their way while these are stored.
        ask()
        guard let entries else { continue }
        let stored = try await mirror.store(
          TimelinePage(entries, of: timeline), of: repository, sweep: machine.sweep, at: now)
        report.count(stored, of: timeline)
        progress.stored += entries.count
        onProgress(progress)
      }
    }
  }
}

extension SyncReport {
  /// Counts what became of a page.
  mutating func count(_ stored: StoredPage, of timeline: Timeline) {
    let counts: WritableKeyPath<SyncReport, Counts> = timeline == .items ? \.items : \.comments
    self[keyPath: counts].inserted += stored.inserted
    self[keyPath: counts].updated += stored.updated
    self[keyPath: counts].unchanged += stored.unchanged
  }
}
