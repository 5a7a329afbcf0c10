/// The queue of a team's mirror, its workers and their budget, at one moment by the database's clock.
public struct WorkerStatus: Sendable, Hashable {
  /// A worker that has reported within the length of its lease.
  public struct Worker: Sendable, Hashable {
    /// The host of the server that it syncs from.
    public var host: String
    /// The name of the worker.
    public var name: String
    /// The time since its start.
    public var age: Duration
    /// The time since its last report.
    public var seenAgo: Duration
    /// The time until it continues; zero if it isn't paused.
    public var pausedFor: Duration
    /// The reason for the pause, such as a limit or a full disk; nil if it isn't paused.
    public var pause: String?
  }

  /// The time since the last sync of a repository.
  public struct Age: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// `owner/name`.
    public var repository: String
    /// The time since its last complete sync.
    public var age: Duration
  }

  /// A repository that a worker is syncing.
  public struct Held: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// `owner/name`.
    public var repository: String
    /// The name of the worker.
    public var holder: String
    /// The time until another worker may claim the repository, unless the lease is renewed.
    public var leaseEndsIn: Duration
  }

  /// A repository whose last sync failed.
  public struct Failing: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// `owner/name`.
    public var repository: String
    /// The number of failed syncs in a row.
    public var failures: Int
    /// The time since the last failure.
    public var failedAgo: Duration
    /// The reason for the last failure.
    public var reason: String
    /// The time until the next attempt.
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
    /// The number of requests in a window.
    public var quota: Int
    /// The number of remaining requests that no worker has reserved.
    public var remaining: Int
    /// The number of requests that workers have reserved.
    public var reserved: Int
    /// The time until the window ends.
    public var renewedIn: Duration
    /// The time for which the server asks all clients to slow down; zero if it doesn't.
    public var pausedFor: Duration
  }

  /// An organization's list of changed issues, as workers read it.
  public struct Feed: Sendable, Hashable {
    /// The server's host.
    public var host: String
    /// The organization.
    public var organization: String
    /// The time since the last successful request for the list; nil if no request has succeeded.
    public var askedAgo: Duration?
    /// The number of times that the list has made a repository due.
    public var hints: Int
    /// The reason that the list is unavailable; nil if it is available.
    public var failure: String?
    /// The number of consecutive changes found by syncs that were in the list, up to ``newsNeeded``.
    public var newsConfirmed = 0
    /// The number of repositories with changes that were missing from the list.
    public var unlisted = 0

    /// The number of changes that must have been in the list before repositories rely on it.
    public static let newsNeeded = FeedProbe.newsNeeded

    /// Whether repositories rely on the list: see ``MirrorWorker/Options/listedInterval``.
    public var isComplete: Bool { failure == nil && newsConfirmed >= Self.newsNeeded }
  }

  /// The number of repositories in the queue.
  public var repositories = 0
  /// The number of due repositories that no worker has claimed yet.
  public var due = 0
  /// The number of repositories that have never been synced completely.
  public var neverSynced = 0
  /// The median time since the last sync of the other repositories; nil if no repository was synced.
  public var medianAge: Duration?
  /// The 95th percentile of the time since the last sync of the other repositories; nil if no repository was synced.
  public var age95: Duration?
  /// The time for which the first due repository has been waiting.
  public var longestWait = Duration.zero
  /// The workers that are alive, by server and name. Empty until the owner of the tables has migrated them.
  public var workers: [Worker] = []
  /// The repositories of the queue that were synced, by name.
  public var ages: [Age] = []
  /// The repositories that workers are syncing, by name.
  public var held: [Held] = []
  /// The repositories whose last sync failed, the latest failure first.
  public var failing: [Failing] = []
  /// The budgets, by server.
  public var budgets: [Budget] = []
  /// The lists of organizations, by server.
  public var feeds: [Feed] = []

  /// Creates the status of an empty queue.
  public init() {}
}
