package import GitHubAPI

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What commands and the screen read of the issues that a store keeps.
///
/// A store is an engine behind this protocol: ``Mirror`` is the one on SQLite. Nothing above it knows tables, SQL
/// or the keys of rows. A ``MirroredRepository/id`` and a ``Sweep/id`` are tokens that a store gives, and mean
/// nothing outside of it.
package protocol IssueReader: Sendable {
  /// The repositories of which something is kept, by host and name.
  func repositories() async throws(MirrorFailure) -> [MirroredRepository]

  /// The repository that had a name last, now or when it was synced, in whatever case; nil without one.
  func repository(
    named name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// The repository that had a name when its server was last asked; nil without one.
  func repository(
    presentlyNamed name: RepositoryName, on server: GitHubServer
  ) async throws(MirrorFailure) -> MirroredRepository?

  /// What the server last said of a repository; nil when nothing is kept of it any more.
  func description(of repository: MirroredRepository) async throws(MirrorFailure) -> Repository?

  /// How much is kept of a repository.
  func counts(of repository: MirroredRepository) async throws(MirrorFailure) -> MirrorCounts

  /// The issues that were deleted or transferred while they were kept, by number.
  func tombstones(of repository: MirroredRepository) async throws(MirrorFailure) -> [Tombstone]

  /// What the server sent and couldn't be read, by number.
  func setAside(of repository: MirroredRepository) async throws(MirrorFailure) -> [SetAsideEntry]

  /// The numbers and titles of the milestones that are known, by number.
  func milestones(of repository: MirroredRepository) async throws(MirrorFailure) -> [Milestone]

  /// An issue or a pull request by its number, with the bytes that the server sent.
  func sentIssue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Sent<Issue>?

  /// The comments on an issue, the oldest first, with the bytes that the server sent.
  func sentComments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Sent<IssueComment>]

  /// The issues that a filter lists, in its order, with the bytes that the server sent; all without a limit.
  func sentIssues(
    of repository: MirroredRepository, filter: IssueFilter, limit: Int?, includesPullRequests: Bool
  ) async throws(MirrorFailure) -> [Sent<Issue>]

  /// The numbers of the issues of a list, whose rows ``issues(_:of:)`` reads.
  func listing(
    _ selection: MirrorListing.Selection, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorListing

  /// Some rows of a list; what isn't kept any more is left out.
  func issues(
    _ rows: Range<Int>, of listing: MirrorListing
  ) async throws(MirrorFailure) -> [Issue]

  /// The issues that a filter lists with their comments, page by page, as they are when the first page is read.
  func export(
    of repository: MirroredRepository, filter: IssueFilter, includesPullRequests: Bool,
    includesComments: Bool
  ) -> IssuePages<ExportedIssue>

  /// What a list shows of issues, page by page: number, title, state and its reason, labels' names and colours,
  /// assignees' logins, page, last change in whole seconds, and whether it is a pull request, a draft or merged.
  func rows(of list: MirrorList, pageSize: Int, withAssignees: Bool) -> IssuePages<Issue>

  /// The objects that the server sent of a list's issues, page by page.
  func documents(of list: MirrorList, pageSize: Int) -> IssuePages<Data>

  /// What a search finds, whose results ``results(_:of:)`` reads.
  func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> SearchListing

  /// Some results of a search; what isn't kept any more is left out.
  func results(
    _ range: Range<Int>, of listing: SearchListing
  ) async throws(MirrorFailure) -> [SearchResult]

  /// The numbers of a repository's issues.
  func statistics(
    of repository: MirroredRepository, weeks: Int, now: Date
  ) async throws(MirrorFailure) -> RepositoryStatistics
}

/// What a sync reads and writes.
///
/// Each function is one transaction, and several syncs may call them at once, from any number of processes and
/// machines. The newest version of an entry stays, in whatever order versions arrive. Every function throws
/// ``MirrorFailure/Code/notMirrored`` where it would write to a repository that was removed meanwhile.
///
/// No clock but the server's decides which version is the newest, what is buried or what has to be counted again:
/// machines disagree about the time, and clocks are set back. Where the server's time doesn't tell, the order of the
/// store's tickets does. Times called `seen`, `found`, `began` or `checked` are those of a machine. They inform people
/// and space out requests.
///
/// The suites in `Conformance` of the tests say what every store has to do.
package protocol IssueStore: IssueReader {
  // MARK: The repository

  /// Makes a repository known, or takes up its present name.
  ///
  /// - Parameters:
  ///   - repository: The repository as its server describes it.
  ///   - json: The description as the server sent it.
  ///   - host: The server's host (``GitHubAPI/GitHubServer/host``).
  ///   - name: The name under which it was asked for, by which it is found from then on too.
  ///   - seen: The time on this machine.
  /// - Returns: The repository with what is kept of it, found by its id on the server. If two have had the name, it
  ///   belongs to the one that was recorded last.
  /// - Throws: ``MirrorFailure``.
  func record(
    _ repository: Repository, json: Data, on host: String, under name: RepositoryName?,
    at seen: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// Where the syncs of a repository are; nil where it was removed.
  func state(of repository: MirroredRepository) async throws(MirrorFailure) -> SyncState?

  /// How many there are of something.
  func count(_ what: KeptCount, of repository: MirroredRepository) async throws(MirrorFailure)
    -> Int

  /// When the newest change of a kept item happened, in seconds since 1970 by the server's clock.
  func latestChange(of repository: MirroredRepository) async throws(MirrorFailure) -> Int?

  /// Hands out a ticket, later than every ticket of the repository before it, whichever process took that.
  ///
  /// Taken right before a request, it says which of two answers was asked for later. A store takes one itself in each
  /// transaction that writes entries, so that whatever it wrote under earlier tickets can be read by now.
  func ticket(of repository: MirroredRepository) async throws(MirrorFailure) -> StoreTicket

  // MARK: Change feeds

  /// Begins a sweep, unless another sync has begun one that does as much.
  ///
  /// - Parameters:
  ///   - sweep: The sweep.
  ///   - feed: The change feed.
  ///   - repository: Its repository.
  ///   - old: A sweep to replace.
  ///   - began: The time on this machine.
  /// - Returns: The sweep that is under way now, with the token that tells it from others.
  /// - Throws: ``MirrorFailure``.
  func begin(
    _ sweep: Sweep, _ feed: ChangeFeed, of repository: MirroredRepository, inPlaceOf old: Sweep?,
    at began: Date
  ) async throws(MirrorFailure) -> Sweep

  /// Writes a page, and where the sweep is after it, in one transaction.
  ///
  /// The newest version of an entry stays: the one that changed later; of one second the one with the later ticket.
  /// An older version replaces it only where the page is the server's present word
  /// (``FeedPage/Asked/isPresentBefore``) and has no earlier ticket.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - repository: Its repository.
  ///   - sweep: Where the sweep is after it; nil where the page isn't part of one. A verification notes the
  ///     numbers on it.
  ///   - seen: The time on this machine.
  /// - Returns: What became of the entries, and whether another sync has ended or replaced the sweep: its position
  ///   isn't kept then.
  /// - Throws: ``MirrorFailure``; nothing of the page is written then.
  func store(
    _ page: FeedPage, of repository: MirroredRepository, sweep: Sweep?, at seen: Date
  ) async throws(MirrorFailure) -> (counts: SyncReport.Counts, isSweepGone: Bool)

  /// Ends a sweep. What a verification neither saw nor asked for isn't set aside any more.
  ///
  /// - Parameters:
  ///   - feed: The change feed.
  ///   - repository: Its repository.
  ///   - sweep: The sweep; nil where there was none.
  ///   - syncedTo: Up to when everything is here, in seconds since 1970 by the server's clock. Where another sync
  ///     has come further, that stays.
  ///   - entityTag: The tag of the server's last answer.
  ///   - isVerified: Whether every number of the server was seen since the sweep began, and the others were asked
  ///     for.
  ///   - newest: Up to which number each that isn't kept has to be asked for; nil for none.
  ///   - checked: The time on this machine.
  /// - Returns: The repository as it is kept now.
  /// - Throws: ``MirrorFailure``.
  func finish(
    _ feed: ChangeFeed, of repository: MirroredRepository, sweep: Sweep?, syncedTo: Int,
    entityTag: String?, isVerified: Bool, provesTo newest: Int?, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  /// Forgets a sweep: the next sync begins anew.
  func drop(_ sweep: Sweep) async throws(MirrorFailure)

  /// Notes that a change feed was looked at and is up to date.
  ///
  /// - Parameters:
  ///   - feed: The change feed.
  ///   - repository: Its repository.
  ///   - counted: The ticket that was taken before comments were counted (``SyncState/commentsCounted``); nil where
  ///     they weren't.
  ///   - checked: The time on this machine.
  /// - Returns: The repository as it is kept now.
  /// - Throws: ``MirrorFailure``.
  func confirm(
    _ feed: ChangeFeed, of repository: MirroredRepository, counted: StoreTicket?, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository

  // MARK: What is missing

  /// The numbers that are kept but weren't on any page of a verification, in order; nil where another sync has
  /// ended or replaced it.
  func unseenNumbers(
    of repository: MirroredRepository, by sweep: Sweep
  ) async throws(MirrorFailure) -> [Int]?

  /// Puts a tombstone in the place of an item, its comments and what was set aside of them.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - fate: What became of it.
  ///   - repository: Its repository.
  ///   - found: The time on this machine.
  ///   - asked: The ticket that was taken before it was asked for: a version with a later one stays.
  /// - Returns: Whether it was there.
  /// - Throws: ``MirrorFailure``.
  func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date,
    asked: StoreTicket
  ) async throws(MirrorFailure) -> Bool

  /// The numbers that are neither kept nor known to be gone, in order, up to the one that a sweep ended with
  /// (`provesTo`); nil where all were asked for.
  func unexplainedNumbers(
    of repository: MirroredRepository, after last: Int, limit: Int
  ) async throws(MirrorFailure) -> [Int]?

  /// Notes numbers that the server says it hasn't got.
  func noteAbsence(
    of numbers: [Int], in repository: MirroredRepository
  ) async throws(MirrorFailure)

  /// Forgets which numbers the server said it hasn't got.
  func forgetAbsences(of repository: MirroredRepository) async throws(MirrorFailure)

  /// Notes that every number was asked for.
  func endProof(of repository: MirroredRepository) async throws(MirrorFailure)

  /// How many more open items the server's last count has than are kept; nil where it doesn't count them.
  func openDifference(of repository: MirroredRepository) async throws(MirrorFailure) -> Int?

  /// Replaces what is known of a difference, unless another sync has changed it meanwhile.
  ///
  /// - Returns: Whether it was replaced.
  func replace(
    _ old: CountDifference, by new: CountDifference, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool

  // MARK: Comments

  /// The numbers of the items with fewer or more comments than the server counts, or with comments that were set
  /// aside, in order.
  ///
  /// - Parameters:
  ///   - repository: Their repository.
  ///   - ticket: Only those whose present version was stored after this ticket was taken; nil for all.
  /// - Returns: The numbers.
  /// - Throws: ``MirrorFailure``.
  func miscountedNumbers(
    of repository: MirroredRepository, storedSince ticket: StoreTicket?
  ) async throws(MirrorFailure) -> [Int]

  /// Removes the comments on an item but for some, and forgets which of the others were set aside.
  ///
  /// - Returns: How many were removed.
  func removeComments(
    on number: Int, of repository: MirroredRepository, except ids: [Int64]
  ) async throws(MirrorFailure) -> Int

  // MARK: Labels and milestones

  /// The entity tags of a list's pages, in order; none where items have other versions than the list, which then
  /// has to be read anew.
  func entityTags(
    of list: PropertyList, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [String]

  /// The labels that items have and a list hasn't, with their names, and the milestones that are known and a list
  /// hasn't; of a list that is nil, nothing is missing.
  func unlisted(
    labels: [ListedLabel]?, milestones: [FeedPage.Milestone]?, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [UnlistedProperty]

  /// Keeps the labels and milestones of a repository as they are listed, and brings the items that have them up to
  /// date: in steps, so that nobody waits for long. Cut off in between, the next sync goes on.
  ///
  /// - Parameters:
  ///   - labels: The labels; nil where those that are kept are right.
  ///   - milestones: The milestones; nil in the same way.
  ///   - gone: What was deleted of those that aren't listed.
  ///   - repository: Their repository.
  ///   - checked: The time on this machine.
  /// - Throws: ``MirrorFailure``.
  func settle(
    labels: ListedPages<ListedLabel>?, milestones: ListedPages<FeedPage.Milestone>?,
    gone: Set<MissingProperty>, of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure)

  // MARK: The whole

  /// Makes the search index anew where it doesn't hold what the issues and comments do.
  ///
  /// - Returns: Whether it was made anew.
  func repairSearchIndex() async throws(MirrorFailure) -> Bool

  /// Removes everything that is kept of a repository.
  func remove(_ repository: MirroredRepository) async throws(MirrorFailure)
}

extension IssueReader {
  /// An issue or a pull request by its number.
  package func issue(
    _ number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Issue? {
    try await sentIssue(number, of: repository)?.entity
  }

  /// The comments on an issue, the oldest first.
  package func comments(
    on number: Int, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [IssueComment] {
    try await sentComments(on: number, of: repository).map(\.entity)
  }

  /// The numbers of a repository's issues, as of now.
  package func statistics(
    of repository: MirroredRepository, weeks: Int
  ) async throws(MirrorFailure) -> RepositoryStatistics {
    try await statistics(of: repository, weeks: weeks, now: Date())
  }
}

/// A place in the order in which a store's events happen. Only tickets of one repository compare.
package struct StoreTicket: Hashable, Comparable, Sendable {
  /// The place. Its size means nothing.
  package let place: Int64

  /// Makes a ticket; for stores.
  package init(place: Int64) { self.place = place }

  /// Whether a ticket was handed out before another one.
  package static func < (first: Self, second: Self) -> Bool { first.place < second.place }
}

/// Where the syncs of a repository are.
package struct SyncState: Sendable {
  /// The repository as it is kept now.
  package var repository: MirroredRepository
  /// The sweeps that are under way.
  package var sweeps: [ChangeFeed: Sweep] = [:]
  /// What the end of each feed is asked for with, where it has an entity tag.
  package var entityTags: [ChangeFeed: String] = [:]
  /// When the lists of labels and milestones were last asked for, by a machine's clock.
  package var propertiesCheckedAt: Date?
  /// The comments of what was stored before this ticket have been counted, and deleted ones were removed; nil where
  /// none have been.
  package var commentsCounted: StoreTicket?
  /// Whether the server counts other numbers of open items than are kept.
  package var difference = CountDifference()

  /// Describes a repository before its first sync.
  package init(repository: MirroredRepository) {
    self.repository = repository
  }
}

/// What can be counted of a repository.
package enum KeptCount: Sendable {
  /// The issues and pull requests that are kept.
  case items
  /// The open ones that a verification has seen.
  case openItemsSeen(by: Sweep)
  /// The numbers that the server says it hasn't got, and that never were kept.
  case absences
  /// The comments, by the counts of the items that are kept.
  case countedComments
}

/// A difference between the open items that a server counts and those that are kept.
///
/// A count may lag behind, so that a difference means something only when it stays. Times are in seconds since 1970
/// by the server's clock.
package struct CountDifference: Hashable, Sendable {
  /// For how many seconds a difference has to stay until it is more than the server's delay.
  private static let settling = 60
  /// After how many seconds all numbers may be gone through once more because of a difference.
  private static let recounting = 3_600

  /// How many more the server counts, where that hasn't been looked into.
  package var pending: Int?
  /// Since when that is known.
  package var noticedAt: Int?
  /// When all numbers were last gone through because of a difference.
  package var examinedAt: Int?
  /// How large it was when all numbers had been gone through: that much is the server's own.
  package var accepted: Int?

  /// Makes a difference, by default none.
  package init(
    pending: Int? = nil, noticedAt: Int? = nil, examinedAt: Int? = nil, accepted: Int? = nil
  ) {
    self.pending = pending
    self.noticedAt = noticedAt
    self.examinedAt = examinedAt
    self.accepted = accepted
  }

  /// Whether a difference that was seen before may be believed by now, so that the server's count is worth a request.
  package func isWorthRecounting(at time: Int) -> Bool {
    pending != nil && hasStayed(until: time) && mayBeExamined(at: time)
  }

  /// Takes a difference, and decides whether to go through all numbers because of it: if it has stayed, or nothing has
  /// changed, for as long as the server may take to count. At most once an hour.
  ///
  /// - Parameters:
  ///   - difference: How many more the server counts; nil for none, which forgets what was seen before.
  ///   - latestChange: When the newest change happened.
  ///   - time: The server's time.
  /// - Returns: Whether to go through all numbers.
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

  // A server's clock may be set back, too. Waiting for a time that was never right could take for ever.

  private func hasStayed(until time: Int) -> Bool {
    noticedAt.map { abs(time - $0) >= Self.settling } ?? false
  }

  private func mayBeExamined(at time: Int) -> Bool {
    examinedAt.map { abs(time - $0) >= Self.recounting } ?? true
  }
}
