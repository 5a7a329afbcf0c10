internal import IssueTracker
internal import PlatformModules

extension RepositorySync {
  /// The time after which timelines are requested again from a server without timelines, in seconds. The server may
  /// have been updated.
  private static let lackAge = 30 * 86_400.0

  /// Requests the timelines of issues that have changed since the last request for them, the most recently changed
  /// first. Each timeline is stored as it arrives, so after an interruption the next sync continues there.
  ///
  /// No list of a repository's events is complete: <https://docs.github.com/en/rest/issues/events> lacks
  /// cross-references. So each issue requires a request.
  mutating func timelines() async throws {
    if let since = repository.lacksTimelinesSince, !options.verifies,
      !began.isApart(from: since, seconds: Self.lackAge)
    {
      report.lacksTimelines = options.includesTimelines
      return
    }
    var due = try await store.outdatedTimelines(
      of: repository, includingCurrent: options.verifies && options.includesTimelines)[...]
    let total = due.count
    var done = 0
    if total > 0 { tell(SyncProgress(phase: .timelines, stored: 0, total: total)) }
    // A server without timelines receives only a single request.
    var isKnown = try await store.count(.timelines, of: repository) > 0
    while !isKnown, let first = due.popFirst() {
      if try await keep(requests.timeline(of: first, in: repository, store: store)) != .missing {
        isKnown = true
      } else if try await requests.isThere(first.number, in: repository) {
        repository = try await store.note(.missing, of: repository, at: now)
        report.lacksTimelines = options.includesTimelines
        return
      }
      done += 1
      tell(SyncProgress(phase: .timelines, stored: done, total: total))
    }
    let (requests, store, repository) = (requests, store, repository)
    let rest = Array(due)
    var isWhole = true
    try await inParallel(Array(rest.indices), jobs: options.jobs) { index in
      try await requests.timeline(of: rest[index], in: repository, store: store)
    } each: { _, answer in
      if try await keep(answer) == .tooLong { isWhole = false }
      done += 1
      tell(SyncProgress(phase: .timelines, stored: done, total: total))
    }
    report.hasUnreadTimelines = !isWhole
    guard isWhole else { return }
    self.repository = try await store.note(.complete, of: repository, at: now)
  }

  private enum Outcome {
    case kept
    case missing
    case tooLong
  }

  private mutating func keep(_ answer: SyncRequests.TimelineAnswer) async throws -> Outcome {
    switch answer {
    case .told(let timeline):
      if try await store.store(timeline, of: repository) { report.timelines += 1 }
      return .kept
    // A verification will find out whether the issue still exists.
    case .missing: return .missing
    case .tooLong: return .tooLong
    }
  }
}
