internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One run of a ``RepositorySync``: its steps, in order, and what came of them.
struct SyncRun {
  /// After how many seconds deleted and transferred issues are looked for by itself: a week.
  private static let verificationAge = 604_800.0

  let mirror: Mirror
  let options: RepositorySync.Options
  let requests: TimelineRequests
  let onProgress: @Sendable (SyncProgress) -> Void
  /// When it began, by this machine's clock.
  let began: Date
  private let sync: RepositorySync
  /// What the server says of the repository, once it was asked.
  private(set) var description: TimelineRequests.Description?
  /// What was done so far.
  var report: SyncReport

  init(_ sync: RepositorySync, _ onProgress: @escaping @Sendable (SyncProgress) -> Void) {
    self.sync = sync
    self.onProgress = onProgress
    mirror = sync.mirror
    options = sync.options
    requests = TimelineRequests(provider: sync.provider, now: sync.now)
    began = sync.now()
    report = SyncReport(
      repository: MirroredRepository(
        id: 0, host: sync.server.host, serverID: 0, fullName: sync.name.description))
  }

  /// The repository, as it is kept.
  var repository: MirroredRepository {
    get { report.repository }
    set { report.repository = newValue }
  }

  /// The time by this machine's clock.
  var now: Date { sync.now() }

  /// Does everything.
  mutating func perform() async throws -> SyncReport {
    onProgress(SyncProgress(phase: .lookingUp))
    try await items()
    if options.includesComments { try await comments() }
    report.requests = requests.count
    return report
  }

  /// Brings issues and pull requests up to date.
  private mutating func items() async throws {
    var first: TimelineRequests.Page?
    if let kept = try await mirror.repository(presentlyNamed: sync.name, on: sync.server) {
      repository = kept
      if try await asksForChangesFirst() {
        first = try await changes(on: .items)
        // The name is still its own, too: no other repository has the same list.
        guard first != nil else {
          repository = try await mirror.confirm(repository, at: now)
          return
        }
      }
    }
    let kept = repository
    let difference = kept.isComplete ? try await countDifference() : nil
    try await lookUp()
    // Another repository under the old name has nothing to do with what is kept of the old one.
    if repository.id != kept.id { first = nil }
    let wasComplete = repository.isComplete
    try await bringUpToDate(.items, first: first)
    guard !report.isVerified else { return }
    if options.verifies {
      try await verify()
    } else if wasComplete, try await isMiscounted(otherThan: difference) {
      try await verify()
    }
  }

  /// Whether a list of changes tells what is to be done: not where all numbers are gone through anyway.
  private func asksForChangesFirst() async throws -> Bool {
    guard repository.isComplete, !isVerificationDue else { return false }
    return try await mirror.sweep(.items, of: repository) == nil
  }

  /// Whether deleted and transferred issues are to be looked for.
  var isVerificationDue: Bool {
    guard !options.verifies, let verified = repository.verifiedAt else { return true }
    return began.timeIntervalSince(verified) >= Self.verificationAge
  }

  /// Asks the server for the repository, and keeps what it says.
  mutating func lookUp() async throws {
    let found = try await requests.description(of: repository.fullName)
    description = found
    repository = try await mirror.record(
      found.repository, json: found.json, on: sync.server.host, under: sync.name, at: now)
  }

  /// Looks the repository up again.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` where the name is another one's by now.
  mutating func lookUpAgain() async throws {
    let known = repository
    try await lookUp()
    guard repository.id == known.id else {
      repository = known
      throw NetworkError(
        .decoding, "\(known.fullName) became another repository meanwhile: sync it once more")
    }
  }

  /// Asks whether there is anything new on a time line; nil where there isn't.
  func changes(on timeline: Timeline) async throws -> TimelineRequests.Page? {
    try await requests.page(
      of: timeline, at: .since((repository.syncedTo(timeline) ?? 0) - 1),
      name: repository.fullName, ifNot: try await mirror.entityTag(of: timeline, of: repository))
  }

  // MARK: - What the server counts

  /// How many more items are open by the server's count than are kept.
  private func countDifference() async throws -> Int? {
    guard let count = try await mirror.openCount(of: repository) else { return nil }
    let counts = try await mirror.counts(of: repository)
    return count - counts.open - counts.openPullRequests
  }

  /// Whether the server counts other numbers of open items than are kept.
  ///
  /// What changes between two answers makes a difference too, so that both are asked for once more. A difference
  /// that was there before is the server's own: it has been looked into.
  private mutating func isMiscounted(otherThan known: Int?) async throws -> Bool {
    func isDifferent(_ difference: Int?) -> Bool {
      difference != nil && difference != 0 && difference != known
    }
    guard isDifferent(try await countDifference()) else { return false }
    if let page = try await changes(on: .items) { try await bringUpToDate(.items, first: page) }
    try await lookUpAgain()
    return isDifferent(try await countDifference())
  }
}

extension MirroredRepository {
  /// Up to when everything of a time line is here, in seconds since 1970 by the server's clock.
  func syncedTo(_ timeline: Timeline) -> Int? {
    (timeline == .items ? syncedTo : commentsSyncedTo).map { Int($0.timeIntervalSince1970) }
  }
}
