internal import ConcurrencyPrimitives
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Saves changes in the outbox, and sends them.
struct WriteSession: Sendable {
  let session: CommandSession
  let outbox: Outbox
  private let wait: RateLimitWait
  private let connections: Connections
  private let refusals = Refusals([:])
  private let delivery: MirrorDelivery
  /// Whether the outbox is an empty one for sample data. It is invisible to other commands.
  let isStub: Bool

  /// Opens the outbox. With `--stub`, it is an empty one that is removed at the end. If it can't be opened, the `typed`
  /// texts are written back.
  init(
    _ session: CommandSession, _ connection: ConnectionOptions, typed: [String?] = []
  ) throws(CommandFailure) {
    self.session = session
    isStub = connection.request.stub
    do throws(CommandFailure) {
      outbox = try isStub ? session.sampleOutbox() : session.outbox()
    } catch {
      session.writeBack(typed.compactMap(\.self))
      throw error.saying("nothing was sent: \(error.message)")
    }
    delivery = MirrorDelivery(session: session, isOff: isStub)
    wait = connection.wait.wait
    connections = Connections { (server) async throws(CommandFailure) in
      try await connection.connection(to: server, session)
    }
  }

  init(
    _ session: CommandSession, outbox: Outbox, connections: Connections, wait: RateLimitWait,
    deliversToMirror: Bool = true
  ) {
    self.session = session
    isStub = !deliversToMirror
    self.outbox = outbox
    self.connections = connections
    self.wait = wait
    delivery = MirrorDelivery(session: session, isOff: !deliversToMirror)
  }

  func connection(to server: GitHubServer) async throws(CommandFailure) -> Connection {
    try await connections.connection(to: server)
  }

  func intention(
    _ change: Change, in place: Place, followsPrevious: Bool = false
  ) async throws(CommandFailure) -> Intention {
    let connection = try await connection(to: place.server)
    return Intention(
      change, in: place.name, on: connection.server, account: try account(of: connection),
      followsPrevious: followsPrevious)
  }

  private func account(of connection: Connection) throws(CommandFailure) -> OutboxAccount? {
    guard let token = connection.token else { return nil }
    do throws(OutboxFailure) {
      return OutboxAccount(fingerprint: try outbox.fingerprint(of: token))
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Saves intentions in the outbox. If that fails, their texts are written back to standard error, and nothing is
  /// sent.
  func add(
    _ intentions: [Intention], asBulk: Bool = false
  ) async throws(CommandFailure) -> [OutboxEntry] {
    do throws(OutboxFailure) {
      return try await outbox.add(intentions, asBulk: asBulk)
    } catch {
      session.progress.finish()
      session.writeBack(intentions.flatMap(\.change.texts))
      let failure = CommandFailure(error)
      throw CommandFailure(.output, "nothing was sent: \(failure.message)")
    }
  }

  struct Outcome: Sendable {
    var entries: [OutboxEntry]
    /// The failure that stops all changes: no network, an invalid token, or a limit that lasts too long.
    var obstacle: CommandFailure?
    fileprivate let refusals: Refusals

    func status(of entry: OutboxEntry) -> ExitStatus {
      entry.hasMoved ? .notFound : refusals.withLock { $0[entry.id] } ?? .failed
    }
  }

  /// Sends entries, and waits until all are settled.
  func send(
    _ entries: [OutboxEntry], observing observe: (OutboxEvent) async throws -> Void = { _ in }
  ) async throws -> Outcome {
    var latest = Dictionary(entries.map { ($0.id, $0) }) { $1 }
    var obstacle: CommandFailure?
    sayAtInterrupt(entries)
    defer { Interrupt.say(nil) }
    do {
      for try await event in events(entries.map(\.id)) {
        if case .changed(let entry) = event {
          latest[entry.id] = entry
          sayAtInterrupt(entries.map { latest[$0.id] ?? $0 })
        }
        tell(event)
        try await observe(event)
      }
    } catch let error as OutboxFailure where error.code == .otherProcess {
      obstacle = CommandFailure(error)
    } catch let error as OutboxFailure {
      throw CommandFailure(error)
    } catch let error as NetworkError {
      obstacle = try await explanation(of: error, entries)
    }
    session.progress.update("")
    return Outcome(
      entries: entries.map { latest[$0.id] ?? $0 }, obstacle: obstacle, refusals: refusals)
  }

  private func explanation(
    of error: NetworkError, _ entries: [OutboxEntry]
  ) async throws(CommandFailure) -> CommandFailure {
    guard let entry = entries.first else { return CommandFailure(.network, error.problem) }
    return try await connection(to: entry.server).explanation(of: error, "\(entry.repository)")
  }

  /// Sends entries; nil for all. The stream throws the errors of `Outbox.send`, and ``CommandFailure`` for a malformed
  /// token.
  func events(
    _ ids: [OutboxEntry.ID]?, asPresentAccount: Bool = false
  ) -> AsyncThrowingStream<OutboxEvent, any Error> {
    var options = session.world.sending
    options.asPresentAccount = asPresentAccount
    options.deliver = { [delivery] in try await delivery.deliver($0) }
    options.refused = { [refusals] id, error in
      refusals.withLock { $0[id] = ExitStatus(error) }
    }
    options.maximumWait =
      switch wait {
      case .never: .zero
      case .upTo(let duration): duration
      // GitHub's limits don't last longer than an hour.
      case .forever: .seconds(86_400)
      }
    return outbox.send(ids, options: options) { [connections, outbox, isStub] server in
      let connection = try await connections.connection(to: server)
      let account = try connection.token.map {
        OutboxAccount(fingerprint: try outbox.fingerprint(of: $0))
      }
      var sending = OutboxConnection(provider: connection.provider, account: account)
      sending.keepsChanges = !isStub
      return sending
    }
  }

  private func tell(_ event: OutboxEvent) {
    switch event {
    case .changed(let entry):
      if entry.state == .sending { session.progress.update("\(entry.server): \(entry.task)…") }
    case .waiting(let date, let wait):
      session.progress.update(
        "\(wait.words): continuing at \(LocalTime.hoursAndMinutes(of: date))")
      log(date, wait)
    case .uploading(_, let attachment, let completedBytes):
      session.progress.update(attachment.progress(completedBytes))
    }
  }

  /// Reports the wait in a line if there is no status line, unless the wait is short.
  func log(_ date: Date, _ wait: OutboxWait) {
    guard !session.progress.isEnabled, date.timeIntervalSinceNow >= 5 else { return }
    session.errors.write("issues: \(wait.words): waiting until \(Timestamp.string(from: date))")
  }

  /// Sets the message that Ctrl-C prints about entries that are being sent.
  func sayAtInterrupt(_ entries: [OutboxEntry]) {
    Interrupt.say(isStub ? nil : entries.lastWords)
  }

  /// Drops entries, last first, because an entry with dependents can't be dropped.
  func drop(_ entries: [OutboxEntry]) async throws(CommandFailure) {
    do throws(OutboxFailure) {
      for entry in entries.reversed() { _ = try await outbox.drop(entry.id) }
    } catch {
      throw CommandFailure(error)
    }
  }
}

/// The status of each refusal.
private typealias Refusals = Locked<[OutboxEntry.ID: ExitStatus]>

extension CommandSession {
  /// Writes texts back to the user who typed them, without duplicates.
  func writeBack(_ texts: [String]) {
    var seen: Set<String> = []
    let texts = texts.filter { !$0.isEmpty && seen.insert($0).inserted }
    guard !texts.isEmpty else { return }
    errors.writeBack("This is what you wrote:\n\n\(texts.joined(separator: "\n\n"))\n")
  }

  /// Opens this user's outbox, and creates it if necessary.
  func outbox() throws(CommandFailure) -> Outbox {
    guard let path = Outbox.path(in: environment) else {
      throw CommandFailure(
        .output,
        "neither XDG_DATA_HOME nor HOME names a folder for the outbox, in which "
          + "each change is kept first")
    }
    UserDirectory.data.makeIfNamed(in: environment)
    do throws(OutboxFailure) {
      return try Outbox(path: path)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Creates a folder that only this user can read. It is removed at the end of the session.
  func temporaryFolder(_ purpose: String) throws(CommandFailure) -> String {
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let folder = "\(parent)/issues-\(purpose)-\(UUID().uuidString)"
    guard unsafe mkdir(folder, 0o700) == 0 else {
      throw CommandFailure(
        .output, unsafe "cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
    }
    end.add { try? FileManager.default.removeItem(atPath: folder) }
    return folder
  }

  func sampleOutbox() throws(CommandFailure) -> Outbox {
    let folder = try temporaryFolder("stub")
    do throws(OutboxFailure) {
      return try Outbox(path: "\(folder)/outbox.db")
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension CommandFailure {
  init(_ failure: OutboxFailure) {
    let (status, advice): (ExitStatus, String) =
      switch failure.code {
      case .noSuchEntry: (.notFound, "\n'issues outbox' lists its changes.")
      case .wrongState, .unusableFile: (.usage, "")
      case .otherProcess: (.kept, "")
      case .cannotOpen:
        (.output, "\nCheck its permissions, or set XDG_DATA_HOME to another folder.")
      case .damaged, .laterVersion, .full, .busy, .database: (.output, "")
      }
    self.init(status, failure.message + advice)
  }
}
