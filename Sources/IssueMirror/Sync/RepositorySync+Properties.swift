internal import IssueTracker
internal import PlatformModules

extension RepositorySync {
  /// The time, in seconds, for which GitHub declares its lists fresh (`Cache-Control: max-age=60`).
  private static let freshness = 60.0
  private static let mostMissing = 100

  /// Updates labels and milestones, and the items that have them. Renaming, recoloring or deleting one doesn't change
  /// any issue.
  ///
  /// The lists are requested after the issues, so that the labels of issues are never newer. With entity tags, requests
  /// for unchanged lists don't count against the rate limit. A server may lack these lists.
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
    if labels != nil {
      if let shared = try await requests.organizationLabels(of: name) {
        labels?.entries += shared
      } else {
        labels = nil
      }
    }
    let unlisted = try await store.unlisted(
      labels: labels?.entries, milestones: milestones?.entries, of: repository)
    let gone = try await gone(unlisted)
    // Omits the entity tags, so that the next sync checks the unsettled entries again.
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

  /// Finds the deleted entries. An entry may also be unlisted because it moved to another page while the list was read.
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
    if !gone.isEmpty { try await lookUpAgain() }
    return (gone, answered)
  }
}

extension NetworkError {
  fileprivate var isOfMissingList: Bool {
    response?.status == .notFound || response?.status == .gone
  }
}

extension SyncRequests.PropertyAnswer {
  fileprivate var pages: ListedPages<Entry>? {
    guard case .listed(let pages) = self else { return nil }
    return pages
  }
}

extension RepositorySync {
  mutating func comments() async throws {
    do {
      try await listedComments()
    } catch let error as NetworkError where error.isOfMissingList {
      // This throws if the repository doesn't exist either.
      try await lookUpAgain()
      report.lacksComments = true
      return
    }
    try await removeDeletedComments()
  }

  private mutating func listedComments() async throws {
    var first: SyncRequests.Page?
    var isUnchanged = false
    // A verification reads everything anyway.
    if repository.commentsSyncedTo != nil, !options.verifies,
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
  }

  /// Some items have comments that the verification hasn't seen: these were deleted, or belong to another item. Reads
  /// all comments on such items. Returns false if another sync has ended or replaced the verification.
  mutating func checkUnseenComments(_ sweep: Sweep) async throws -> Bool {
    guard let numbers = try await store.unseenNumbers(.comments, of: repository, by: sweep)
    else { return false }
    try await readComments(on: numbers)
    return true
  }

  /// Deleted comments aren't on any list, but the comment count of their issue decreases. The sync then fetches all
  /// comments on that issue. Except in a verification, it only considers issues that have changed since the last
  /// complete check.
  private mutating func removeDeletedComments() async throws {
    let time = now
    let counted = try await store.ticket(of: repository)
    let since = report.isVerified ? nil : try await store.state(of: repository)?.commentsCounted
    try await readComments(
      on: try await store.miscountedNumbers(of: repository, storedSince: since))
    repository = try await store.confirm(
      .comments, of: repository, counted: counted, at: time)
  }

  private mutating func readComments(on numbers: [Int]) async throws {
    let (requests, store, repository) = (requests, store, repository)
    try await inParallel(numbers, jobs: options.jobs) { number in
      try await requests.comments(
        on: number, in: repository, ticket: try await store.ticket(of: repository))
    } each: { number, pages in
      // A verification will find out whether the issue still exists.
      guard let pages else { return }
      for page in pages {
        report.comments +=
          try await store.store(page, of: repository, sweep: nil, at: now).counts
      }
      let ids = pages.flatMap { $0.entries.map(\.id) + $0.unreadable.map(\.id) }
      report.comments.removed += try await store.removeComments(
        on: number, of: repository, except: ids)
    }
  }
}
