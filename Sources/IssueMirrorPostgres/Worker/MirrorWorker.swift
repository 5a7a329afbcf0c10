internal import ConcurrencyPrimitives
public import IssueMirror
public import PlatformModules

/// Keeps the repositories in a mirror's queue up to date, together with other workers on any machines.
///
/// ```swift
/// let worker = MirrorWorker(mirror: mirror, configuration: GitHub.Configuration(token: token))
/// try await worker.run { event in print(event) }
/// ```
///
/// A worker takes repositories that are due (``PostgresMirror/enqueue(_:on:reason:priority:hastens:)``), syncs them and
/// says when they are due again: soon where much changes, later where nothing does. No two workers have the same one.
/// Who has a repository holds a lease, which is renewed while the sync goes on; if a worker dies, another one goes on
/// where it was as soon as its lease has ended. A repository that fails comes again later each time.
///
/// All workers share the server's limits for their token: see ``TeamBudgetTransport``.
///
/// When the task is cancelled, the worker sends nothing more, stores the pages that are under way and gives its
/// repositories back.
public struct MirrorWorker: Sendable {
  /// Options of a worker.
  public struct Options: Sendable, Hashable {
    /// The most repositories at once, 4 by default.
    public var repositories: Int
    /// How to sync a repository. By default 4 requests at once, and no comments.
    public var sync: RepositorySync.Options
    /// The shortest time between two syncs of a repository, 30 seconds by default.
    public var shortestInterval: Duration
    /// The longest time between two syncs of a repository, half an hour by default.
    public var longestInterval: Duration
    /// For how long a worker holds a repository without being heard of, two minutes by default.
    public var lease: Duration
    /// The longest time between two looks at the queue, 5 seconds by default.
    public var longestWait: Duration
    /// For how long pages under way may go on arriving when the worker is to stop, 10 seconds by default.
    public var grace: Duration
    /// Whether to end when nothing is due that nobody else has.
    public var endsWhenIdle: Bool
    /// Organizations whose lists of changed issues are asked for, as a hint: what has changed is due at once.
    public var organizations: [String]
    /// The time between two looks at such a list, of all workers together, 15 seconds by default.
    public var organizationInterval: Duration
    /// The time between two syncs of a repository without news, where such a list has been found to have all changes:
    /// six hours by default. No longer than ``longestInterval``, it leaves nothing to the list.
    public var listedInterval: Duration

    /// Creates options.
    public init(
      repositories: Int = 4, sync: RepositorySync.Options = RepositorySync.Options(jobs: 4),
      shortestInterval: Duration = .seconds(30), longestInterval: Duration = .seconds(1800),
      lease: Duration = .seconds(120), longestWait: Duration = .seconds(5),
      grace: Duration = .seconds(10), endsWhenIdle: Bool = false, organizations: [String] = [],
      organizationInterval: Duration = .seconds(15), listedInterval: Duration = .seconds(21_600)
    ) {
      self.repositories = repositories
      self.sync = sync
      self.shortestInterval = shortestInterval
      self.longestInterval = longestInterval
      self.lease = lease
      self.longestWait = longestWait
      self.grace = grace
      self.endsWhenIdle = endsWhenIdle
      self.organizations = organizations
      self.organizationInterval = organizationInterval
      self.listedInterval = listedInterval
    }
  }

  /// What a worker does. Names are `owner/name`.
  public enum Event: Sendable, Hashable {
    /// It has taken a repository: because of `reason`, and perhaps from a worker that has died.
    case claimed(String, reason: String, wasAbandoned: Bool)
    /// A repository is up to date, and due again after a time.
    case finished(String, SyncReport, dueIn: Duration)
    /// A sync has failed, for this reason, and is tried again after a time.
    case failed(String, String, dueIn: Duration)
    /// It has given a repository back, unfinished. Another worker may go on at once.
    case gaveBack(String)
    /// It couldn't renew its lease in time, so another worker may have the repository.
    case lostLease(String)
    /// It pauses for this reason, such as a limit, or a server that can't be reached.
    case paused(String, Duration)
  }

  let mirror: PostgresMirror
  let server: GitHubServer
  let options: Options
  let name: String
  private let configuration: GitHub.Configuration
  private let budget: TeamBudgetTransport
  private let now: @Sendable () -> Date

  /// Creates a worker. It does nothing before it runs.
  ///
  /// - Parameters:
  ///   - mirror: The mirror with the queue.
  ///   - configuration: The server, the token, and how to ask. Give it no cache. Where its rate limits wait, a worker
  ///     keeps its repositories while they do. Their points per minute are those of all workers together.
  ///   - options: How to work.
  ///   - name: A name for people; by default that of the machine, and the number of the process.
  ///   - now: The local time, from which the mirror's age is counted.
  public init(
    mirror: PostgresMirror, configuration: GitHub.Configuration, options: Options = Options(),
    name: String? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.mirror = mirror
    server = configuration.server
    self.options = options
    let process = ProcessInfo.processInfo
    self.name = name ?? "\(process.hostName)/\(process.processIdentifier)"
    self.now = now
    budget = TeamBudgetTransport(
      configuration.transport, mirror: mirror, server: configuration.server,
      pointsPerMinute: configuration.rateLimits?.pointsPerMinute ?? Int(Int32.max),
      clock: configuration.clock, now: configuration.now)
    var configuration = configuration
    configuration.transport = budget
    self.configuration = configuration
  }

  /// Works until the task is cancelled, or with ``Options/endsWhenIdle`` until nothing is due.
  ///
  /// It goes on where a repository fails, where the network is away, and where the database can't be reached for a
  /// while.
  ///
  /// - Parameter onEvent: Called with each event. It must not block.
  /// - Throws: ``/HTTPTargets/NetworkError`` if the server refuses the token, and ``/IssueMirror/MirrorFailure`` if the
  ///   mirror can't be used. Its repositories are given back before.
  public func run(onEvent: @escaping @Sendable (Event) -> Void = { _ in }) async throws {
    let gate = StopGate()
    var configuration = configuration
    configuration.interceptors.insert(gate, at: 0)
    let shift = WorkerShift(
      worker: self, queue: RepositoryQueue(mirror, host: server.host),
      provider: Provider.gitHub(configuration), clock: configuration.clock, gate: gate, now: now,
      onEvent: onEvent)
    do {
      try await shift.run()
    } catch {
      await budget.giveBack()
      throw error
    }
    await budget.giveBack()
  }

  func giveBudgetBack() async { await budget.giveBack() }
}
