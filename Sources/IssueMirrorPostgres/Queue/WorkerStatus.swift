/// The queue of a team's mirror, its workers and their budget, at one moment of the database.
public struct WorkerStatus: Sendable, Hashable {
  /// A repository that a worker is syncing.
  public struct Held: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// `owner/name`.
    public var repository: String
    /// The name of the worker.
    public var holder: String
    /// When another worker may take it, unless the lease is renewed.
    public var leaseEndsIn: Duration
  }

  /// A repository whose last sync has failed.
  public struct Failing: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// `owner/name`.
    public var repository: String
    /// How many syncs have failed in a row.
    public var failures: Int
    /// How long ago the last one failed.
    public var failedAgo: Duration
    /// Why the last one failed.
    public var reason: String
    /// When it is tried again.
    public var dueIn: Duration
  }

  /// The requests that a server allows a token.
  public struct Budget: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// The beginning of a digest of the server and the token.
    public var token: String
    /// The server's name of the quota, such as `core`.
    public var resource: String
    /// The requests in a window.
    public var quota: Int
    /// The requests that are left, and that no worker has reserved.
    public var remaining: Int
    /// The requests that workers have reserved.
    public var reserved: Int
    /// When the window ends.
    public var renewedIn: Duration
    /// For how long the server asks everybody to slow down; zero if it doesn't.
    public var pausedFor: Duration
  }

  /// An organization's list of changed issues, as workers ask for it.
  public struct Feed: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// The organization.
    public var organization: String
    /// How long ago the list was last answered; nil if it never was.
    public var askedAgo: Duration?
    /// How often it has made a repository due.
    public var hints: Int
    /// Why the list can't be had; nil if it can.
    public var failure: String?
    /// How much of what syncs have found was in the list, in a row, up to ``newsNeeded``.
    public var newsConfirmed = 0
    /// The repositories whose changes it lacked.
    public var unlisted = 0

    /// How much must have been in the list before anything is left to it.
    public static let newsNeeded = FeedProbe.newsNeeded

    /// Whether repositories are left to the list: see ``MirrorWorker/Options/listedInterval``.
    public var isComplete: Bool { failure == nil && newsConfirmed >= Self.newsNeeded }
  }

  /// The repositories in the queue.
  public var repositories = 0
  /// Those that are due, and that no worker has taken yet.
  public var due = 0
  /// Those that no worker has ever synced to the end.
  public var neverSynced = 0
  /// How long ago half of the others were last synced, at most; nil if there is none.
  public var medianAge: Duration?
  /// How long ago 95 of 100 of the others were last synced, at most; nil if there is none.
  public var age95: Duration?
  /// For how long the first of those that are due has been waiting.
  public var longestWait = Duration.zero
  /// What workers are syncing, by name.
  public var held: [Held] = []
  /// What has failed, the last one first.
  public var failing: [Failing] = []
  /// The budgets, by server.
  public var budgets: [Budget] = []
  /// The lists of organizations, by server.
  public var feeds: [Feed] = []

  /// Creates the status of an empty queue.
  public init() {}
}
