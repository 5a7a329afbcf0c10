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
/// A worker claims due repositories (``PostgresMirror/enqueue(_:on:reason:priority:hastens:)``), syncs them, and
/// schedules their next sync: soon after many changes, later if nothing has changed. A repository is never synced by
/// two workers at the same time. A worker holds a lease, which it renews during the sync. If the worker dies, another
/// one continues the sync as soon as the lease ends. Failing repositories are retried at increasing intervals.
///
/// All workers share the server's limits for their token: see ``TeamBudgetTransport``.
///
/// When its task is canceled, the worker stops sending requests, stores the pages that are still arriving, and gives
/// its repositories back.
public struct MirrorWorker: Sendable {
  /// Options of a worker.
  public struct Options: Sendable, Hashable {
    /// The most repositories to sync at the same time, 4 by default.
    public var repositories: Int
    /// The options of each sync. By default, 4 concurrent requests and no comments.
    public var sync: RepositorySync.Options
    /// The shortest time between two syncs of a repository, 30 seconds by default.
    public var shortestInterval: Duration
    /// The longest time between two syncs of a repository, half an hour by default.
    public var longestInterval: Duration
    /// The time for which a worker holds a repository without renewing its lease, two minutes by default.
    public var lease: Duration
    /// The longest time between two checks of the queue, 5 seconds by default.
    public var longestWait: Duration
    /// The time that a stopped worker waits for responses, 10 seconds by default.
    public var grace: Duration
    /// Whether to end when no unclaimed repository is due.
    public var endsWhenIdle: Bool
    /// Organizations whose lists of changed issues are read as a hint: changed repositories become due immediately.
    public var organizations: [String]
    /// The time between two requests for such a list, counted over all workers, 15 seconds by default.
    public var organizationInterval: Duration
    /// The time between two syncs of an unchanged repository whose organization's list has proved complete, six hours
    /// by default. If this isn't longer than ``longestInterval``, no repository relies on the list.
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

  /// An event of a worker. Names are in the form `owner/name`.
  public enum Event: Sendable, Hashable {
    /// The worker claimed a repository, which is in the queue for `reason`. `wasAbandoned` is true if its previous
    /// worker died.
    case claimed(String, reason: String, wasAbandoned: Bool)
    /// A repository is up to date, and will be due again after the given time.
    case finished(String, SyncReport, dueIn: Duration)
    /// A sync failed for the given reason, and will be tried again after the given time.
    case failed(String, String, dueIn: Duration)
    /// The worker gave a repository back unfinished. Another worker may continue immediately.
    case gaveBack(String)
    /// The worker couldn't renew its lease in time, so another worker may hold the repository.
    case lostLease(String)
    /// The worker pauses for the given reason, such as a limit or an unreachable server.
    case paused(String, Duration)
  }

  let mirror: PostgresMirror
  let server: GitHubServer
  let options: Options
  let name: String
  private let configuration: GitHub.Configuration
  private let budget: TeamBudgetTransport
  private let now: @Sendable () -> Date

  /// Creates a worker. It doesn't start before it runs.
  ///
  /// - Parameters:
  ///   - mirror: The mirror with the queue.
  ///   - configuration: The server, the token, and the transport. Don't use a cache. If its rate limits wait, the
  ///     worker keeps its repositories during the wait. Its points per minute apply to all workers together.
  ///   - options: The options of the worker.
  ///   - name: A name to show to people; by default the machine's name and the process id.
  ///   - now: The local time, from which the mirror's age is computed.
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

  /// Works until the task is canceled, or with ``Options/endsWhenIdle`` until nothing is due.
  ///
  /// It continues if a repository fails, or if the network or the database is temporarily unavailable.
  ///
  /// - Parameter onEvent: Called with each event. It must not block.
  /// - Throws: ``/HTTPTargets/NetworkError`` if the server refuses the token, and ``/IssueMirror/MirrorFailure`` if the
  ///   mirror can't be used. The worker's repositories are given back first.
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
