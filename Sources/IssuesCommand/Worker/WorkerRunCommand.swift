internal import ArgumentParser
internal import ConcurrencyPrimitives
internal import IssueMirror
internal import IssueMirrorPostgres

struct WorkerRunCommand: JSONCommand, DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Sync the due repositories of the queue, until it is stopped.",
    usage: "issues worker [run] [<options>]",
    discussion: """
      Takes repositories that are due from the queue of a team's mirror, and syncs them. It holds \
      each by a lease, which it renews; if it dies, another worker continues once the lease has \
      ended. After a sync, a repository is due again between --shortest and --longest later, \
      sooner the more it changes. After a failure, it is due in a minute, and the delay doubles \
      with each further failure, up to six hours.

      LIMITS AND STOPPING:
      All workers share the requests that the server allows their token. If none are left, or the \
      network or the database is unavailable, it pauses. If the server refuses the token, it ends \
      (exit status 4), as it does after the upgrade of the mirror by a later version (74).

      Ctrl-C and SIGTERM end it: it stores the pages in progress, within ten seconds, and returns its \
      repositories (exit status 0). A second Ctrl-C ends it at once.

      FEEDS:
      With --feed, one worker for all requests an organization's list of changed issues every 15 \
      seconds, and changed repositories are due at once. Responses without news don't count against the \
      limit. The list has only the issues that the token's user sees as a member of the organization. \
      So syncs check it: once twenty changes in a row were also in the list, repositories without news \
      are due only after --listed, until a sync finds a change that the list lacks.

      METRICS AND WEBHOOKS:
      --listen serves GET /metrics, with the text of 'issues worker status --format prometheus', and \
      GET /healthz, on a port of this machine, or on ADDRESS:PORT. 0 is any free port, which it prints.

      With a secret in ISSUES_WEBHOOK_SECRET, or in the file in ISSUES_WEBHOOK_SECRET_FILE, it also \
      receives GitHub's webhooks at POST /webhook: a change can be found within seconds, and a \
      deleted issue is removed at once. Repositories with deliveries in the last day are synced for \
      missed ones at the interval of --longest. There is no TLS: put a proxy with it in front.

      It works for one server: that of --api-url, of GH_HOST, or github.com. Documentation/team.md \
      has a systemd unit and a compose file.

      OUTPUT FORMAT:
      Each event is a sentence on a terminal. In a pipe, it is a line of tab-separated values: the \
      time, the event (claimed, finished, failed, gave_back, lost_lease, paused), the repository, \
      the numbers of new, updated and removed items and comments together, of requests, the \
      seconds until it is due again, and a reason. --jsonl writes objects.

      EXAMPLES:
        issues worker --database service=issues
        issues worker --once             (due repositories, then exit)
        issues worker --comments --repositories 8 --jobs 16 --jsonl
        issues worker --feed swiftlang --listen 9464
      """)

  @Option(
    help: ArgumentHelp(
      "The most repositories at once. (default: \(MirrorWorker.Options().repositories))",
      valueName: "number"),
    transform: ValueReader.jobs)
  var repositories = MirrorWorker.Options().repositories

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp(
      "The most requests at once. It holds for all repositories together. (default: 8)",
      valueName: "number"),
    transform: ValueReader.jobs)
  var jobs = RepositorySync.Options().jobs

  @Flag(
    name: .shortAndLong,
    help: "Mirror the comments too. Once they are complete, every sync updates them.")
  var comments = false

  @Flag(help: "Mirror the timelines of issues too; it takes a request for each.")
  var timeline = false

  @Option(
    help: ArgumentHelp(
      "The shortest time between two syncs of a repository. (default: 30s)",
      valueName: "interval"),
    transform: ValueReader.watchInterval)
  var shortest: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The longest time between two syncs of a repository. (default: 30m)",
      valueName: "interval"),
    transform: ValueReader.watchInterval)
  var longest: DurationArgument?

  @Option(
    help: ArgumentHelp(
      """
      How long a silent worker keeps its repositories; then another one continues with them. \
      (default: 2m)
      """, valueName: "duration"),
    transform: ValueReader.watchInterval)
  var lease: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Ask what has changed in this organization; repeat it for several.", valueName: "name"),
    completion: .custom(MirrorCompletion.owners),
    transform: ValueReader.username)
  var feed: [Username] = []

  @Option(
    help: ArgumentHelp(
      """
      The time between two syncs of a repository of --feed. It applies once --feed was found to be \
      complete. (default: 6h)
      """, valueName: "interval"),
    transform: ValueReader.watchInterval)
  var listed: DurationArgument?

  @Flag(help: "Exit when no unclaimed repository is due.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "Serve metrics, and webhooks if there is a secret, on a port of this machine.",
      valueName: "[address:]port"),
    transform: ValueReader.listenAddress)
  var listen: ListenAddress?

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var request: RequestOptions

  /// The time for storing the pages in progress. Together with ``longestEnd``, a worker ends within ten seconds.
  private static let grace = Duration.seconds(7)
  /// The maximum time for returning repositories and requests to the database.
  private static let longestEnd = Duration.seconds(3)

  static let terminalUse = TerminalUse.unpaged
  static var jsonFields: JSONFields.Known { .all(of: WorkerEventRow.Field.self) }

  var isEndless: Bool { !once }

  func validateOptions() throws {
    guard once || !output.isJSON || output.jsonl else {
      throw ValidationError("A worker doesn't end, but a JSON array must: use --jsonl, or --once.")
    }
    guard !request.stub else {
      throw ValidationError("Sample data isn't mirrored: it would mix with real data.")
    }
    let usual = MirrorWorker.Options()
    guard listed == nil || !feed.isEmpty else {
      throw ValidationError("--listed only makes sense with --feed.")
    }
    let longest = longest?.duration ?? usual.longestInterval
    guard shortest?.duration ?? usual.shortestInterval <= longest else {
      throw ValidationError("--shortest is longer than --longest.")
    }
    guard listed?.duration ?? longest >= longest else {
      throw ValidationError("--listed is shorter than --longest.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let server = try session.server(apiURL: request.apiURL)
    let connection = try await request.connection(
      to: server, session,
      rateLimits: RateLimitInterceptor(
        maximumInFlight: jobs,
        pointsPerMinute: PointsPerMinute.value(for: server, in: session.environment)),
      mayUseCache: false, connections: jobs)
    let mirror = try await session.queueMirror()
    session.tellAwaitedOwner(of: mirror)
    if connection.tokenSource == nil {
      session.errors.write(
        "No token is sent to \(server), which allows few requests without one: set \(CommandFailure.variable(server))."
      )
    }
    let worker = MirrorWorker(
      mirror: mirror, configuration: connection.configuration, options: options)
    let listener = try await listener(mirror, server, session)
    defer { listener?.stop() }
    var writer = try WorkerWriter(session, fields: fields)
    let (events, continuation) = AsyncStream.makeStream(of: WorkerEventRow.self)
    // The writer isn't canceled with the work: the last events report the repositories that the worker has returned.
    let work = Task {
      defer { continuation.finish() }
      try await worker.run { continuation.yield(WorkerEventRow($0)) }
    }
    let stops = Locked(0)
    let observation = Interrupt.observe(endings: true) {
      let count = stops.withLock { stops in
        stops += 1
        return stops
      }
      if count > 1 { OwnProcess.abort(.cancelled) }
      work.cancel()
      session.errors.write("Stopping once the pages in progress are stored.")
      // If the database doesn't respond, the work never ends. Other workers continue when the leases have expired.
      Task {
        try? await Task.sleep(for: Self.grace + Self.longestEnd)
        session.errors.write("The database doesn't respond: stopping without it.")
        OwnProcess.abort(.cancelled)
      }
    }
    defer { observation?.cancel() }
    do {
      try await withTaskCancellationHandler {
        for await event in events { try await writer.write(event) }
      } onCancel: {
        work.cancel()
      }
    } catch {
      // The reader has closed the output.
      work.cancel()
      _ = await work.result
      throw error
    }
    do {
      try await work.value
    } catch let error as NetworkError {
      throw connection.explanation(of: error, "the queue")
    }
    try await writer.finish()
  }

  private func listener(
    _ mirror: PostgresMirror, _ server: GitHubServer, _ session: CommandSession
  ) async throws(CommandFailure) -> WorkerListener? {
    guard let listen else { return nil }
    let endpoints = WorkerEndpoints(
      mirror, on: server, secret: try WorkerEndpoints.secret(in: session.environment),
      isLoopback: listen.isLoopback, clock: session.world.clock)
    let listener = try await WorkerListener.start(at: listen, endpoints)
    session.errors.write("Metrics: http://\(listener.address)/metrics")
    if endpoints.hasWebhook { session.errors.write("Webhooks: http://\(listener.address)/webhook") }
    return listener
  }

  private var options: MirrorWorker.Options {
    let sync = RepositorySync.Options(
      jobs: min(jobs, 4), includesComments: comments, includesTimelines: timeline)
    var options = MirrorWorker.Options(
      repositories: repositories, sync: sync, grace: Self.grace, endsWhenIdle: once,
      organizations: feed.map(\.login))
    if let shortest { options.shortestInterval = shortest.duration }
    if let longest { options.longestInterval = longest.duration }
    if let lease { options.lease = lease.duration }
    if let listed { options.listedInterval = listed.duration }
    return options
  }
}
