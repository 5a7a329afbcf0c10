internal import IssueTracker

/// Bringing comments up to date.
extension SyncRun {
  /// Fetches comments that are new or have changed, and removes deleted ones.
  mutating func comments() async throws {
    var first: TimelineRequests.Page?
    var isUnchanged = false
    if repository.commentsSyncedTo != nil,
      try await mirror.sweep(.comments, of: repository) == nil
    {
      switch try await changes(on: .comments) {
      case .nothing: isUnchanged = true
      case .found(let page): first = page
      }
    }
    if !isUnchanged {
      if description == nil { try await lookUpAgain() }
      try await bringUpToDate(.comments, first: first)
    }
    try await removeDeletedComments()
  }

  /// A deleted comment shows in no list, but the server's count of its issue's comments is one less. Those of
  /// the issue are asked for anew then. Without a verification, only issues are looked at that have changed
  /// since this was last done to its end.
  ///
  /// - Throws: ``HTTPTargets/NetworkError``; ``MirrorFailure``.
  private mutating func removeDeletedComments() async throws {
    let (requests, name, id) = (requests, repository.fullName, repository.serverID)
    let time = now
    let numbers = try await mirror.miscountedNumbers(
      of: repository,
      seenSince: report.isVerified ? 0 : repository.commentsCheckedAt?.seconds ?? 0)
    try await inParallel(numbers, jobs: options.jobs) { number in
      try await requests.comments(on: number, in: name, id: id)
    } each: { number, pages in
      // Of an issue that is gone, a verification finds out what became of it.
      guard let pages else { return }
      for page in pages {
        report.count(
          try await mirror.store(page, of: repository, sweep: nil, at: now), of: .comments)
      }
      let ids = pages.flatMap { $0.entries.map(\.id) + $0.unreadable.map(\.id) }
      report.comments.removed += try await mirror.removeComments(
        on: number, of: repository, except: ids)
    }
    repository = try await mirror.confirm(.comments, of: repository, at: time)
  }
}
