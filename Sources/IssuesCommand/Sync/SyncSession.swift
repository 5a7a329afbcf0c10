internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import IssueMirror
internal import IssueMirrorPostgres
internal import IssueOutbox
internal import PlatformModules
internal import StyledText

/// Syncs repositories, several of them concurrently.
///
/// The repositories on a server share one connection and therefore one budget, because the server counts their requests
/// together.
struct SyncSession: Sendable {
  /// The number of pages per stream. A stream needs one additional request, so the overhead is a tenth.
  private static let pagesPerStream = 10

  let session: CommandSession
  private let request: RequestOptions
  private let options: RepositorySync.Options
  private let connections: Connections
  /// The repositories in the servers' lists, by ``Place/key``. The first syncs use them.
  private let listed = Locked<[String: GitHub.Repository]>([:])
  private let wait: RateLimitWait
  /// Whether pending changes are sent before a repository is synced.
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
      // The mirror stores the data, so a cache would store every response twice.
      let connection = try await request.connection(
        to: server, session, rateLimits: rateLimits, mayUseCache: false, connections: options.jobs)
      guard try session.teamMirror() != nil,
        let mirror = try await session.mirror() as? PostgresMirror
      else { return connection }
      return connection.sharingBudget(of: mirror, session)
    }
  }

  /// Reports failures, and throws the first one after the other syncs are done. A failure that affects all
  /// repositories, such as a full disk, is thrown at once.
  func sync(_ places: [Place], fields: JSONFields? = nil) async throws {
    let mirror = try await mirror(for: places)
    if let team = mirror as? PostgresMirror { session.tellAwaitedOwner(of: team) }
    var writer = try SyncWriter(session, fields: fields)
    let unsent = try await sendChanges(to: places)
    var failures: [CommandFailure] = []
    try await sync(places, to: mirror) { _, result in
      switch result {
      case .success(let report): try await writer.write(report)
      case .failure(let failure): failures.append(failure)
      }
    }
    try await writer.finish()
    if let first = failures.first {
      throw first.saying(
        "\(failures.count) of \(places.count) repositories could not be synced")
    }
    // The synced data remains, and unsent changes determine the status.
    for failure in unsent.dropFirst() { session.errors.report(failure) }
    if let first = unsent.first { throw first }
  }

  /// Opens the mirror. Finds the tokens of all servers before it creates a mirror.
  func mirror(for places: [Place]) async throws -> any IssueStore {
    for place in places { _ = try await connections.connection(to: place.server) }
    return try await session.mirror()
  }

  /// Syncs several repositories concurrently, and passes on each result as it arrives.
  ///
  /// The failure of a sync is reported, but if it is the only sync, the failure is thrown. A failure that would affect
  /// all other syncs is also thrown.
  func sync(
    _ places: [Place], to mirror: any IssueStore, throwsOnlyOne: Bool = true,
    onEnd: (Place, Result<SyncReport, CommandFailure>) async throws -> Void
  ) async throws {
    Interrupt.sayThatSyncGoesOn()
    let board = Locked(SyncBoard(total: max(places.count, 1)))
    let options = options(for: places.count)
    let elapsed = ContinuousClock().stopwatch()
    // At the end, the status line is cleared, so that the report stays without one until there is a new status.
    defer { session.progress.update("") }
    typealias End = (place: Place, result: Result<SyncReport, CommandFailure>)
    try await withThrowingTaskGroup(of: End.self) { group in
      var waiting = places[...]
      func begin() {
        guard let place = waiting.popFirst() else { return }
        group.addTask {
          do throws(CommandFailure) {
            return (place, .success(try await sync(place, to: mirror, options, board, elapsed)))
          } catch {
            return (place, .failure(error))
          }
        }
      }
      // A repository usually has one request in flight, or none while its pages are being stored. Half again as many
      // repositories as allowed requests keep all requests in use.
      for _ in 0..<options.jobs + options.jobs / 2 { begin() }
      while let (place, result) = try await group.next() {
        if case .failure(let failure) = result {
          guard !throwsOnlyOne || places.count > 1, !failure.status.concernsEverything else {
            throw failure
          }
          session.errors.report(failure)
        }
        try await onEnd(place, result)
        begin()
      }
    }
  }

  /// The options. Many repositories keep all jobs busy, so several streams help only a single large one.
  private func options(for count: Int) -> RepositorySync.Options {
    var options = options
    if count >= options.jobs { options.leastPagesPerStream = Self.pagesPerStream }
    return options
  }

  /// Adds the repositories of named lists to the queue of a team's mirror, so that workers continue with them even if
  /// this sync is interrupted. Queued repositories keep their due times.
  func enqueue(_ targets: SyncTargets) async throws {
    guard !targets.lists.isEmpty, let mirror = try await teamMirror(for: targets.places) else {
      return
    }
    var new = 0
    do throws(MirrorFailure) {
      for (source, places) in targets.lists {
        for (server, places) in Dictionary(grouping: places, by: \.server) {
          new += try await mirror.enqueue(
            places.map(\.name), on: server, reason: source.word, hastens: false)
        }
      }
    } catch {
      throw CommandFailure(error)
    }
    guard session.style.layout == .table else { return }
    let count = Set(targets.lists.flatMap(\.places).map(\.key)).count
    let repositories = count == 1 ? "1 repository is" : "\(count) repositories are"
    session.errors.write("\(repositories) in the workers' queue, \(new) of them new.")
  }

  /// The team's mirror; nil for the mirror on this machine.
  private func teamMirror(for places: [Place]) async throws -> PostgresMirror? {
    guard try session.teamMirror() != nil else { return nil }
    return try await mirror(for: places) as? PostgresMirror
  }

  /// Sends the pending changes for the places, and reports failures.
  func sendAndTell(to places: [Place]) async throws {
    for failure in try await sendChanges(to: places) {
      session.errors.report(failure)
    }
  }

  /// Sends the pending changes for the places. Returns the failures of places with unsent changes.
  private func sendChanges(to places: [Place]) async throws -> [CommandFailure] {
    guard sendsFirst else { return [] }
    var failures: [CommandFailure] = []
    for place in places {
      if let failure = try await send(to: place) { failures.append(failure) }
    }
    return failures
  }

  /// Sends the changes for a place. Returns the reason if some of them weren't sent.
  private func send(to place: Place) async throws -> CommandFailure? {
    do {
      guard let outbox = try session.existingOutbox() else { return nil }
      let due = try await outbox.entries(in: OutboxEntry.openStates).unasked.filter {
        [.queued, .sending].contains($0.state) && $0.server.host == place.server.host
          && "\($0.repository)".lowercased() == "\(place.name)".lowercased()
      }
      guard !due.isEmpty else { return nil }
      let tasks = due.prefix(5).map(\.task).joined(separator: "; ")
      session.errors.write(
        "Sending from the outbox first: \(tasks)\(due.count > 5 ? "; \((due.count - 5).grouped) more" : "")"
      )
      let writing = WriteSession(
        session, outbox: outbox, connections: connections, wait: wait)
      let outcome = try await OutboxRun(writing, fields: nil).outcome(of: due)
      let count = outcome.entries.count { $0.state == .sent }
      if count > 0 {
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
    defer { session.progress.update("") }
    return try await sync(
      place, to: mirror, options, Locked(SyncBoard(total: 1)), ContinuousClock().stopwatch())
  }

  private func sync(
    _ place: Place, to mirror: any IssueStore, _ options: RepositorySync.Options,
    _ board: Locked<SyncBoard>, _ elapsed: @escaping @Sendable () -> Duration
  ) async throws(CommandFailure) -> SyncReport {
    let connection = try await connections.connection(to: place.server)
    let name = "\(place.name)"
    let sync = RepositorySync(
      store: mirror, provider: connection.provider, server: place.server, name: place.name,
      options: options, listed: listed.withLock { $0.removeValue(forKey: place.key) })
    session.progress.update(board.withLock { $0.begin(name, at: elapsed()) })
    let result: Result<SyncReport, any Error>
    do {
      result = .success(
        try await sync.run { [progress = session.progress] state in
          let text = board.withLock { $0.text(of: state, in: name, at: elapsed()) }
          if let text { progress.update(text) }
        })
    } catch {
      result = .failure(error)
    }
    let (news, line) = board.withLock { $0.end(name, at: elapsed()) }
    session.progress.update(line)
    do {
      let report = try result.get()
      if let team = mirror as? PostgresMirror {
        let names = [place.name, RepositoryName(report.repository.fullName)].compactMap(\.self)
        try await team.noteSync(of: Set(names), on: place.server)
      }
      return report
    } catch let failure as MirrorFailure {
      throw CommandFailure(failure)
    } catch let error as NetworkError {
      let failure = connection.explanation(of: error, name)
      guard let news, failure.status != .cancelled else { throw failure }
      throw CommandFailure(
        failure.status,
        "the sync of \(name) broke off after \(news), and will continue there: "
          + failure.message)
    } catch {
      throw CommandFailure(error is CancellationError ? .cancelled : .failed, "\(error)")
    }
  }
}

// MARK: The repositories to sync

extension SyncSession {
  /// The repositories of a selection: the ones that were never synced, followed by the others, least recently synced
  /// first. If all are named, they keep their order.
  ///
  /// An invalid name that the user typed causes a failure before any request for others. The list of mirrors may be
  /// used unattended, so the rest of it is still synced.
  func targets(of selection: SyncSelection) async throws -> SyncTargets {
    var targets = SyncTargets()
    if !selection.sources.isEmpty {
      // An invalid name stops the sync before any request.
      for case .repository(let reference) in selection.sources {
        targets.places.append(try place(reference))
      }
      for source in selection.sources where source.isList {
        let places = try await repositories(of: source)
        targets.lists.append((source, places))
        targets.places += places
        targets.mayChange = true
      }
    } else if selection.isAll {
      targets = try await allTargets(includesList: selection.includesList)
    } else {
      do {
        let nothing = try RepositoryChoice(nil, option: nil)
        targets.places = [try await session.place(of: nothing, apiURL: request.apiURL)]
      } catch let absence as GitRemotes.Failure
        where absence == .notARepository || absence == .gitUnavailable
      {
        // A user in a clone should see its problem.
        targets = try await allTargets(includesList: selection.includesList, absence)
      }
    }
    var seen: Set<String> = []
    targets.places.removeAll { !seen.insert($0.key).inserted }
    if selection.sources.isEmpty || targets.mayChange {
      targets.places = try await stalestFirst(targets.places)
    }
    return targets
  }

  /// All repositories. The caller reports the failures of lists.
  private func allTargets(
    includesList: Bool, _ absence: GitRemotes.Failure? = nil
  ) async throws -> SyncTargets {
    var targets = SyncTargets(isAll: true)
    var sources: [MirrorSource] = []
    if includesList {
      do throws(CommandFailure) {
        sources = try session.mirrorSources()
      } catch {
        targets.failures.append(error)
      }
    }
    for source in sources {
      targets.mayChange = true
      do {
        targets.places += try await repositories(of: source)
      } catch let failure as CommandFailure where failure.status != .cancelled {
        targets.failures.append(
          CommandFailure(failure.status, "\(source.word): \(failure.message)"))
      }
    }
    targets.places += try await mirroredPlaces(isAlone: !targets.mayChange)
    guard !targets.places.isEmpty || targets.mayChange else {
      throw targets.failures.first
        ?? CommandFailure(
          .usage,
          "nothing is mirrored yet" + (absence.map { ", and \($0)" } ?? "")
            + "\nName a repository: issues sync OWNER/REPO")
    }
    return targets
  }

  private func stalestFirst(_ places: [Place]) async throws -> [Place] {
    guard places.count > 1, let mirror = try await session.existingMirror() else { return places }
    return SyncSelection.stalestFirst(places, among: try await mirror.repositories())
  }

  private func place(_ reference: RepositoryReference) throws -> Place {
    try Place(reference, apiURL: request.apiURL, environment: session.environment)
  }

  private func repositories(of source: MirrorSource) async throws -> [Place] {
    let server = try session.server(apiURL: request.apiURL)
    switch source {
    case .repository(let reference):
      return [try place(reference)]
    case .organization(let name):
      return try await listed(
        .organizationRepositories(organization: name.login, pageSize: 100), on: server, "\(name)")
    case .own, .starred:
      let isOwn = source == .own
      let places = try await listed(
        isOwn ? .ownRepositories(pageSize: 100) : .starredRepositories(pageSize: 100), on: server,
        isOwn ? "your repositories" : "your stars", tokenFor: "--\(source.word)")
      var reasons = MirrorReasons(of: [source], environment: session.environment)
      reasons.note(places, of: source)
      return places
    case .pattern(let pattern):
      let matching = try await repositories(of: pattern).filter { pattern.matches($0.name) }
      guard !matching.isEmpty else {
        throw CommandFailure(
          .notFound,
          "no repository of \(pattern.owner) matches '\(TerminalText(source.word))'")
      }
      return matching
    }
  }

  /// The repositories that match a pattern. The owner may be an organization, whose list includes private repositories,
  /// or a user.
  private func repositories(of pattern: RepositoryPattern) async throws -> [Place] {
    let server =
      try pattern.host.map { try session.server(host: $0, apiURL: request.apiURL) }
      ?? session.server(apiURL: request.apiURL)
    let subject = pattern.owner
    do {
      return try await listed(
        .organizationRepositories(organization: pattern.owner, pageSize: 100), on: server, subject)
    } catch let failure as CommandFailure where failure.status == .notFound {
      return try await listed(.repos(username: pattern.owner, pageSize: 100), on: server, subject)
    }
  }

  /// The mirrored repositories. Servers on this machine are excluded unless one is named. Throws if no others remain.
  private func mirroredPlaces(isAlone: Bool) async throws -> [Place] {
    var mirrored = try await mirroredRepositories()
    if request.apiURL == nil {
      let local = mirrored.filter(\.isOnLoopback).map(\.typedName).joined(separator: ", ")
      mirrored.removeAll(where: \.isOnLoopback)
      let advice = "a server on this machine needs --api-url: \(local)"
      if isAlone, !local.isEmpty, mirrored.isEmpty { throw CommandFailure(.usage, advice) }
      if !local.isEmpty { session.errors.write("Not synced, as \(advice)") }
    }
    return try mirrored.compactMap { repository in
      guard let name = RepositoryName(repository.fullName) else { return nil }
      let server = try session.server(host: repository.host, apiURL: request.apiURL)
      return Place(name: name, server: server)
    }
  }

  /// The mirrored repositories; with `--api-url`, only those on that server.
  private func mirroredRepositories() async throws -> [MirroredRepository] {
    guard let mirror = try await session.existingMirror() else { return [] }
    let host = try request.apiURL.map { try GitHubServer(apiURL: $0).host }
    return try await mirror.repositories().filter { host == nil || $0.host == host }
  }

  /// The repositories of a list, except for those without issues.
  private func listed(
    _ list: GitHub, on server: GitHubServer, _ subject: String, tokenFor option: String? = nil
  ) async throws -> [Place] {
    let connection = try await connections.connection(to: server)
    if let option, connection.tokenSource == nil {
      let variable = AccessToken.environmentVariables(for: server)[0]
      throw CommandFailure(
        .badCredentials,
        "\(option) needs an access token for \(server), and there is none\n"
          + "Set \(variable), or log in with gh.")
    }
    session.progress.update("Looking up the repositories…")
    do throws(NetworkError) {
      let found = try await connection.repositoriesWithIssues(list)
      listed.withLock { listed in
        for (repository, place) in found { listed[place.key] = repository }
      }
      return found.map(\.place)
    } catch {
      throw connection.explanation(of: error, subject)
    }
  }
}

extension ExitStatus {
  /// Whether the failure would also affect other repositories.
  fileprivate var concernsEverything: Bool { self == .cancelled || self == .output }
}
