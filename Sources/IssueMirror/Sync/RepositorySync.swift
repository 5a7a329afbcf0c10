public import IssueTracker
public import PlatformModules

/// Brings a repository in a mirror up to date.
///
/// ```swift
/// let sync = RepositorySync(mirror: mirror, provider: provider, name: name)
/// let report = try await sync.run { progress in print(progress.stored, progress.total ?? 0) }
/// print(report.inserted, "new issues with", report.requests, "requests")
/// ```
///
/// The first sync fetches everything, with several parallel streams of pages. Later syncs fetch changes; if nothing has
/// changed, that takes one request. An interrupted sync continues where it stopped. Deleted and transferred issues
/// aren't on any list: the sync checks for them once a week, and whenever the server's count of open issues differs
/// from the mirror's for long enough.
///
/// A list may be incomplete, so the sync also requests every number up to the newest that wasn't listed.
///
/// Labels and milestones can change without any change to an issue. The sync requests their lists with entity tags, at
/// most once a minute, which is the time that GitHub declares them fresh. Mirrored issues have their labels and
/// milestones as the server would send them now.
///
/// A renamed repository keeps its mirrored data. Another repository under the old name is mirrored separately. A
/// repository that the server no longer shows stays unchanged in the mirror.
///
/// Use a provider without a cache, because the mirror stores the responses anyway.
public struct RepositorySync: Sendable {
  /// Options of a sync.
  public struct Options: Sendable, Hashable, Codable {
    /// The most concurrent requests, from 1 to 100, which is GitHub's limit.
    public var jobs: Int
    /// The least number of pages, of a hundred entries each, for each of several streams through a list; at least 1.
    /// Each stream needs a few more requests, so larger values are faster if many repositories are synced at the same
    /// time. With a value above 1, a list too short for two streams is read in a single stream, and its next sync can't
    /// be conditional.
    public var leastPagesPerStream = 1
    /// Whether to fetch comments. Once they are complete, every sync updates them.
    public var includesComments: Bool
    /// Whether to fetch the timelines of issues, but not of pull requests, which takes a request for each issue. Once
    /// they are complete, every sync updates the timelines of changed issues.
    public var includesTimelines: Bool
    /// Whether to compare everything with the server. This finds deleted and transferred issues, adopts versions that
    /// are older on the server (for example after it restored a backup), and rebuilds a damaged search index.
    public var verifies: Bool

    /// Creates options, by default without comments and timelines.
    public init(
      jobs: Int = 8, includesComments: Bool = false, includesTimelines: Bool = false,
      verifies: Bool = false
    ) {
      self.jobs = jobs
      self.includesComments = includesComments
      self.includesTimelines = includesTimelines
      self.verifies = verifies
    }
  }

  /// The interval between verifications: a week, in seconds.
  private static let verificationAge = 604_800.0

  let store: any IssueStore
  let options: Options
  private(set) var requests: SyncRequests
  private let server: GitHubServer
  private let name: RepositoryName
  private let listed: GitHub.Repository?
  private let clock: @Sendable () -> Date

  // These change during a run, which works on a copy.

  /// The beginning by the local clock, only used to space out requests.
  private(set) var began: Date
  private(set) var onProgress: @Sendable (SyncProgress) -> Void = { _ in }
  private(set) var answer: SyncRequests.RepositoryAnswer?
  /// When the last page without the repository's id arrived, as a place in the order of the sync's events.
  var lastUnidentified = 0
  var report: SyncReport

  /// Creates a sync. It doesn't send a request before it runs.
  ///
  /// - Parameters:
  ///   - mirror: The mirror to write to.
  ///   - provider: The provider that sends the requests.
  ///   - server: The provider's server.
  ///   - name: The repository's present or former name.
  ///   - options: The options of the sync.
  ///   - now: The local time, from which the mirror's age is computed. It may be wrong or set back.
  public init(
    mirror: Mirror, provider: Provider<GitHub>, server: GitHubServer = .github,
    name: RepositoryName, options: Options = Options(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      store: mirror, provider: provider, server: server, name: name, options: options, now: now)
  }

  /// Creates a sync of any store. `listed` is the repository as it appears in a list, which saves the first sync the
  /// lookup.
  package init(
    store: any IssueStore, provider: Provider<GitHub>, server: GitHubServer = .github,
    name: RepositoryName, options: Options = Options(), listed: GitHub.Repository? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.listed = listed
    self.server = server
    self.name = name
    var options = options
    options.jobs = min(max(options.jobs, 1), 100)
    options.leastPagesPerStream = max(options.leastPagesPerStream, 1)
    self.options = options
    clock = now
    began = .distantPast
    requests = SyncRequests(provider: provider, now: now)
    report = SyncReport(
      repository: MirroredRepository(
        id: 0, host: server.host, serverID: 0, fullName: name.description))
  }

  /// Brings the mirror up to date. Several syncs may run concurrently, even in different processes.
  ///
  /// - Parameter onProgress: Called after every page.
  /// - Returns: The results of the sync.
  /// - Throws: ``/HTTPTargets/NetworkError`` if the server can't be reached, and ``MirrorFailure`` if the mirror can't
  ///   be written to. Everything stored so far stays, and the next sync continues there.
  @discardableResult
  public func run(
    onProgress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    var run = self
    run.requests = SyncRequests(provider: requests.provider, now: clock)
    run.onProgress = onProgress
    run.began = now
    return try await run.perform()
  }

  var repository: MirroredRepository {
    get { report.repository }
    set { report.repository = newValue }
  }

  var now: Date { clock() }

  private mutating func perform() async throws -> SyncReport {
    tell(SyncProgress(phase: .lookingUp))
    try await items()
    try await properties()
    if options.includesComments || repository.commentsSyncedTo != nil { try await comments() }
    if options.includesTimelines || repository.timelinesCheckedAt != nil { try await timelines() }
    report.setAside = try await store.setAside(of: repository)
    report.requests = requests.count
    return report
  }

  func tell(_ progress: SyncProgress) {
    var progress = progress
    progress.newItems = report.inserted
    progress.newComments = report.comments.inserted
    progress.newTimelines = report.timelines
    onProgress(progress)
  }

  private mutating func items() async throws {
    var first: SyncRequests.Page?
    var isUnchanged = false
    let asked = name.description
    var isNew = true
    var isResumed = false
    if let kept = try await store.repository(named: name, on: server) {
      repository = kept
      isNew = false
      isResumed = try await store.state(of: kept)?.sweeps[.items] != nil
      // A verification reads everything anyway.
      if repository.isComplete, !isVerificationDue, !isResumed {
        switch try await changes(on: .items, of: asked) {
        case .nothing: isUnchanged = true
        case .found(let page): first = page
        }
      }
    }
    if isUnchanged {
      // The repository still has its name, because another repository's list would be different.
      repository = try await store.confirm(.items, of: repository, counted: nil, at: now)
    } else {
      let kept = repository
      if isNew, let listed {
        try await record(try requests.answer(listing: listed))
      } else {
        try await lookUp(asked)
      }
      if repository.id != kept.id { first = nil }
      let isFirst = !repository.isComplete
      try await bringUpToDate(.items, first: first)
      if isFirst, lastUnidentified > answer?.asked ?? 0 { try await lookUpAgain() }
    }
    try await prove()
    var lasting: Int?
    if try await hasToExamine(isUnchanged: isUnchanged, isResumed: isResumed) {
      let (removed, difference) = (report.removed, try await store.openDifference(of: repository))
      try await verify()
      try await prove()
      if report.removed == removed { lasting = difference }
    }
    if report.isVerified, !report.hasUnexplainedNumbers {
      try await explainDifference(lasting: lasting)
    }
    if options.verifies { report.isIndexRebuilt = try await store.repairSearchIndex() }
  }

  var isVerificationDue: Bool {
    guard !options.verifies, let verified = repository.verifiedAt else { return true }
    return began.isApart(from: verified, seconds: Self.verificationAge)
  }

  private mutating func lookUp(_ name: String) async throws {
    try await record(try await requests.repository(named: name))
  }

  private mutating func record(_ found: SyncRequests.RepositoryAnswer) async throws {
    answer = found
    repository = try await store.record(
      found.repository, json: found.json, on: server.host, under: self.name, at: now)
  }

  mutating func lookUpAgain() async throws {
    let known = repository
    try await lookUp(known.fullName)
    guard repository.id == known.id else {
      repository = known
      throw NetworkError.replaced(known.fullName)
    }
  }

  enum Changes {
    case nothing
    case found(SyncRequests.Page?)
  }

  func changes(on feed: ChangeFeed, of name: String? = nil) async throws -> Changes {
    let entityTag = try await store.state(of: repository)?.entityTags[feed]
    let ticket = try await store.ticket(of: repository)
    do throws(NetworkError) {
      let page = try await requests.page(
        of: feed, at: .since(max((repository.syncedTo(feed) ?? 0) - 1, 0)),
        name: name ?? repository.fullName, ifNot: entityTag, ticket: ticket)
      return page.map { .found($0) } ?? .nothing
    } catch {
      guard error.isOfHeavyPage else { throw error }
      return .found(nil)
    }
  }

  /// Whether to examine all numbers. An examination that began in an interrupted sync is repeated, because entries that
  /// were deleted after it checked them are still stored.
  private mutating func hasToExamine(isUnchanged: Bool, isResumed: Bool) async throws -> Bool {
    if report.isVerified { return isResumed ? try await settledDifference() != nil : false }
    return options.verifies ? true : try await isMiscounted(isUnchanged: isUnchanged)
  }

  /// Whether the server's count of open items has differed for longer than it may lag, and the difference hasn't been
  /// examined. If the list hasn't changed, only a known difference justifies a request.
  private mutating func isMiscounted(isUnchanged: Bool) async throws -> Bool {
    if isUnchanged {
      let known = try await store.state(of: repository)?.difference
      guard let known, known.isWorthRecounting(at: requests.serverTime) else { return false }
    }
    let difference = try await settledDifference()
    guard !report.isVerified else { return false }
    let latestChange = difference == nil ? nil : try await store.latestChange(of: repository)
    let (found, time) = (difference, requests.serverTime)
    return try await changeDifference { $0.take(found, latestChange: latestChange, at: time) }
  }

  /// The difference that remains after another request to the server.
  private mutating func settledDifference() async throws -> Int? {
    guard try await unacceptedDifference() != nil else { return nil }
    try await settle()
    return try await unacceptedDifference()
  }

  /// Nil if the difference is a known mistake of the server.
  private func unacceptedDifference() async throws -> Int? {
    let difference = try await store.openDifference(of: repository)
    return difference == (try await acceptedDifference()) ? nil : difference
  }

  func acceptedDifference() async throws -> Int {
    try await store.state(of: repository)?.difference.accepted ?? 0
  }

  /// Classifies the difference after all numbers were examined. If the examination didn't change it, it is the server's
  /// own mistake. Another difference may come from entries that were deleted during the examination, after they had
  /// been read, so it waits for the next one.
  private mutating func explainDifference(lasting: Int?) async throws {
    try await lookUpAgain()
    if try await store.openDifference(of: repository) != 0 { try await settle() }
    let (difference, time) = (try await store.openDifference(of: repository), requests.serverTime)
    let hasFound = report.removed > 0
    _ = try await changeDifference { known in
      let hasLasted = difference == lasting || !hasFound && difference == known.pending
      if difference == 0 || hasLasted {
        known.accepted = difference
      } else if difference != known.accepted {
        (known.pending, known.noticedAt) = (difference, time)
      }
      return true
    }
  }

  private func changeDifference(
    _ change: (inout CountDifference) -> Bool
  ) async throws -> Bool {
    while let old = try await store.state(of: repository)?.difference {
      var new = old
      let result = change(&new)
      if new == old { return result }
      if try await store.replace(old, by: new, of: repository) { return result }
    }
    return false
  }

  /// Requests the changes and the count again, because changes between the two responses cause a difference too.
  private mutating func settle() async throws {
    if case .found(let first) = try await changes(on: .items) {
      if answer == nil { try await lookUpAgain() }
      try await bringUpToDate(.items, first: first)
    }
    try await lookUpAgain()
  }
}

extension Date {
  /// Compares in both directions: the clock may have been set back, and waiting for a future time could take forever.
  func isApart(from other: Date, seconds: Double) -> Bool {
    abs(timeIntervalSince(other)) >= seconds
  }
}

extension MirroredRepository {
  /// The time up to which a feed is complete, in seconds since 1970 by the server's clock.
  func syncedTo(_ feed: ChangeFeed) -> Int? {
    (feed == .items ? syncedTo : commentsSyncedTo).map { Int($0.timeIntervalSince1970) }
  }
}
