/// What a sync did.
public struct SyncReport: Sendable, Hashable {
  /// What happened to rows of the mirror.
  public struct Counts: Sendable, Hashable {
    /// Rows that are new.
    public var inserted = 0
    /// Rows that have changed.
    public var updated = 0
    /// Rows that arrived unchanged.
    public var unchanged = 0
    /// Rows that the server doesn't have any more.
    public var removed = 0

    /// Makes an empty count.
    public init() {}

    /// Whether nothing was written.
    public var isEmpty: Bool { inserted + updated + removed == 0 }

    static func += (sum: inout Counts, counts: Counts) {
      sum.inserted += counts.inserted
      sum.updated += counts.updated
      sum.unchanged += counts.unchanged
      sum.removed += counts.removed
    }
  }

  /// The repository as it is kept now.
  public var repository: MirroredRepository
  /// The counts of issues and pull requests.
  public var items = Counts()
  /// The counts of comments.
  public var comments = Counts()
  /// The number of requests, including redirects and retries.
  public var requests = 0
  /// Whether the sync looked for deleted and transferred issues.
  public var isVerified = false

  /// Whether some numbers are neither kept nor known to be gone. The next sync continues to look them up.
  public var hasUnexplainedNumbers = false

  /// Whether the search index was damaged, and has been rebuilt.
  public var isIndexRebuilt = false

  /// Makes an empty report.
  public init(repository: MirroredRepository) {
    self.repository = repository
  }

  subscript(feed: ChangeFeed) -> Counts {
    get { feed == .items ? items : comments }
    set { if feed == .items { items = newValue } else { comments = newValue } }
  }

  /// Issues and pull requests that are new.
  public var inserted: Int { items.inserted }
  /// Issues and pull requests that have changed.
  public var updated: Int { items.updated }
  /// Issues and pull requests that arrived unchanged.
  public var unchanged: Int { items.unchanged }
  /// Issues and pull requests that have become tombstones.
  public var removed: Int { items.removed }
  /// Whether the mirror was up to date.
  public var isUnchanged: Bool { items.isEmpty && comments.isEmpty }
}

/// How far a sync is.
public struct SyncProgress: Sendable, Hashable {
  /// A part of a sync.
  public enum Phase: Sendable, Hashable {
    /// Identifying the repository, and looking for changes.
    case lookingUp
    /// Fetching issues and pull requests.
    case items
    /// Fetching comments.
    case comments
    /// Going through all numbers, to find what was deleted or transferred.
    case verifying
    /// Looking up a number that the server doesn't list any more.
    case checking(Int)
  }

  /// The current part.
  public var phase: Phase
  /// How many items or comments of this part have arrived, including duplicates and those from before an
  /// interruption; or how many numbers have been looked up.
  public var stored: Int
  /// The approximate total; nil if unknown.
  public var total: Int?
  /// Issues and pull requests that are new so far.
  public var newItems = 0
  /// Comments that are new so far.
  public var newComments = 0

  /// Describes progress.
  public init(phase: Phase, stored: Int = 0, total: Int? = nil) {
    self.phase = phase
    self.stored = stored
    self.total = total
  }

  /// The fraction of this part that is done, from 0 to 1; nil if unknown.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(Double(stored) / Double(total), 1)
  }
}
