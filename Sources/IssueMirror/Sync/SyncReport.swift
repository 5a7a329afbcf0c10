/// The results of a sync.
public struct SyncReport: Sendable, Hashable {
  /// The changes to the rows of the mirror.
  public struct Counts: Sendable, Hashable {
    /// New rows.
    public var inserted = 0
    /// Changed rows.
    public var updated = 0
    /// Rows that arrived unchanged.
    public var unchanged = 0
    /// Rows removed because the server no longer has them.
    public var removed = 0

    /// Creates zero counts.
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

  /// The repository after the sync.
  public var repository: MirroredRepository
  /// The counts of issues and pull requests.
  public var items = Counts()
  /// The counts of comments.
  public var comments = Counts()
  /// The number of issues with a new or changed timeline.
  public var timelines = 0
  /// The number of requests, including redirects and retries.
  public var requests = 0
  /// Whether the sync checked for deleted and transferred issues.
  public var isVerified = false

  /// Whether issues changed so shortly before a verification that it keeps the mirror's newer versions.
  public var hasUncomparedChanges = false

  /// Whether some numbers are neither mirrored nor known to be gone. The next sync continues the lookup.
  public var hasUnexplainedNumbers = false

  /// Whether timelines were requested from a server without timelines. They are requested again after a month.
  public var lacksTimelines = false

  /// Whether comments were requested from a server without a list of a repository's comments.
  public var lacksComments = false

  /// The entries missing from the mirror because they can't be read.
  public var setAside: [SetAsideEntry] = []

  /// Whether the server failed to list some timelines. The next sync requests them again.
  public var hasUnreadTimelines = false

  /// Whether the search index was damaged and has been rebuilt.
  public var isIndexRebuilt = false

  subscript(feed: ChangeFeed) -> Counts {
    get { feed == .items ? items : comments }
    set { if feed == .items { items = newValue } else { comments = newValue } }
  }

  /// New issues and pull requests.
  public var inserted: Int { items.inserted }
  /// Changed issues and pull requests.
  public var updated: Int { items.updated }
  /// Issues and pull requests that arrived unchanged.
  public var unchanged: Int { items.unchanged }
  /// Issues and pull requests that became tombstones.
  public var removed: Int { items.removed }
  /// Whether the mirror was up to date.
  public var isUnchanged: Bool { items.isEmpty && comments.isEmpty }
}

/// The progress of a sync.
public struct SyncProgress: Sendable, Hashable {
  /// A part of a sync.
  public enum Phase: Sendable, Hashable {
    /// Identifying the repository and checking for changes.
    case lookingUp
    /// Fetching issues and pull requests.
    case items
    /// Fetching comments.
    case comments
    /// Fetching timelines of issues.
    case timelines
    /// Requesting all pages again to find deleted and transferred issues.
    case verifying
    /// Looking up a number that the server no longer lists.
    case checking(Int)
  }

  /// The current part.
  public var phase: Phase
  /// The number of items, comments or timelines of this part that have arrived, including duplicates and those from
  /// before an interruption. During a lookup of numbers, the number of lookups so far.
  public var stored: Int
  /// The approximate total; nil if unknown.
  public var total: Int?
  /// New issues and pull requests so far.
  public var newItems = 0
  /// New comments so far.
  public var newComments = 0
  /// New and changed timelines so far.
  public var newTimelines = 0

  /// Creates a progress report.
  public init(phase: Phase, stored: Int = 0, total: Int? = nil) {
    self.phase = phase
    self.stored = stored
    self.total = total
  }

  /// The completed fraction of this part, from 0 to 1; nil if unknown.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(Double(stored) / Double(total), 1)
  }
}
