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
  let requests: SyncRequests
  let onProgress: @Sendable (SyncProgress) -> Void
  /// When it began, by this machine's clock.
  let began: Date
  private let sync: RepositorySync
  /// What the server says of the repository, once it was asked.
  private(set) var description: SyncRequests.Description?
  /// When the last page had arrived, by this machine's clock.
  var lastReceived = Date.distantPast
  /// What was done so far.
  var report: SyncReport

  init(_ sync: RepositorySync, _ onProgress: @escaping @Sendable (SyncProgress) -> Void) {
    self.sync = sync
    self.onProgress = onProgress
    mirror = sync.mirror
    options = sync.options
    requests = SyncRequests(provider: sync.provider, now: sync.now)
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
    tell(SyncProgress(phase: .lookingUp))
    try await items()
    try await properties()
    if options.includesComments || repository.commentsSyncedTo != nil { try await comments() }
    report.requests = requests.count
    return report
  }

  /// Tells how far it is.
  func tell(_ progress: SyncProgress) {
    var progress = progress
    progress.newItems = report.inserted
    progress.newComments = report.comments.inserted
    onProgress(progress)
  }

  /// Brings issues and pull requests up to date.
  private mutating func items() async throws {
    var first: SyncRequests.Page?
    var isUnchanged = false
    let asked = sync.name.description
    if let kept = try await mirror.repository(named: sync.name, on: sync.server) {
      repository = kept
      if try await asksForChangesFirst() {
        switch try await changes(on: .items, of: asked) {
        case .nothing: isUnchanged = true
        case .found(let page): first = page
        }
      }
    }
    if isUnchanged {
      // The name is still its own, too: no other repository has the same list.
      repository = try await mirror.confirm(.items, of: repository, at: now)
    } else {
      let kept = repository
      try await lookUp(asked)
      // Another repository under the old name has nothing to do with what is kept of the old one.
      if repository.id != kept.id { first = nil }
      let isFirst = !repository.isComplete
      try await bringUpToDate(.items, first: first)
      // It may have taken long.
      if isFirst, lastReceived > description?.asked ?? .distantPast { try await lookUpAgain() }
    }
    try await prove()
    if !report.isVerified {
      let isMissing = options.verifies ? true : try await isMiscounted(isUnchanged: isUnchanged)
      if isMissing {
        try await verify()
        try await prove()
      }
    }
    if report.isVerified, !report.hasUnexplainedNumbers { try await acceptDifference() }
    if options.verifies { report.isIndexRebuilt = try await mirror.repairSearchIndex() }
  }

  /// Whether a list of changes tells what is to be done: not where all numbers are gone through anyway.
  private func asksForChangesFirst() async throws -> Bool {
    guard repository.isComplete, !isVerificationDue else { return false }
    return try await mirror.sweep(.items, of: repository) == nil
  }

  /// Whether deleted and transferred issues are to be looked for.
  var isVerificationDue: Bool {
    guard !options.verifies, let verified = repository.verifiedAt else { return true }
    // Where the clock was wrong, the time may be one that is yet to come.
    return abs(began.timeIntervalSince(verified)) >= Self.verificationAge
  }

  /// Asks the server for the repository, and keeps what it says.
  private mutating func lookUp(_ name: String) async throws {
    let found = try await requests.description(of: name)
    description = found
    repository = try await mirror.record(
      found.repository, json: found.json, on: sync.server.host, under: sync.name, at: now)
  }

  /// Looks the repository up again.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` where the name is another one's by now.
  mutating func lookUpAgain() async throws {
    let known = repository
    try await lookUp(known.fullName)
    guard repository.id == known.id else {
      repository = known
      throw NetworkError.replaced(known.fullName)
    }
  }

  /// What has changed on a change feed.
  enum Changes {
    /// Nothing.
    case nothing
    /// Something, with the first page of it; nil where that was too much for the server.
    case found(SyncRequests.Page?)
  }

  /// Asks whether there is anything new on a change feed.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - name: The name to ask for, where that isn't the one that is known.
  /// - Returns: What is new.
  /// - Throws: ``HTTPTargets/NetworkError``; ``MirrorFailure``.
  func changes(on feed: ChangeFeed, of name: String? = nil) async throws -> Changes {
    let entityTag = try await mirror.entityTag(of: feed, of: repository)
    do throws(NetworkError) {
      let page = try await requests.page(
        of: feed, at: .since(max((repository.syncedTo(feed) ?? 0) - 1, 0)),
        name: name ?? repository.fullName, ifNot: entityTag)
      return page.map { .found($0) } ?? .nothing
    } catch {
      guard error.isOfHeavyPage else { throw error }
      return .found(nil)
    }
  }

  // MARK: - What the server counts

  /// Whether the server counts other numbers of open items than are kept, for longer than its count may lag behind,
  /// and that hasn't been looked into.
  ///
  /// - Parameter isUnchanged: Whether the list is as it was: then the server is asked only where a difference is known
  ///   for long enough.
  /// - Returns: Whether everything is to be read.
  /// - Throws: What asking the server and reading the mirror throw.
  private mutating func isMiscounted(isUnchanged: Bool) async throws -> Bool {
    if isUnchanged {
      guard try await mirror.isWorthRecounting(repository, at: now.seconds) else { return false }
    }
    var difference = try await unacceptedDifference()
    if difference != nil {
      try await settle()
      difference = try await unacceptedDifference()
    }
    guard !report.isVerified else { return false }
    return try await mirror.believes(
      difference, of: repository, serverTime: description?.time ?? 0, at: now.seconds)
  }

  /// How many more open items the server counts than are kept; nil where that is known to be its own.
  private func unacceptedDifference() async throws -> Int? {
    let difference = try await mirror.openDifference(of: repository)
    return difference == (try await mirror.acceptedDifference(of: repository)) ? nil : difference
  }

  /// Takes what the server counts otherwise, now that all numbers have been gone through, for its own.
  private mutating func acceptDifference() async throws {
    try await lookUpAgain()
    if try await mirror.openDifference(of: repository) != 0 { try await settle() }
    try await mirror.accept(
      difference: mirror.openDifference(of: repository), of: repository)
  }

  /// Asks once more for what has changed and for what the server counts: what changes between two answers makes
  /// a difference too.
  private mutating func settle() async throws {
    if case .found(let first) = try await changes(on: .items) {
      if description == nil { try await lookUpAgain() }
      try await bringUpToDate(.items, first: first)
    }
    try await lookUpAgain()
  }
}

extension MirroredRepository {
  /// Up to when everything of a change feed is here, in seconds since 1970 by the server's clock.
  func syncedTo(_ feed: ChangeFeed) -> Int? {
    (feed == .items ? syncedTo : commentsSyncedTo).map { Int($0.timeIntervalSince1970) }
  }
}
