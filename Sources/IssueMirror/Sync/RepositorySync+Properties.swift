internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Bringing labels and milestones up to date.
extension RepositorySync {
  /// How many seconds the lists stay fresh, as GitHub says (`Cache-Control: max-age=60`). A sync right after another
  /// one stays a single request.
  private static let freshness = 60.0
  /// How many unlisted labels and milestones one sync asks for.
  private static let mostMissing = 100

  /// Asks for the labels and the milestones, and updates the items that have them: renaming, recolouring or deleting
  /// one changes no issue.
  ///
  /// It asks after the issues, whose own labels are never newer then. Unchanged lists cost no rate limit, thanks to
  /// their entity tags. A server without such lists is fine.
  mutating func properties() async throws {
    let checked = try await store.state(of: repository)?.propertiesCheckedAt
    let isFresh = checked.map { !began.isApart(from: $0, seconds: Self.freshness) } ?? false
    guard options.verifies || !isFresh else { return }
    let (requests, name) = (requests, repository.fullName)
    let labelTags = try await entityTags(of: .labels)
    let milestoneTags = try await entityTags(of: .milestones)
    async let askedLabels = requests.properties(ListedLabel.self, of: name, ifNot: labelTags)
    async let askedMilestones = requests.properties(
      FeedPage.Milestone.self, of: name, ifNot: milestoneTags)
    var labels = try await askedLabels.pages
    var milestones = try await askedMilestones.pages
    let unlisted = try await store.unlisted(
      labels: labels?.entries, milestones: milestones?.entries, of: repository)
    let gone = try await gone(unlisted)
    // Without entity tags, the next sync looks again at what couldn't be settled.
    if unlisted.contains(where: { !gone.answered.contains($0.property) }) {
      labels?.entityTags = []
      milestones?.entityTags = []
    }
    try await store.settle(
      labels: labels, milestones: milestones, gone: gone.properties, of: repository, at: now)
  }

  private func entityTags(of list: PropertyList) async throws -> [String] {
    options.verifies ? [] : try await store.entityTags(of: list, of: repository)
  }

  /// Asks for what isn't listed: an entry that moved to another page while the list was read isn't gone.
  ///
  /// - Returns: What was deleted, and for what the server told.
  private mutating func gone(
    _ unlisted: [UnlistedProperty]
  ) async throws -> (properties: Set<MissingProperty>, answered: Set<MissingProperty>) {
    var gone: Set<MissingProperty> = []
    var answered: Set<MissingProperty> = []
    let (requests, name) = (requests, repository.fullName)
    let asked = Array(unlisted.prefix(Self.mostMissing))
    try await inParallel(Array(asked.indices), jobs: options.jobs) { index in
      try await requests.isGone(asked[index], of: name)
    } each: { index, isGone in
      guard let isGone else { return }
      answered.insert(asked[index].property)
      if isGone { gone.insert(asked[index].property) }
    }
    // If the repository itself is gone, everything is missing.
    if !gone.isEmpty { try await lookUpAgain() }
    return (gone, answered)
  }
}

extension SyncRequests.PropertyAnswer {
  /// The list, where it is to be kept.
  fileprivate var pages: ListedPages<Entry>? {
    guard case .listed(let pages) = self else { return nil }
    return pages
  }
}

/// Bringing comments up to date.
extension RepositorySync {
  /// Fetches comments that are new or have changed, and removes deleted ones.
  mutating func comments() async throws {
    var first: SyncRequests.Page?
    var isUnchanged = false
    if repository.commentsSyncedTo != nil,
      try await store.state(of: repository)?.sweeps[.comments] == nil
    {
      switch try await changes(on: .comments) {
      case .nothing: isUnchanged = true
      case .found(let page): first = page
      }
    }
    if !isUnchanged {
      if answer == nil { try await lookUpAgain() }
      try await bringUpToDate(.comments, first: first)
    }
    try await removeDeletedComments()
  }

  /// Removes deleted comments. No list shows them, but their issue's count of comments is one less: then the sync asks
  /// for all comments on that issue. Without a verification it looks only at issues that changed since it last did
  /// this to the end.
  private mutating func removeDeletedComments() async throws {
    let (requests, store, repository) = (requests, store, repository)
    let time = now
    let counted = try await store.ticket(of: repository)
    let since = report.isVerified ? nil : try await store.state(of: repository)?.commentsCounted
    let numbers = try await store.miscountedNumbers(of: repository, storedSince: since)
    try await inParallel(numbers, jobs: options.jobs) { number in
      try await requests.comments(
        on: number, in: repository, ticket: try await store.ticket(of: repository))
    } each: { number, pages in
      // A verification finds out what became of an issue that is gone.
      guard let pages else { return }
      for page in pages {
        report.comments +=
          try await store.store(page, of: repository, sweep: nil, at: now).counts
      }
      let ids = pages.flatMap { $0.entries.map(\.id) + $0.unreadable.map(\.id) }
      report.comments.removed += try await store.removeComments(
        on: number, of: repository, except: ids)
    }
    self.repository = try await store.confirm(
      .comments, of: repository, counted: counted, at: time)
  }
}
