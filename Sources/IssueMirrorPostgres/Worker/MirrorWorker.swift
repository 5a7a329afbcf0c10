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
/// A worker takes due repositories (``PostgresMirror/enqueue(_:on:reason:priority:hastens:)``), syncs them, and
/// schedules their next sync: soon after many changes, later after none. No two workers sync the same repository at
/// once. A worker holds a lease, which it renews during the sync; if the worker dies, another one continues from there
/// as soon as the lease ends. A failing repository is retried at growing intervals.
///
/// All workers share the server's limits for their token: see ``TeamBudgetTransport``.
///
/// When the task is cancelled, the worker sends no more requests, stores the pages under way, and gives its
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
    /// The time for which a worker holds a repository without renewing its lease, two minutes by default.
    public var lease: Duration
    /// The longest time between two checks of the queue, 5 seconds by default.
    public var longestWait: Duration
    /// The time in which pages under way may still arrive when the worker is stopped, 10 seconds by default.
    public var grace: Duration
    /// Whether to end when no unclaimed repository is due.
    public var endsWhenIdle: Bool
    /// Organizations whose lists of changed issues are read as a hint: changed repositories become due at once.
    public var organizations: [String]
    /// The time between two requests for such a list by all workers together, 15 seconds by default.
    public var organizationInterval: Duration
    /// The time between two syncs of an unchanged repository whose organization's list has been found to be complete,
    /// six hours by default. If it isn't longer than ``longestInterval``, no repository is left to the list.
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

  /// An event of a worker. Names are `owner/name`.
  public enum Event: Sendable, Hashable {
    /// It has taken a repository, which is in the queue for `reason`, perhaps from a worker that has died.
    case claimed(String, reason: String, wasAbandoned: Bool)
    /// A repository is up to date, and due again after a time.
    case finished(String, SyncReport, dueIn: Duration)
    /// A sync has failed, for this reason, and is tried again after a time.
    case failed(String, String, dueIn: Duration)
    /// It has given a repository back, unfinished. Another worker may continue at once.
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
  ///   - configuration: The server, the token, and the transport. Use no cache. If its rate limits wait, a worker keeps
  ///     its repositories meanwhile. Its points per minute apply to all workers together.
  ///   - options: The options of the worker.
  ///   - name: A name for people; by default the machine's name and the process id.
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
  /// It continues if a repository fails, and if the network or the database is temporarily unavailable.
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
