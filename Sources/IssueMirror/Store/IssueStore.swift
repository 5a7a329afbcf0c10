package import GitHubAPI

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Reads issues from a store.
///
/// A store is an engine behind this protocol, such as ``Mirror`` on SQLite. Nothing above it knows tables, SQL or row
/// ids. A ``MirroredRepository/id`` and a ``Sweep/id`` are opaque tokens of their store.
package protocol IssueReader: Sendable {
  /// All repositories, by host and name.
  func repositories() async throws(MirrorFailure) -> [MirroredRepository]

  /// The repository that had a name last, now or when it was synced, ignoring case.
  func repository(
    named name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// The repository that had a name when its server was last asked.
  func repository(
    presentlyNamed name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// The server's last description of a repository; nil if it was removed.
  func description(of repository: MirroredRepository) async throws(MirrorFailure) -> Repository?

  /// How many issues, pull requests and comments are kept.
  func counts(of repository: MirroredRepository) async throws(MirrorFailure) -> MirrorCounts

  /// The issues that were deleted or transferred while they were kept, by number.
  func tombstones(of repository: MirroredRepository) async throws(MirrorFailure) -> [Tombstone]

  /// The entries that couldn't be read, by number.
  func setAside(of repository: MirroredRepository) async throws(MirrorFailure) -> [SetAsideEntry]

  /// The numbers and titles of known milestones, by number.
  func milestones(of repository: MirroredRepository) async throws(MirrorFailure) -> [Milestone]

  /// An issue or a pull request, with the bytes that the server sent.
  func sentIssue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Sent<Issue>?

  /// The comments on an issue, oldest first, with the bytes that the server sent.
  func sentComments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Sent<IssueComment>]

  /// The issues of a filter, in its order, with the bytes that the server sent; all of them without a limit.
  func sentIssues(
    of repository: MirroredRepository, filter: IssueFilter, limit: Int?, includesPullRequests: Bool
  ) async throws(MirrorFailure) -> [Sent<Issue>]

  /// The numbers of the issues of a list. ``issues(_:of:)`` reads its rows.
  func listing(
    _ selection: MirrorListing.Selection, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorListing

  /// Some rows of a list, without those that aren't kept any more.
  func issues(
    _ rows: Range<Int>, of listing: MirrorListing
  ) async throws(MirrorFailure) -> [Issue]

  /// The issues of a filter with their comments, page by page, as of the time when the first page is read.
  func export(
    of repository: MirroredRepository, filter: IssueFilter, includesPullRequests: Bool,
    includesComments: Bool
  ) -> IssuePages<ExportedIssue>

  /// The parts of issues that a list shows, page by page: number, title, state and its reason, names and colours of
  /// labels, logins of assignees, page, last change in whole seconds, and whether it is a pull request, a draft or
  /// merged.
  func rows(of list: MirrorList, pageSize: Int, withAssignees: Bool) -> IssuePages<Issue>

  /// The JSON objects of a list's issues as the server sent them, page by page.
  func documents(of list: MirrorList, pageSize: Int) -> IssuePages<Data>

  /// The hits of a search. ``results(_:of:)`` reads them.
  func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> SearchListing

  /// Some results of a search, without those that aren't kept any more.
  func results(
    _ range: Range<Int>, of listing: SearchListing
  ) async throws(MirrorFailure) -> [SearchResult]

  func statistics(
    of repository: MirroredRepository, weeks: Int, now: Date
  ) async throws(MirrorFailure) -> RepositoryStatistics
}

/// Reads and writes what a sync needs.
///
/// Each function is a transaction. Several syncs may call them at once, from any number of processes and machines.
/// Functions that write throw ``MirrorFailure/Code/notMirrored`` if the repository has been removed.
///
/// The newest version of an entry stays, in whatever order versions arrive. Only the server's clock decides which
/// version that is, what is buried and what has to be counted again, because machines disagree about the time and
/// clocks are set back. Where the server's time isn't enough, the order of the store's tickets decides. Times called
/// `seen`, `found`, `began` or `checked` are a machine's. They inform people and space out requests.
///
/// Every store must pass the suites in `Conformance` of the tests.
package protocol IssueStore: IssueReader {
  // MARK: The repository

  /// Records a repository, or its present name.
  ///
  /// - Parameters:
  ///   - repository: The repository as its server describes it.
  ///   - json: The description as the server sent it.
  ///   - host: The server's host (``GitHubAPI/GitHubServer/host``).
  ///   - name: The name that was asked for. The repository is found by it too from then on.
  ///   - seen: The time on this machine.
  /// - Returns: The repository, identified by its id on the server. If two have had the name, it belongs to the one
  ///   recorded last.
  /// - Throws: ``MirrorFailure``.
  func record(
    _ repository: Repository, json: Data, on host: String, under name: RepositoryName?,
    at seen: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// The state of a repository's syncs; nil if it was removed.
  func state(of repository: MirroredRepository) async throws(MirrorFailure) -> SyncState?

  func count(_ what: KeptCount, of repository: MirroredRepository) async throws(MirrorFailure)
    -> Int

  /// When the newest change of an item happened, in seconds since 1970 by the server's clock.
  func latestChange(of repository: MirroredRepository) async throws(MirrorFailure) -> Int?

  /// Hands out a ticket that is later than all earlier ones of the repository, whichever process took them.
  ///
  /// Tickets taken right before requests tell which of two answers was requested later. Each transaction that writes
  /// entries takes a ticket too. Everything written under earlier tickets can be read once a ticket is handed out.
  func ticket(of repository: MirroredRepository) async throws(MirrorFailure) -> StoreTicket

  // MARK: Change feeds

  /// Begins a sweep, unless another sync has begun one that does as much.
  ///
  /// - Parameters:
  ///   - sweep: The sweep.
  ///   - feed: The change feed.
  ///   - repository: The repository.
  ///   - old: A sweep to replace.
  ///   - began: The time on this machine.
  /// - Returns: The sweep that is under way now, with its token.
  /// - Throws: ``MirrorFailure``.
  func begin(
    _ sweep: Sweep, _ feed: ChangeFeed, of repository: MirroredRepository, inPlaceOf old: Sweep?,
    at began: Date
  ) async throws(MirrorFailure) -> Sweep

  /// Writes a page and the position of its sweep.
  ///
  /// Of two versions of an entry, the one that changed later stays, or in the same second, the one with the later
  /// ticket. An older version replaces a newer one only if the page has present versions
  /// (``FeedPage/Asked/isPresentBefore``) and no earlier ticket.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - repository: The repository.
  ///   - sweep: The sweep after the page; nil if the page isn't part of one. A verification notes the page's numbers.
  ///   - seen: The time on this machine.
  /// - Returns: What happened to the entries, and whether another sync has ended or replaced the sweep. Then its
  ///   position isn't written.
  /// - Throws: ``MirrorFailure``; then nothing of the page is written.
  func store(
    _ page: FeedPage, of repository: MirroredRepository, sweep: Sweep?, at seen: Date
  ) async throws(MirrorFailure) -> (counts: SyncReport.Counts, isSweepGone: Bool)

  /// Ends a sweep. Entries that a verification neither saw nor looked up are no longer set aside.
  ///
  /// - Parameters:
  ///   - feed: The change feed.
  ///   - repository: The repository.
  ///   - sweep: The sweep, if there was one.
  ///   - syncedTo: Up to when everything is here, in seconds since 1970 by the server's clock. If another sync has
  ///     got further, that stays.
  ///   - entityTag: The tag of the server's last answer.
  ///   - isVerified: Whether every number was seen since the sweep began, or looked up.
  ///   - newest: The number up to which missing ones have to be looked up; nil for none.
  ///   - checked: The time on this machine.
  /// - Returns: The repository as it is kept now.
  /// - Throws: ``MirrorFailure``.
  func finish(
    _ feed: ChangeFeed, of repository: MirroredRepository, sweep: Sweep?, syncedTo: Int,
    entityTag: String?, isVerified: Bool, provesTo newest: Int?, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// Forgets a sweep. The next sync begins another.
  func drop(_ sweep: Sweep) async throws(MirrorFailure)

  /// Notes that a change feed is up to date.
  ///
  /// - Parameters:
  ///   - feed: The change feed.
  ///   - repository: The repository.
  ///   - counted: The ticket taken before comments were counted (``SyncState/commentsCounted``); nil if they weren't.
  ///   - checked: The time on this machine.
  /// - Returns: The repository as it is kept now.
  /// - Throws: ``MirrorFailure``.
  func confirm(
    _ feed: ChangeFeed, of repository: MirroredRepository, counted: StoreTicket?, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  // MARK: What is missing

  /// The numbers that are kept but weren't on any page of a verification, in order; nil if another sync has ended or
  /// replaced it.
  func unseenNumbers(
    of repository: MirroredRepository, by sweep: Sweep
  ) async throws(MirrorFailure) -> [Int]?

  /// Replaces an item with a tombstone. Its comments, and what was set aside of them, are removed.
  ///
  /// - Parameters:
  ///   - number: The item's number.
  ///   - fate: What happened to it.
  ///   - repository: The repository.
  ///   - found: The time on this machine.
  ///   - asked: The ticket of the request. A version with a later one stays.
  /// - Returns: Whether the item was there.
  /// - Throws: ``MirrorFailure``.
  func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date,
    asked: StoreTicket
  ) async throws(MirrorFailure) -> Bool

  /// The numbers that are neither kept nor known to be gone, in order, up to that of `provesTo`; nil if all were
  /// looked up.
  func unexplainedNumbers(
    of repository: MirroredRepository, after last: Int, limit: Int
  ) async throws(MirrorFailure) -> [Int]?

  /// Notes numbers that the server denies having.
  func noteAbsence(
    of numbers: [Int], in repository: MirroredRepository
  ) async throws(MirrorFailure)

  /// Forgets which numbers the server denied having.
  func forgetAbsences(of repository: MirroredRepository) async throws(MirrorFailure)

  /// Notes that every number was looked up.
  func endProof(of repository: MirroredRepository) async throws(MirrorFailure)

  /// How many more open items the server counted last than are kept; nil if it doesn't count them.
  func openDifference(of repository: MirroredRepository) async throws(MirrorFailure) -> Int?

  /// Replaces a difference unless another sync has changed it.
  ///
  /// - Returns: Whether it was replaced.
  func replace(
    _ old: CountDifference, by new: CountDifference, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool

  // MARK: Comments

  /// The numbers of the items whose comments the server counts differently, or which have comments that were set
  /// aside, in order. With a ticket, only those whose present version was stored after that was taken.
  func miscountedNumbers(
    of repository: MirroredRepository, storedSince ticket: StoreTicket?
  ) async throws(MirrorFailure) -> [Int]

  /// Removes all comments on an item except some, and forgets which others were set aside.
  ///
  /// - Returns: How many were removed.
  func removeComments(
    on number: Int, of repository: MirroredRepository, except ids: [Int64]
  ) async throws(MirrorFailure) -> Int

  // MARK: Labels and milestones

  /// The entity tags of a list's pages, in order; empty if items have other versions of its entries, so that it must
  /// be read again.
  func entityTags(
    of list: PropertyList, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [String]

  /// The labels of items and the known milestones that aren't in the lists. Nothing is missing from a list that is
  /// nil.
  func unlisted(
    labels: [ListedLabel]?, milestones: [FeedPage.Milestone]?, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [UnlistedProperty]

  /// Keeps the labels and milestones as the server lists them, and updates the items that have them. This takes
  /// several short transactions. If it is interrupted, the next sync continues.
  ///
  /// - Parameters:
  ///   - labels: The labels; nil if they haven't changed.
  ///   - milestones: The milestones; nil if they haven't changed.
  ///   - gone: The unlisted ones that were deleted.
  ///   - repository: The repository.
  ///   - checked: The time on this machine.
  /// - Throws: ``MirrorFailure``.
  func settle(
    labels: ListedPages<ListedLabel>?, milestones: ListedPages<FeedPage.Milestone>?,
    gone: Set<MissingProperty>, of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure)

  // MARK: The whole

  /// Rebuilds the search index if it doesn't match the issues and comments.
  ///
  /// - Returns: Whether it was rebuilt.
  func repairSearchIndex() async throws(MirrorFailure) -> Bool

  func remove(_ repository: MirroredRepository) async throws(MirrorFailure)
}

extension IssueReader {
  package func issue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Issue? {
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

/// A place in the order of a store's events. Only tickets of one repository compare.
package struct StoreTicket: Hashable, Comparable, Sendable {
  /// The place, whose size means nothing.
  package let place: Int64

  package init(place: Int64) { self.place = place }

  package static func < (first: Self, second: Self) -> Bool { first.place < second.place }
}

package struct SyncState: Sendable {
  package var repository: MirroredRepository
  package var sweeps: [ChangeFeed: Sweep] = [:]
  /// The entity tags of the ends of feeds.
  package var entityTags: [ChangeFeed: String] = [:]
  /// When the lists of labels and milestones were last requested, by a machine's clock.
  package var propertiesCheckedAt: Date?
  /// The comments of all that was stored before this ticket have been counted, and deleted ones removed; nil if none
  /// have been.
  package var commentsCounted: StoreTicket?
  package var difference = CountDifference()

  package init(repository: MirroredRepository) {
    self.repository = repository
  }
}

package enum KeptCount: Sendable {
  /// Issues and pull requests.
  case items
  /// Open ones that a verification has seen.
  case openItemsSeen(by: Sweep)
  /// Numbers that the server denies having and that never were kept.
  case absences
  /// Comments, by the items' counts.
  case countedComments
}

/// A difference between the server's count of open items and the number that are kept.
///
/// The server's count may lag, so a difference only means something if it stays. Times are in seconds since 1970 by
/// the server's clock.
package struct CountDifference: Hashable, Sendable {
  /// How many seconds the server's count may lag.
  private static let settling = 60
  /// How many seconds must pass before all numbers are examined again because of a difference.
  private static let recounting = 3_600

  /// How many more the server counts, if that hasn't been examined.
  package var pending: Int?
  /// When the pending difference was first seen.
  package var noticedAt: Int?
  /// When all numbers were last examined because of a difference.
  package var examinedAt: Int?
  /// What was left after all numbers had been examined: the server's own mistake.
  package var accepted: Int?

  package init(
    pending: Int? = nil, noticedAt: Int? = nil, examinedAt: Int? = nil, accepted: Int? = nil
  ) {
    self.pending = pending
    self.noticedAt = noticedAt
    self.examinedAt = examinedAt
    self.accepted = accepted
  }

  /// Whether the pending difference has stayed, so that asking for the server's count is worthwhile.
  package func isWorthRecounting(at time: Int) -> Bool {
    pending != nil && hasStayed(until: time) && mayBeExamined(at: time)
  }

  /// Takes a difference, and decides whether to examine all numbers. That is so if it has stayed, or nothing has
  /// changed, for as long as the server's count may lag, but at most once an hour.
  ///
  /// - Parameters:
  ///   - difference: How many more the server counts; nil for none.
  ///   - latestChange: When the newest change happened.
  ///   - time: The server's time.
  /// - Returns: Whether to examine all numbers.
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

  // A server's clock may be set back too. Waiting for a time in the future could take for ever.

  private func hasStayed(until time: Int) -> Bool {
    noticedAt.map { abs(time - $0) >= Self.settling } ?? false
  }

  private func mayBeExamined(at time: Int) -> Bool {
    examinedAt.map { abs(time - $0) >= Self.recounting } ?? true
  }
}
