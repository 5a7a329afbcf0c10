internal import ConcurrencyPrimitives
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Carries changes out by way of the outbox: each is kept first, then sent.
///
/// ```swift
/// let writing = try WriteSession(session, connection)
/// let intention = try await writing.intention(.comment(on: .number(12), body: text), in: place)
/// let outcome = try await writing.send(try await writing.add([intention]))
/// var report = try WriteReport(writing, fields: fields)
/// try await report.write(outcome.entries, outcome)
/// try await report.finish()
/// ```
struct WriteSession: Sendable {
  let session: CommandSession
  let outbox: Outbox
  private let wait: RateLimitWait
  private let connections: Connections
  private let refusals = RefusalLog()
  private let delivery: MirrorDelivery

  /// Opens the outbox. Nothing is asked yet.
  ///
  /// - Parameters:
  ///   - session: The session of the command.
  ///   - connection: Which servers to ask, and how. With `--stub` the outbox is an empty one, which goes with the
  ///     session.
  ///   - typed: The texts on the command line, which are written back where they can't be kept.
  /// - Throws: ``CommandFailure`` where the outbox can't be opened.
  init(
    _ session: CommandSession, _ connection: ConnectionOptions, typed: [String?] = []
  ) throws(CommandFailure) {
    self.session = session
    let isStub = connection.request.stub
    do throws(CommandFailure) {
      outbox = try isStub ? session.sampleOutbox() : session.outbox()
    } catch {
      session.writeBack(typed.compactMap(\.self))
      throw CommandFailure(error.status, "nothing was sent: \(error.message)")
    }
    delivery = MirrorDelivery(session: session, isOff: isStub)
    wait = connection.wait.wait
    connections = Connections { [refusals] (server) async throws(CommandFailure) in
      try await connection.connection(to: server, session, plugins: [refusals])
    }
  }

  /// Uses an outbox that is open, and connections that are there.
  init(
    _ session: CommandSession, outbox: Outbox, connections: Connections, wait: RateLimitWait
  ) {
    self.session = session
    self.outbox = outbox
    self.connections = connections
    self.wait = wait
    delivery = MirrorDelivery(session: session)
  }

  func connection(to server: GitHubServer) async throws(CommandFailure) -> Connection {
    try await connections.connection(to: server)
  }

  /// Makes an intention of whoever the token belongs to.
  ///
  /// - Throws: ``CommandFailure`` for a token that can't be one.
  func intention(
    _ change: Change, in place: Place, followsPrevious: Bool = false
  ) async throws(CommandFailure) -> Intention {
    Intention(
      change, in: place.name, on: place.server, account: try await account(on: place.server),
      followsPrevious: followsPrevious)
  }

  private func account(on server: GitHubServer) async throws(CommandFailure) -> OutboxAccount? {
    guard let token = try await connection(to: server).token else { return nil }
    do throws(OutboxFailure) {
      return OutboxAccount(fingerprint: try outbox.fingerprint(of: token))
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Keeps intentions in the outbox.
  ///
  /// - Throws: ``CommandFailure`` where the outbox can't be written to. Nothing is sent then, and what was typed is
  ///   written back to standard error.
  func add(_ intentions: [Intention]) async throws(CommandFailure) -> [OutboxEntry] {
    do throws(OutboxFailure) {
      return try await outbox.add(intentions)
    } catch {
      session.progress.finish()
      session.writeBack(intentions.flatMap(\.change.typedTexts))
      let failure = CommandFailure(error)
      throw CommandFailure(.output, "nothing was sent: \(failure.message)")
    }
  }

  /// What became of entries that were to be sent.
  struct Outcome: Sendable {
    /// The entries as they are now.
    var entries: [OutboxEntry]
    /// Why nothing more was sent, if that concerns more than one of them: the network is away, the token isn't valid, a
    /// limit lasts too long.
    var obstacle: CommandFailure?
    fileprivate let refusals: RefusalLog

    /// The exit status for the reason why an entry was refused.
    func status(of entry: OutboxEntry) -> ExitStatus {
      entry.reason.flatMap(refusals.status) ?? .failed
    }
  }

  /// Sends entries of the outbox, and waits for what becomes of them.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - observe: Called with each change of a state, and each wait.
  /// - Returns: The entries as they are then, in the same order.
  /// - Throws: ``CommandFailure`` where the outbox can't be read or written to, or a token can't be one.
  func send(
    _ entries: [OutboxEntry], observing observe: (OutboxEvent) async throws -> Void = { _ in }
  ) async throws -> Outcome {
    var latest = Dictionary(entries.map { ($0.id, $0) }) { $1 }
    var obstacle: CommandFailure?
    do {
      for try await event in events(entries.map(\.id)) {
        if case .changed(let entry) = event { latest[entry.id] = entry }
        tell(event)
        try await observe(event)
      }
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

  /// Sends entries of the outbox.
  ///
  /// - Parameters:
  ///   - ids: The entries; nil for all that can be sent.
  ///   - asPresentAccount: Whether entries of another login are sent too.
  /// - Returns: What happens meanwhile. It throws what `Outbox.send` throws, and ``CommandFailure`` for a token that can't
  ///   be one.
  func events(
    _ ids: [OutboxEntry.ID]?, asPresentAccount: Bool = false
  ) -> AsyncThrowingStream<OutboxEvent, any Error> {
    var options = OutboxSending(
      asPresentAccount: asPresentAccount,
      deliver: { [delivery] in try await delivery.deliver($0) })
    options.maximumWait =
      switch wait {
      case .never: .zero
      case .upTo(let duration): duration
      // GitHub's longest limit is an hour.
      case .forever: .seconds(86_400)
      }
    return outbox.send(ids, options: options) { [connections, outbox] server in
      let connection = try await connections.connection(to: server)
      let account = try connection.token.map {
        OutboxAccount(fingerprint: try outbox.fingerprint(of: $0))
      }
      return OutboxConnection(provider: connection.provider, account: account)
    }
  }

  /// Shows an event on the status line.
  private func tell(_ event: OutboxEvent) {
    switch event {
    case .changed(let entry):
      if entry.state == .sending { session.progress.update("\(entry.server): \(entry.task)…") }
    case .waiting(let date, let wait):
      let reason =
        switch wait {
        case .pace: "GitHub takes no more at once"
        case .rateLimit: "Rate limited"
        case .secondLook: "The answer was lost: looking again for what was sent"
        case .otherProcess: "Another process is sending"
        }
      session.progress.update("\(reason): going on at \(LocalTime.hoursAndMinutes(of: date))")
    }
  }

  /// Takes entries out that weren't sent, the last first: what depends on another goes before it.
  func drop(_ entries: [OutboxEntry]) async throws(CommandFailure) {
    do throws(OutboxFailure) {
      for entry in entries.reversed() { _ = try await outbox.drop(entry.id) }
    } catch {
      throw CommandFailure(error)
    }
  }
}

/// Remembers which failure said what, since the outbox keeps the words only.
private final class RefusalLog: Plugin {
  private let statuses = Locked<[String: ExitStatus]>([:])

  func process(
    _ result: Result<Response, NetworkError>, target: any TargetType
  ) -> Result<Response, NetworkError> {
    guard case .failure(let error) = result else { return result }
    let status: ExitStatus =
      switch error.response?.status.code {
      case 401, 403: .badCredentials
      case 404, 410, 451: .notFound
      case (500...)?: .network
      default: .failed
      }
    statuses.withLock { $0[error.problem] = status }
    return result
  }

  /// The status for a failure with these words; nil where there was none.
  func status(_ words: String) -> ExitStatus? { statuses.withLock { $0[words] } }
}

extension CommandSession {
  /// Writes texts back to the person who typed them, each once.
  func writeBack(_ texts: [String]) {
    var seen: Set<String> = []
    let texts = texts.filter { !$0.isEmpty && seen.insert($0).inserted }
    guard !texts.isEmpty else { return }
    errors.writeBack("This is what you wrote:\n\n\(texts.joined(separator: "\n\n"))\n")
  }

  /// Opens this user's outbox, and creates it where there is none.
  ///
  /// - Throws: ``CommandFailure``, saying what to do.
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

  /// Makes an outbox that goes with the session.
  ///
  /// - Throws: ``CommandFailure`` where there is no folder for it.
  fileprivate func sampleOutbox() throws(CommandFailure) -> Outbox {
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/issues-stub-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .output, "cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    end.add { try? FileManager.default.removeItem(atPath: folder) }
    do throws(OutboxFailure) {
      return try Outbox(path: "\(folder)/outbox.db")
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension CommandFailure {
  /// Explains a failure of the outbox.
  init(_ failure: OutboxFailure) {
    let (status, advice): (ExitStatus, String) =
      switch failure.code {
      case .noSuchEntry: (.notFound, "\n'issues outbox' lists what is there.")
      case .wrongState: (.failed, "")
      case .cannotOpen:
        (.output, "\nCheck who may use it, or name another folder in XDG_DATA_HOME.")
      case .damaged, .laterVersion, .full, .busy, .database: (.output, "")
      }
    self.init(status, failure.message + advice)
  }
}
