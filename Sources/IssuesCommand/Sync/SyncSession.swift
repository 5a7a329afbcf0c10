internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import IssueMirror
internal import IssueOutbox

/// Syncs repositories one after the other.
///
/// Those of a server share one connection: the server counts their requests together.
struct SyncSession: Sendable {
  let session: CommandSession
  private let request: RequestOptions
  private let options: RepositorySync.Options
  private let connections: Connections
  private let wait: RateLimitWait
  /// Whether what waits in the outbox is sent before a repository is synced.
  private let sendsFirst: Bool

  init(
    _ session: CommandSession, request: RequestOptions, wait: RateLimitWait,
    options: RepositorySync.Options = .init(), sendsFirst: Bool = false
  ) {
    self.session = session
    self.wait = wait
    self.sendsFirst = sendsFirst
    self.request = request
    self.options = options
    connections = Connections { (server) async throws(CommandFailure) in
      let notice = session.waitNotice(for: server)
      let rateLimits = RateLimitInterceptor(
        maximumWait: wait, maximumInFlight: options.jobs,
        pointsPerMinute: PointsPerMinute.value(for: server, in: session.environment),
        onWait: { notice.tell($0) })
      // The mirror knows what it has: a cache would keep every answer twice.
      return try await request.connection(
        to: server, session, rateLimits: rateLimits, mayUseCache: false, connections: options.jobs)
    }
  }

  /// Reports failures, and throws the first once the others are done. A failure that concerns all repositories, such as
  /// a full disk, is thrown at once.
  func sync(_ places: [Place], fields: JSONFields? = nil) async throws {
    // Every server's token is looked up before a mirror is created.
    for place in places { _ = try await connections.connection(to: place.server) }
    let mirror = try session.mirror()
    var writer = try SyncWriter(session, fields: fields)
    var failures: [CommandFailure] = []
    var unsent: [CommandFailure] = []
    for place in places {
      if sendsFirst, let failure = try await send(to: place) { unsent.append(failure) }
      Interrupt.sayThatSyncGoesOn()
      let report: SyncReport
      do throws(CommandFailure) {
        report = try await sync(place, to: mirror)
      } catch {
        guard places.count > 1, error.status != .cancelled, error.status != .output else {
          throw error
        }
        ErrorForm.ofProcess.write(error, to: session.errors)
        failures.append(error)
        continue
      }
      try await writer.write(report)
    }
    try await writer.finish()
    if let first = failures.first {
      throw first.saying(
        "\(failures.count) of \(places.count) repositories could not be synced")
    }
    // What was read stands, and what wasn't sent decides the status.
    for failure in unsent.dropFirst() { ErrorForm.ofProcess.write(failure, to: session.errors) }
    if let first = unsent.first { throw first }
  }

  /// Returns why not all was sent, if so.
  private func send(to place: Place) async throws -> CommandFailure? {
    do {
      guard let outbox = try session.existingOutbox() else { return nil }
      let due = try await outbox.entries(in: [.queued, .sending]).filter {
        $0.server.host == place.server.host
          && "\($0.repository)".lowercased() == "\(place.name)".lowercased()
      }
      guard !due.isEmpty else { return nil }
      let writing = WriteSession(
        session, outbox: outbox, connections: connections, wait: wait)
      let outcome = try await OutboxRun(writing, fields: nil).outcome(of: due)
      let count = outcome.entries.count { $0.state == .sent }
      if count > 0, session.style.layout == .table {
        session.errors.write(
          "Sent \(count == 1 ? "1 change" : "\(count) changes") to \(place.name).")
      }
      return outcome.failure
    } catch let failure as CommandFailure where failure.status != .cancelled {
      return failure
    } catch let failure as OutboxFailure {
      return CommandFailure(failure)
    }
  }

  func sync(_ place: Place, to mirror: any IssueStore) async throws(CommandFailure) -> SyncReport {
    let connection = try await connections.connection(to: place.server)
    let meter = Locked(SyncMeter(name: "\(place.name)"))
    let elapsed = ContinuousClock().stopwatch()
    let sync = RepositorySync(
      store: mirror, provider: connection.provider, server: place.server, name: place.name,
      options: options)
    session.progress.update("Looking up \(place.name)…")
    // The report stands alone until there is another status.
    defer { session.progress.update("") }
    do {
      return try await sync.run { [progress = session.progress] state in
        let text = meter.withLock { $0.text(of: state, at: elapsed()) }
        if let text { progress.update(text) }
      }
    } catch let failure as MirrorFailure {
      throw CommandFailure(failure)
    } catch let error as NetworkError {
      let failure = connection.explanation(of: error, "\(place.name)")
      guard let news = meter.withLock({ $0.news }), failure.status != .cancelled else {
        throw failure
      }
      throw CommandFailure(
        failure.status,
        "the sync of \(place.name) broke off after \(news), and will continue there: "
          + failure.message)
    } catch {
      throw CommandFailure(error is CancellationError ? .cancelled : .failed, "\(error)")
    }
  }
}

// MARK: Which repositories are synced

extension SyncSession {
  /// Each once; without words the one of `GH_REPO` or of the clone, else all that are mirrored.
  func places(named words: [String]) async throws -> [Place] {
    guard !words.isEmpty else { return try await unnamedPlaces() }
    // One wrong name stops the sync before any request.
    let references = try words.map { try RepositoryReference(parsing: $0) }
    var seen: Set<String> = []
    return try references.map {
      try Place($0, apiURL: request.apiURL, environment: session.environment)
    }
    .filter { seen.insert("\($0.server.host)/\($0.name)".lowercased()).inserted }
  }

  private func unnamedPlaces() async throws -> [Place] {
    let failure: GitRemotes.Failure
    do {
      let nothing = try RepositoryChoice(nil, option: nil)
      return [try await session.place(of: nothing, apiURL: request.apiURL)]
    } catch let error as GitRemotes.Failure {
      failure = error
    }
    // The owner of a clone needs to know its problem.
    guard failure == .notARepository || failure == .gitUnavailable else { throw failure }
    var mirrored = try await mirroredRepositories()
    guard !mirrored.isEmpty else {
      throw CommandFailure(
        .usage, "nothing is mirrored yet, and \(failure)\nName a repository: issues sync OWNER/REPO"
      )
    }
    if request.apiURL == nil {
      let local = mirrored.filter(\.isOnLoopback).map(\.typedName).joined(separator: ", ")
      mirrored.removeAll(where: \.isOnLoopback)
      let advice = "a server on this machine needs --api-url: \(local)"
      guard !mirrored.isEmpty else { throw CommandFailure(.usage, advice) }
      if !local.isEmpty { session.errors.write("Not synced, as \(advice)") }
    }
    if session.style.layout == .table {
      let names = mirrored.map(\.typedName).joined(separator: ", ")
      session.errors.write("Syncing all mirrored repositories: \(names)")
    }
    return try mirrored.compactMap { repository in
      guard let name = RepositoryName(repository.fullName) else { return nil }
      let server = try session.server(host: repository.host, apiURL: request.apiURL)
      return Place(name: name, server: server)
    }
  }

  /// With `--api-url` only that server's.
  private func mirroredRepositories() async throws -> [MirroredRepository] {
    guard let mirror = try session.existingMirror() else { return [] }
    let host = try request.apiURL.map { try GitHubServer(apiURL: $0).host }
    return try await mirror.repositories().filter { host == nil || $0.host == host }
  }

  /// Leaves out repositories without issues.
  func ownPlaces() async throws -> [Place] {
    let server = try session.server(apiURL: request.apiURL)
    let connection = try await connections.connection(to: server)
    guard connection.tokenSource != nil else {
      let variable = AccessToken.environmentVariables(for: server)[0]
      throw CommandFailure(
        .badCredentials,
        "--all-mine needs an access token for \(server), and there is none\n"
          + "Set \(variable), or log in with gh.")
    }
    session.progress.update("Asking for your repositories…")
    let pages = PagedListing<GitHub.Repository>(
      provider: connection.provider, first: .ownRepositories(pageSize: 100))
    var places: [Place] = []
    do throws(NetworkError) {
      for try await page in pages {
        places += page.items.filter(\.hasIssues).compactMap { repository in
          RepositoryName(repository.fullName).map { Place(name: $0, server: server) }
        }
      }
    } catch {
      throw connection.explanation(of: error, "your repositories")
    }
    return places
  }
}

enum PointsPerMinute {
  /// GitHub's own limit.
  static let standard = 900

  /// For benchmarks, which measure a sync and not its waits.
  static let variable = "ISSUES_POINTS_PER_MINUTE"

  /// Only servers on this machine obey the variable: GitHub refuses faster requests.
  static func value(for server: GitHubServer, in environment: [String: String]) -> Int {
    guard server.origin.isLoopback, let points = environment[variable].flatMap(Int.init) else {
      return standard
    }
    return points
  }
}
