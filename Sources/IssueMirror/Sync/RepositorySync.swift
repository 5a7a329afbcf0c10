public import IssueTracker

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Brings what a mirror keeps of a repository up to date.
///
/// ```swift
/// let sync = RepositorySync(mirror: mirror, provider: provider, name: name)
/// let report = try await sync.run { progress in print(progress.stored, progress.total ?? 0) }
/// print(report.inserted, "new issues with", report.requests, "requests")
/// ```
///
/// The first sync fetches everything, with several streams of pages at once. Later ones fetch what changed; where
/// nothing did, that takes one request. A sync that was cut off goes on where it was. No list shows what was deleted
/// or transferred: that is looked for once a week, and when the server keeps counting other numbers of open issues
/// than are kept.
///
/// A list is not proof of completeness: the sync asks for each number up to the newest that didn't come.
///
/// Labels and milestones can change without a change of any issue. Their lists are asked for with their entity tags,
/// once a minute at most, as GitHub calls them fresh for that long. The issues that have them are kept as the server
/// would send them now.
///
/// A renamed repository stays the same; another one under its old name is kept separately. A repository that can't be
/// seen any more stays as it is.
///
/// Give it a provider that doesn't store answers: what arrives is stored in the store.
public struct RepositorySync: Sendable {
  /// What is fetched, and how.
  public struct Options: Sendable, Hashable {
    /// How many requests are under way at once, at most: 1 to 100, which is as many as GitHub allows.
    public var jobs: Int
    /// Whether comments are kept too. Once they all are, every sync keeps them up to date.
    public var includesComments: Bool
    /// Whether everything is compared with the server now, from the beginning: not only what a sync that was cut off
    /// has left. What was deleted or transferred is found, what the server has in an older version than is kept, such
    /// as after a restored backup, becomes that version, and the search index is made anew where it isn't sound.
    public var verifies: Bool

    /// Makes options, by default for issues and pull requests alone.
    public init(jobs: Int = 8, includesComments: Bool = false, verifies: Bool = false) {
      self.jobs = jobs
      self.includesComments = includesComments
      self.verifies = verifies
    }
  }

  /// After how many seconds a sync looks for deleted and transferred issues by itself: a week.
  private static let verificationAge = 604_800.0

  let store: any IssueStore
  let options: Options
  private(set) var requests: SyncRequests
  private let server: GitHubServer
  private let name: RepositoryName
  private let clock: @Sendable () -> Date

  // What follows changes while it runs, in a copy of its own.

  /// When it began, by this machine's clock: this spaces out requests, and decides nothing else.
  private(set) var began: Date
  private(set) var onProgress: @Sendable (SyncProgress) -> Void = { _ in }
  /// What the server answered when it was last asked for the repository.
  private(set) var answer: SyncRequests.RepositoryAnswer?
  /// When the last page had arrived, as a place in the order of the sync's events.
  var lastReceived = 0
  /// What was done so far.
  var report: SyncReport

  /// Makes a sync; nothing is asked before it runs.
  ///
  /// - Parameters:
  ///   - mirror: The mirror to write to.
  ///   - provider: The provider that asks the server.
  ///   - server: The server that the provider asks: repositories of different ones are different.
  ///   - name: The repository, also by a former name.
  ///   - options: What is fetched, and how.
  ///   - now: The local time, which says how old the mirror is. It may be wrong, and may be set back.
  public init(
    mirror: Mirror, provider: Provider<GitHub>, server: GitHubServer = .github,
    name: RepositoryName, options: Options = Options(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      store: mirror, provider: provider, server: server, name: name, options: options, now: now)
  }

  /// Makes a sync to any store.
  package init(
    store: any IssueStore, provider: Provider<GitHub>, server: GitHubServer = .github,
    name: RepositoryName, options: Options = Options(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.server = server
    self.name = name
    var options = options
    options.jobs = min(max(options.jobs, 1), 100)
    self.options = options
    clock = now
    began = .distantPast
    requests = SyncRequests(provider: provider, now: now)
    report = SyncReport(
      repository: MirroredRepository(
        id: 0, host: server.host, serverID: 0, fullName: name.description))
  }

  /// Brings the mirror up to date.
  ///
  /// Two may run at once, in one process or in several: both come to the same.
  ///
  /// - Parameter onProgress: Called after every page with how far the sync is.
  /// - Returns: What was done.
  /// - Throws: ``HTTPTargets/NetworkError`` where the server can't be asked, ``MirrorFailure`` where the mirror
  ///   can't be written. What has come before is kept, and the next sync goes on from there.
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

  /// The repository, as it is kept.
  var repository: MirroredRepository {
    get { report.repository }
    set { report.repository = newValue }
  }

  /// The time by this machine's clock.
  var now: Date { clock() }

  private mutating func perform() async throws -> SyncReport {
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
    let asked = name.description
    if let kept = try await store.repository(named: name, on: server) {
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
      repository = try await store.confirm(.items, of: repository, counted: nil, at: now)
    } else {
      let kept = repository
      try await lookUp(asked)
      // Another repository under the old name has nothing to do with what is kept of the old one.
      if repository.id != kept.id { first = nil }
      let isFirst = !repository.isComplete
      try await bringUpToDate(.items, first: first)
      // It may have taken long.
      if isFirst, lastReceived > answer?.asked ?? 0 { try await lookUpAgain() }
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
    if options.verifies { report.isIndexRebuilt = try await store.repairSearchIndex() }
  }

  /// Whether a list of changes tells what is to be done: not where all numbers are gone through anyway.
  private func asksForChangesFirst() async throws -> Bool {
    guard repository.isComplete, !isVerificationDue else { return false }
    return try await store.state(of: repository)?.sweeps[.items] == nil
  }

  /// Whether deleted and transferred issues are to be looked for.
  var isVerificationDue: Bool {
    guard !options.verifies, let verified = repository.verifiedAt else { return true }
    return began.isApart(from: verified, seconds: Self.verificationAge)
  }

  /// Asks the server for the repository, and keeps what it says.
  private mutating func lookUp(_ name: String) async throws {
    let found = try await requests.repository(named: name)
    answer = found
    repository = try await store.record(
      found.repository, json: found.json, on: server.host, under: self.name, at: now)
  }

  /// Looks the repository up again.
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

  /// Asks whether there is anything new on a change feed, under another name than the one that is known if there is one.
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

  // MARK: - What the server counts

  /// Whether the server counts other numbers of open items than are kept, for longer than its count may lag behind, and
  /// that hasn't been looked into. Where the list is as it was, the server is asked only about a known difference.
  private mutating func isMiscounted(isUnchanged: Bool) async throws -> Bool {
    if isUnchanged {
      let known = try await store.state(of: repository)?.difference
      guard let known, known.isWorthRecounting(at: requests.serverTime) else { return false }
    }
    var difference = try await unacceptedDifference()
    if difference != nil {
      try await settle()
      difference = try await unacceptedDifference()
    }
    guard !report.isVerified else { return false }
    let latestChange = difference == nil ? nil : try await store.latestChange(of: repository)
    let (found, time) = (difference, requests.serverTime)
    return try await changeDifference { $0.take(found, latestChange: latestChange, at: time) }
  }

  /// How many more open items the server counts than are kept; nil where that is known to be its own.
  private func unacceptedDifference() async throws -> Int? {
    let difference = try await store.openDifference(of: repository)
    return difference == (try await acceptedDifference()) ? nil : difference
  }

  /// How large the difference of counts was when all numbers had been gone through.
  func acceptedDifference() async throws -> Int {
    try await store.state(of: repository)?.difference.accepted ?? 0
  }

  /// Takes the difference that is left now that all numbers have been gone through for the server's own.
  private mutating func acceptDifference() async throws {
    try await lookUpAgain()
    if try await store.openDifference(of: repository) != 0 { try await settle() }
    let difference = try await store.openDifference(of: repository)
    _ = try await changeDifference { known in
      known.accepted = difference
      return true
    }
  }

  /// Changes what is known of a difference; once more where another sync changes it at the same time.
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

  /// Asks once more for what has changed and for what the server counts: what changes between two answers makes
  /// a difference too.
  private mutating func settle() async throws {
    if case .found(let first) = try await changes(on: .items) {
      if answer == nil { try await lookUpAgain() }
      try await bringUpToDate(.items, first: first)
    }
    try await lookUpAgain()
  }
}

extension Date {
  /// Whether so many seconds lie between two times of this machine's clock. Where that was set back, a time may be one
  /// that is yet to come; waiting for it could take for ever.
  func isApart(from other: Date, seconds: Double) -> Bool {
    abs(timeIntervalSince(other)) >= seconds
  }
}

extension MirroredRepository {
  /// Up to when everything of a change feed is here, in seconds since 1970 by the server's clock.
  func syncedTo(_ feed: ChangeFeed) -> Int? {
    (feed == .items ? syncedTo : commentsSyncedTo).map { Int($0.timeIntervalSince1970) }
  }
}
