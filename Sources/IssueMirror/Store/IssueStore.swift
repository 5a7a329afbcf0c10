package import GitHubAPI
package import PlatformModules

/// Reads issues from a store: an engine behind this protocol, such as ``Mirror`` on SQLite. No code above it knows
/// tables, SQL or row ids. A ``MirroredRepository/id`` and a ``Sweep/id`` are opaque tokens of their store.
package protocol IssueReader: Sendable {
  /// By host and name.
  func repositories() async throws(MirrorFailure) -> [MirroredRepository]

  /// The repository that had a name last, now or when it was synced, ignoring case.
  func repository(
    named name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// The repository that had a name when its server was last asked.
  func repository(
    presentlyNamed name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// The last description from the server; nil if the repository was removed.
  func description(of repository: MirroredRepository) async throws(MirrorFailure) -> GitHub
    .Repository?

  func counts(of repository: MirroredRepository) async throws(MirrorFailure) -> MirrorCounts

  /// By number.
  func tombstones(of repository: MirroredRepository) async throws(MirrorFailure) -> [Tombstone]

  /// The entries that couldn't be read, by number.
  func setAside(of repository: MirroredRepository) async throws(MirrorFailure) -> [SetAsideEntry]

  /// The number of unreadable entries of each repository, without repositories that have none.
  func setAsideCounts() async throws(MirrorFailure) -> [MirroredRepository.ID: Int]

  /// Known milestones, by number.
  func milestones(of repository: MirroredRepository) async throws(MirrorFailure) -> [GitHub
    .Milestone]

  /// The names that a search of a repository may contain.
  func names(of repository: MirroredRepository) async throws(MirrorFailure) -> NamesInUse

  func sentIssue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Sent<GitHub.Issue>?

  /// Oldest first.
  func sentComments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Sent<IssueComment>]

  /// Nil if the issue's timeline isn't kept.
  func sentTimeline(
    of number: Int, in repository: MirroredRepository
  ) async throws(MirrorFailure) -> KeptTimeline?

  /// In the filter's order; all of them without a limit.
  func sentIssues(
    of repository: MirroredRepository, filter: IssueFilter, limit: Int?, includesPullRequests: Bool
  ) async throws(MirrorFailure) -> [Sent<GitHub.Issue>]

  func listing(
    _ selection: MirrorListing.Selection, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorListing

  /// Leaves out issues that the store no longer has.
  func issues(
    _ rows: Range<Int>, of listing: MirrorListing
  ) async throws(MirrorFailure) -> [GitHub.Issue]

  /// The issues as of the time when the first page is read.
  func export(
    of repository: MirroredRepository, filter: IssueFilter, includesPullRequests: Bool,
    includesComments: Bool
  ) -> IssuePages<ExportedIssue>

  /// The parts of issues that a list shows: number, title, state and its reason, names and colors of labels, logins
  /// of assignees, page, last change in whole seconds, and whether it is a pull request, a draft or merged.
  func rows(of list: MirrorList, pageSize: Int, withAssignees: Bool) -> IssuePages<GitHub.Issue>

  func documents(of list: MirrorList, pageSize: Int) -> IssuePages<Data>

  func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> SearchListing

  func results(
    _ range: Range<Int>, of listing: SearchListing
  ) async throws(MirrorFailure) -> [SearchResult]

  /// The issues that are most similar to another one or a text, the best first, with a score from 0 to 1. Throws
  /// ``MirrorFailure/Code/notMirrored`` if there is no issue with the query's number.
  func similarIssues(
    to query: SimilarIssuesQuery, in repository: MirroredRepository, limit: Int
  ) async throws(MirrorFailure) -> [SearchResult]

  func statistics(
    of repository: MirroredRepository, weeks: Int, now: Date
  ) async throws(MirrorFailure) -> RepositoryStatistics
}

/// Reads and writes the data of a sync. Every store must pass the suites in `Conformance` of the tests.
///
/// Each function is a transaction. Any number of processes and machines may call them at once. Functions that write
/// throw ``MirrorFailure/Code/notMirrored`` if the repository has been removed.
///
/// The newest version of an entry stays, regardless of the order of arrival. Only the server's clock decides which
/// version that is, which entries are buried, and which must be counted again, because machines' clocks disagree. If it
/// can't decide, the order of tickets does. Times called `seen`, `found`, `began` or `checked` are a machine's, for
/// people and for spacing out requests.
package protocol IssueStore: IssueReader {
  /// Records a repository, identified by its id on the server, or its present name. From then on, the requested
  /// `name` finds it too. Of two repositories that had a name, the one recorded last has it.
  func record(
    _ repository: GitHub.Repository, json: Data, on host: String, under name: RepositoryName?,
    at seen: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// Nil if the repository was removed.
  func state(of repository: MirroredRepository) async throws(MirrorFailure) -> SyncState?

  func count(_ what: KeptCount, of repository: MirroredRepository) async throws(MirrorFailure)
    -> Int

  /// In seconds since 1970 by the server's clock.
  func latestChange(of repository: MirroredRepository) async throws(MirrorFailure) -> Int?

  /// A ticket later than all earlier ones of the repository, taken by any process. Taken right before requests, tickets
  /// tell which of two answers was requested later. Transactions that write entries take one too; once a ticket is
  /// handed out, everything written under earlier ones can be read.
  func ticket(of repository: MirroredRepository) async throws(MirrorFailure) -> StoreTicket

  /// Begins a sweep, unless another sync has begun an equivalent one, which is then returned. Replaces `old`.
  func begin(
    _ sweep: Sweep, _ feed: ChangeFeed, of repository: MirroredRepository, inPlaceOf old: Sweep?,
    at began: Date
  ) async throws(MirrorFailure) -> Sweep

  /// Writes a page and the position of its sweep, or nothing of it if this throws.
  ///
  /// Of two versions of an entry, the later change stays, or in the same second, the later ticket. An older version
  /// replaces a newer one only if the page has present versions (``FeedPage/Asked/isPresentBefore``) and no earlier
  /// ticket. A verification notes the page's numbers, or its comments' ids. If another sync has ended or replaced the sweep, its position
  /// isn't written.
  func store(
    _ page: FeedPage, of repository: MirroredRepository, sweep: Sweep?, at seen: Date
  ) async throws(MirrorFailure) -> (counts: SyncReport.Counts, isSweepGone: Bool)

  /// Ends a sweep. Set-aside entries that a verification neither saw nor looked up are removed.
  ///
  /// `syncedTo` is the time up to which everything is here, in seconds since 1970 by the server's clock; if another
  /// sync has got further, that stays. `isVerified` says that every number was seen since the sweep began, or looked
  /// up. `newest` is the number up to which missing ones must be looked up, if any.
  func finish(
    _ feed: ChangeFeed, of repository: MirroredRepository, sweep: Sweep?, syncedTo: Int,
    entityTag: String?, isVerified: Bool, provesTo newest: Int?, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  func drop(_ sweep: Sweep) async throws(MirrorFailure)

  /// Records that a change feed is up to date. `counted` is the ticket taken before comments were counted
  /// (``SyncState/commentsCounted``), if they were.
  func confirm(
    _ feed: ChangeFeed, of repository: MirroredRepository, counted: StoreTicket?, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// The stored numbers that no page of a verification had, in order; of one of comments, the numbers of the items
  /// with a comment that no page had. Nil if another sync has ended or replaced it.
  func unseenNumbers(
    _ feed: ChangeFeed, of repository: MirroredRepository, by sweep: Sweep
  ) async throws(MirrorFailure) -> [Int]?

  /// Replaces an item with a tombstone, and removes its comments and its timeline, unless its version has a later ticket. Returns
  /// whether the item was there.
  func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date,
    asked: StoreTicket
  ) async throws(MirrorFailure) -> Bool

  /// The numbers that are neither stored nor known to be gone, in order, up to that of `provesTo`; nil if all were
  /// looked up.
  func unexplainedNumbers(
    of repository: MirroredRepository, after last: Int, limit: Int
  ) async throws(MirrorFailure) -> [Int]?

  /// Records numbers that don't exist according to the server.
  func noteAbsence(
    of numbers: [Int], in repository: MirroredRepository
  ) async throws(MirrorFailure)

  func forgetAbsences(of repository: MirroredRepository) async throws(MirrorFailure)

  /// Records that every number was looked up.
  func endProof(of repository: MirroredRepository) async throws(MirrorFailure)

  /// The server's last count of open items minus the stored ones; nil if it doesn't count them.
  func openDifference(of repository: MirroredRepository) async throws(MirrorFailure) -> Int?

  /// Does nothing, and returns false, if another sync has changed the difference.
  func replace(
    _ old: CountDifference, by new: CountDifference, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool

  /// The items whose comments the server counts differently, or of which some were set aside, in order. With a
  /// ticket, only those whose present version was stored after it.
  func miscountedNumbers(
    of repository: MirroredRepository, storedSince ticket: StoreTicket?
  ) async throws(MirrorFailure) -> [Int]

  /// Removes all other comments on an item, forgets the other set-aside ones, and returns the number of removed
  /// comments.
  func removeComments(
    on number: Int, of repository: MirroredRepository, except ids: [Int64]
  ) async throws(MirrorFailure) -> Int

  /// The issues whose timelines are unknown or older than they are, the last changed first; or all issues. None is a
  /// pull request.
  func outdatedTimelines(
    of repository: MirroredRepository, includingCurrent includesCurrent: Bool
  ) async throws(MirrorFailure) -> [OutdatedTimeline]

  /// Stores a timeline in place of the issue's earlier one. Returns whether it differs. The timeline with the later
  /// ticket stays. Does nothing, and returns false, if the issue is no longer stored.
  func store(
    _ timeline: IssueTimeline, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool

  func note(
    _ state: TimelinesState, of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// The entity tags of a list's pages, in order; empty if items have other versions of its entries, so that it must
  /// be read again.
  func entityTags(
    of list: PropertyList, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [String]

  /// The labels of items and the known milestones that aren't in the lists. Nothing is missing from a nil list.
  func unlisted(
    labels: [ListedLabel]?, milestones: [FeedPage.Milestone]?, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [UnlistedProperty]

  /// Stores the labels and milestones as the server lists them, if they have changed, and updates the items that have
  /// them; `gone` are the unlisted ones that were deleted. This takes several short transactions. If interrupted, the
  /// next sync continues.
  func settle(
    labels: ListedPages<ListedLabel>?, milestones: ListedPages<FeedPage.Milestone>?,
    gone: Set<MissingProperty>, of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure)

  /// Returns whether the index differed from the issues and comments, and was rebuilt.
  func repairSearchIndex() async throws(MirrorFailure) -> Bool

  func remove(_ repository: MirroredRepository) async throws(MirrorFailure)
}

extension IssueReader {
  package func issue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> GitHub.Issue? {
    try await sentIssue(number, of: repository)?.entity
  }

  package func comments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [IssueComment] {
    try await sentComments(on: number, of: repository).map(\.entity)
  }

  package func statistics(
    of repository: MirroredRepository, weeks: Int
  ) async throws(MirrorFailure) -> RepositoryStatistics {
    try await statistics(of: repository, weeks: weeks, now: Date())
  }
}

/// A place in the order of a store's events, for one repository. Its size means nothing.
package struct StoreTicket: Hashable, Comparable, Sendable {
  package let place: Int64

  package init(place: Int64) { self.place = place }

  package static func < (first: Self, second: Self) -> Bool { first.place < second.place }
}

package struct SyncState: Sendable {
  package var repository: MirroredRepository
  package var sweeps: [ChangeFeed: Sweep] = [:]
  package var entityTags: [ChangeFeed: String] = [:]
  /// By a machine's clock.
  package var propertiesCheckedAt: Date?
  /// For everything stored before this ticket, comments have been counted and deleted ones removed.
  package var commentsCounted: StoreTicket?
  package var difference = CountDifference()

  package init(repository: MirroredRepository) {
    self.repository = repository
  }
}

/// The names used in a repository's issues, the most frequent first.
package struct NamesInUse: Sendable, Hashable {
  package var labels: [String] = []
  package var milestones: [String] = []
  package var authors: [String] = []
  package var assignees: [String] = []

  package init() {}
}

package enum KeptCount: Sendable {
  case items
  case openItemsSeen(by: Sweep)
  case absences
  case timelines
  /// By the items' counts.
  case countedComments
}

/// A difference between the server's count of open items and the store's. The server's count may lag, so only a
/// lasting difference means something. Times are in seconds since 1970 by the server's clock.
package struct CountDifference: Hashable, Sendable {
  private static let settling = 60
  /// In seconds, between examinations of all numbers.
  private static let recounting = 3_600

  /// The number of items that the server counts beyond the stored ones; nil once examined.
  package var pending: Int?
  package var noticedAt: Int?
  package var examinedAt: Int?
  /// The remaining difference after an examination: the server's own mistake.
  package var accepted: Int?

  package init(
    pending: Int? = nil, noticedAt: Int? = nil, examinedAt: Int? = nil, accepted: Int? = nil
  ) {
    self.pending = pending
    self.noticedAt = noticedAt
    self.examinedAt = examinedAt
    self.accepted = accepted
  }

  package func isWorthRecounting(at time: Int) -> Bool {
    pending != nil && hasStayed(until: time) && mayBeExamined(at: time)
  }

  /// Decides whether to examine all numbers: if the difference has stayed, or nothing has changed, for as long as the
  /// server's count may lag, but at most once an hour.
  package mutating func take(_ difference: Int?, latestChange: Int?, at time: Int) -> Bool {
    if pending != difference { (pending, noticedAt) = (difference, time) }
    guard difference != nil else {
      noticedAt = nil
      return false
    }
    guard mayBeExamined(at: time),
      hasStayed(until: time) || latestChange ?? 0 <= time - Self.settling
    else { return false }
    (pending, noticedAt, examinedAt) = (nil, nil, time)
    return true
  }

  // Absolute values: a server's clock may be set back, and waiting for a future time could take forever.

  private func hasStayed(until time: Int) -> Bool {
    noticedAt.map { abs(time - $0) >= Self.settling } ?? false
  }

  private func mayBeExamined(at time: Int) -> Bool {
    examinedAt.map { abs(time - $0) >= Self.recounting } ?? true
  }
}
