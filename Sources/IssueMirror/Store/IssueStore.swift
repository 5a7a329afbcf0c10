package import GitHubAPI
package import PlatformModules

/// Reads issues from a store: an engine behind this protocol, such as ``Mirror`` on SQLite. Code outside the store
/// doesn't know its tables, SQL or row ids. A ``MirroredRepository/id`` and a ``Sweep/id`` are opaque tokens of their
/// store.
package protocol IssueReader: Sendable {
  /// The repositories, ordered by host and name.
  func repositories() async throws(MirrorFailure) -> [MirroredRepository]

  /// The repository that most recently had a name, now or during an earlier sync, ignoring case.
  func repository(
    named name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// The repository that had a name when the server was last asked.
  func repository(
    presentlyNamed name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// The last description from the server; nil if the repository was removed.
  func description(of repository: MirroredRepository) async throws(MirrorFailure) -> GitHub
    .Repository?

  func counts(of repository: MirroredRepository) async throws(MirrorFailure) -> MirrorCounts

  /// The tombstones, ordered by number.
  func tombstones(of repository: MirroredRepository) async throws(MirrorFailure) -> [Tombstone]

  /// The entries that couldn't be read, ordered by number.
  func setAside(of repository: MirroredRepository) async throws(MirrorFailure) -> [SetAsideEntry]

  /// The number of unreadable entries of each repository. Repositories without such entries are omitted.
  func setAsideCounts() async throws(MirrorFailure) -> [MirroredRepository.ID: Int]

  /// The known milestones, ordered by number.
  func milestones(of repository: MirroredRepository) async throws(MirrorFailure) -> [GitHub
    .Milestone]

  /// The names that can be used in a search of a repository.
  func names(of repository: MirroredRepository) async throws(MirrorFailure) -> NamesInUse

  func sentIssue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Sent<GitHub.Issue>?

  /// The comments, oldest first.
  func sentComments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Sent<IssueComment>]

  /// Nil if the issue's timeline isn't stored.
  func sentTimeline(
    of number: Int, in repository: MirroredRepository
  ) async throws(MirrorFailure) -> KeptTimeline?

  /// The issues in the filter's order; all matches if no limit is given.
  func sentIssues(
    of repository: MirroredRepository, filter: IssueFilter, limit: Int?, includesPullRequests: Bool
  ) async throws(MirrorFailure) -> [Sent<GitHub.Issue>]

  func listing(
    _ selection: MirrorListing.Selection, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorListing

  /// Omits issues that the store no longer has.
  func issues(
    _ rows: Range<Int>, of listing: MirrorListing
  ) async throws(MirrorFailure) -> [GitHub.Issue]

  /// The issues at the time when the first page is read.
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

  /// The issues that are most similar to another issue or to given text, the best first, with a score from 0 to 1.
  /// Throws ``MirrorFailure/Code/notMirrored`` if no issue has the query's number.
  func similarIssues(
    to query: SimilarIssuesQuery, in repository: MirroredRepository, limit: Int
  ) async throws(MirrorFailure) -> [SearchResult]

  func statistics(
    of repository: MirroredRepository, weeks: Int, now: Date
  ) async throws(MirrorFailure) -> RepositoryStatistics
}

/// Reads and writes the data of a sync. Every store must pass the suites in `Conformance` of the tests.
///
/// Each function is a transaction. Any number of processes and machines may call them concurrently. Functions that
/// write throw ``MirrorFailure/Code/notMirrored`` if the repository was removed.
///
/// The newest version of an entry is kept, regardless of the order of arrival. Machines' clocks disagree, so only the
/// server's clock decides which version is the newest, which entries are buried, and which comments must be counted
/// again. If it can't decide, the order of tickets does. Times called `seen`, `found`, `began` or `checked` come from a
/// machine's clock; they are only shown to people and used to space out requests.
package protocol IssueStore: IssueReader {
  /// Records a repository, identified by its id on the server or by its present name. From then on, the requested
  /// `name` also finds it. If two repositories have had a name, the name finds the one recorded last.
  func record(
    _ repository: GitHub.Repository, json: Data, on host: String, under name: RepositoryName?,
    at seen: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// Nil if the repository was removed.
  func state(of repository: MirroredRepository) async throws(MirrorFailure) -> SyncState?

  func count(_ what: KeptCount, of repository: MirroredRepository) async throws(MirrorFailure)
    -> Int

  /// The time of the latest change, in seconds since 1970 by the server's clock.
  func latestChange(of repository: MirroredRepository) async throws(MirrorFailure) -> Int?

  /// A ticket later than all earlier ones of the repository, including those taken by other processes. Tickets taken
  /// right before requests tell which of two responses was requested later. Transactions that write entries take a
  /// ticket too. Once a ticket is issued, everything written under earlier tickets can be read.
  func ticket(of repository: MirroredRepository) async throws(MirrorFailure) -> StoreTicket

  /// Begins a sweep that replaces `old`. If another sync has begun an equivalent one, returns that instead.
  func begin(
    _ sweep: Sweep, _ feed: ChangeFeed, of repository: MirroredRepository, inPlaceOf old: Sweep?,
    at began: Date
  ) async throws(MirrorFailure) -> Sweep

  /// Writes a page and the position of its sweep; if this throws, nothing is written.
  ///
  /// Of two versions of an entry, the one with the later change is kept, or within the same second, the one with the
  /// later ticket. An older version replaces a newer one only if the page has present versions
  /// (``FeedPage/Asked/isPresentBefore``) and its ticket isn't earlier. A verification records the page's numbers, or
  /// the ids of its comments. If another sync has ended or replaced the sweep, the sweep's position isn't written.
  func store(
    _ page: FeedPage, of repository: MirroredRepository, sweep: Sweep?, at seen: Date
  ) async throws(MirrorFailure) -> (counts: SyncReport.Counts, isSweepGone: Bool)

  /// Ends a sweep. Set-aside entries that a verification neither found nor looked up are removed.
  ///
  /// `syncedTo` is the time up to which the store is complete, in seconds since 1970 by the server's clock; a later
  /// time from another sync is kept. `isVerified` means that every number was seen since the sweep began, or was looked
  /// up. `newest` is the number up to which missing numbers must be looked up, if any.
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

  /// The stored numbers that weren't on any page of a verification, in order. For a verification of comments: the
  /// numbers of the items with a comment that wasn't on any page. Nil if another sync has ended or replaced the
  /// verification.
  func unseenNumbers(
    _ feed: ChangeFeed, of repository: MirroredRepository, by sweep: Sweep
  ) async throws(MirrorFailure) -> [Int]?

  /// Replaces an item with a tombstone, and removes its comments and its timeline, unless the stored version has a
  /// later ticket. Returns whether the item was stored.
  func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date,
    asked: StoreTicket
  ) async throws(MirrorFailure) -> Bool

  /// The numbers up to `provesTo` that are neither stored nor known to be gone, in order; nil if all were looked up.
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

  /// Does nothing and returns false if another sync has changed the difference.
  func replace(
    _ old: CountDifference, by new: CountDifference, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool

  /// The items, in order, for which the server's count of comments differs from the store's, or some comments were set
  /// aside. With a ticket, only items whose present version was stored after it.
  func miscountedNumbers(
    of repository: MirroredRepository, storedSince ticket: StoreTicket?
  ) async throws(MirrorFailure) -> [Int]

  /// Removes all comments on an item except those with the given ids, and forgets the other set-aside ones. Returns the
  /// number of removed comments.
  func removeComments(
    on number: Int, of repository: MirroredRepository, except ids: [Int64]
  ) async throws(MirrorFailure) -> Int

  /// The issues, without pull requests, whose timelines are unknown or older than the issue, the most recently changed
  /// first; or all issues.
  func outdatedTimelines(
    of repository: MirroredRepository, includingCurrent includesCurrent: Bool
  ) async throws(MirrorFailure) -> [OutdatedTimeline]

  /// Stores a timeline in place of the issue's earlier one, unless that has a later ticket. Returns whether the
  /// timeline changed. Does nothing and returns false if the issue is no longer stored.
  func store(
    _ timeline: IssueTimeline, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool

  func note(
    _ state: TimelinesState, of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// The entity tags of a list's pages, in order. Empty if items have other versions of the list's entries, so that the
  /// list must be read again.
  func entityTags(
    of list: PropertyList, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [String]

  /// The labels of items and the known milestones that aren't in the lists. For a nil list, nothing is returned.
  func unlisted(
    labels: [ListedLabel]?, milestones: [FeedPage.Milestone]?, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [UnlistedProperty]

  /// Stores the labels and milestones as the server lists them, if they have changed, and updates the items that have
  /// them. `gone` contains the unlisted ones that were deleted. This takes several short transactions; after an
  /// interruption, the next sync continues.
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

/// A place in the order of a store's events for one repository. Tickets can only be compared; the distance has no
/// meaning.
package struct StoreTicket: Hashable, Comparable, Sendable {
  package let place: Int64

  package init(place: Int64) { self.place = place }

  package static func < (first: Self, second: Self) -> Bool { first.place < second.place }
}

package struct SyncState: Sendable {
  package var repository: MirroredRepository
  package var sweeps: [ChangeFeed: Sweep] = [:]
  package var entityTags: [ChangeFeed: String] = [:]
  /// The time by a machine's clock.
  package var propertiesCheckedAt: Date?
  /// Comments have been counted, and deleted ones removed, for everything stored before this ticket.
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
  /// The sum of the items' comment counts.
  case countedComments
}

/// A difference between the server's count of open items and the store's. The server's count may lag, so only a lasting
/// difference matters. Times are in seconds since 1970 by the server's clock.
package struct CountDifference: Hashable, Sendable {
  private static let settling = 60
  /// The least time between two examinations of all numbers, in seconds.
  private static let recounting = 3_600

  /// The number of items that the server counts beyond the stored ones; nil after an examination.
  package var pending: Int?
  package var noticedAt: Int?
  package var examinedAt: Int?
  /// The difference that remains after an examination, a mistake of the server.
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

  /// Decides whether to examine all numbers. This requires that the difference has lasted, or nothing has changed, for
  /// as long as the server's count may lag. At most one examination per hour takes place.
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

  // These use absolute values: a server's clock may be set back, and waiting for a future time could take forever.

  private func hasStayed(until time: Int) -> Bool {
    noticedAt.map { abs(time - $0) >= Self.settling } ?? false
  }

  private func mayBeExamined(at time: Int) -> Bool {
    examinedAt.map { abs(time - $0) >= Self.recounting } ?? true
  }
}
