internal import ConcurrencyPrimitives
internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

/// The outbox behind the screen. What the screen keeps is sent even after it has closed.
final class ScreenOutbox: BrowserOutbox {
  private let session: CommandSession
  private let request: RequestOptions
  private let isOffline: Bool
  private let connections: Connections
  private let opening: Opening
  /// The entries of this screen.
  private let kept = Locked<Set<OutboxEntry.ID>>([])
  /// Those that nobody has begun to send.
  private let unsent = Locked<Set<OutboxEntry.ID>>([])
  private let sending = Locked<[Task<Void, Never>]>([])

  init(
    _ session: CommandSession, _ request: RequestOptions, isOffline: Bool,
    connections: Connections
  ) {
    self.session = session
    self.request = request
    self.isOffline = isOffline
    self.connections = connections
    opening = Opening(session, request, connections)
  }

  /// Opens the outbox with the first change, off the threads that handle keys.
  private actor Opening {
    private let queue = BlockingQueue(label: "outbox")
    private let make: @Sendable () throws(CommandFailure) -> WriteSession
    private var writing: WriteSession?

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ session: CommandSession, _ request: RequestOptions, _ connections: Connections) {
      make = { () throws(CommandFailure) in
        WriteSession(
          session, outbox: try request.stub ? session.sampleOutbox() : session.outbox(),
          connections: connections, wait: .upTo(.seconds(60)))
      }
    }

    func opened() throws(CommandFailure) -> WriteSession {
      if let writing { return writing }
      let made = try make()
      writing = made
      return made
    }
  }

  private func place(_ reference: RepositoryReference) throws(InvalidInput) -> Place {
    try Place(reference, apiURL: request.apiURL, environment: session.environment)
  }

  func check(_ repository: RepositoryReference) async throws {
    let server = try place(repository).server
    guard !isOffline, !request.stub else { return }
    guard try await connections.connection(to: server).token == nil else { return }
    throw CommandFailure.noToken(for: server)
  }

  func add(
    _ changes: [Change], to repository: RepositoryReference
  ) async throws -> [OutboxEntry] {
    try await check(repository)
    let (writing, place) = (try await opening.opened(), try place(repository))
    var intentions: [Intention] = []
    for change in changes { intentions.append(try await writing.intention(change, in: place)) }
    let entries = try await writing.outbox.add(intentions)
    kept.withLock { $0.formUnion(entries.map(\.id)) }
    if !isOffline { unsent.withLock { $0.formUnion(entries.map(\.id)) } }
    return entries
  }

  func send(_ ids: [OutboxEntry.ID]) -> AsyncThrowingStream<OutboxEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: OutboxEvent.self)
    unsent.withLock { $0.subtract(ids) }
    let task = Task { [opening, connections] in
      do {
        let writing = try await opening.opened()
        do {
          for try await event in writing.events(ids) { continuation.yield(event) }
        } catch let error as NetworkError {
          guard let entry = try await writing.outbox.entry(ids.first ?? 0) else { throw error }
          throw try await connections.connection(to: entry.server)
            .explanation(of: error, "\(entry.repository)")
        }
        continuation.finish()
      } catch {
        let failure = CommandFailure(any: error)
        continuation.finish(
          throwing: BrowserOutboxFailure(
            failure.message, isNetworkAway: failure.isNetworkAway))
      }
    }
    sending.withLock { $0.append(task) }
    return stream
  }

  func drop(_ ids: [OutboxEntry.ID]) async throws {
    let outbox = try await opening.opened().outbox
    unsent.withLock { $0.subtract(ids) }
    var (left, isSent) = ([OutboxEntry.ID](), false)
    for id in ids {
      guard let entry = try await outbox.entry(id), entry.dropped == nil else { continue }
      if [.sent, .sending].contains(entry.state) { isSent = true } else { left.append(id) }
    }
    if !left.isEmpty { try await outbox.drop(left) }
    guard !isSent else {
      throw CommandFailure(
        .failed, "what is sent already can't be undone here\nChange it back on the server.")
    }
  }

  /// What isn't sent yet; with sample data, the changes of this screen.
  func pending(of repository: RepositoryName, on host: String) async -> PendingChanges? {
    guard request.stub else {
      return await PendingLookup.changes(of: repository, on: host, session)
    }
    guard let entries = try? await opening.opened().outbox.entries() else { return nil }
    let changes = PendingChanges(entries, of: repository, on: host)
    return changes.isEmpty ? nil : changes
  }

  // MARK: After the screen

  /// Waits for what is being sent, sends what the screen has kept since, and says what isn't sent.
  func finish() async throws {
    let ids = kept.withLock { $0.sorted() }
    guard !ids.isEmpty else { return }
    let writing = try await opening.opened()
    let (running, waiting) = (sending.withLock { $0 }, unsent.withLock { $0 })
    var due: [OutboxEntry] = []
    for id in ids where waiting.contains(id) {
      if let entry = try await writing.outbox.entry(id), entry.state == .queued,
        entry.dropped == nil
      {
        due.append(entry)
      }
    }
    if !due.isEmpty {
      session.errors.write("Sending \(Self.changes(due.count))…", style: .faint)
    }
    for task in running { await task.value }
    var left = 0
    for id in ids where !due.contains(where: { $0.id == id }) {
      if let entry = try await writing.outbox.entry(id), entry.state != .sent, entry.dropped == nil
      {
        left += 1
      }
    }
    if left > 0 {
      session.errors.write(
        "\(Self.changes(left)) \(left == 1 ? "waits" : "wait") in the outbox: 'issues outbox' lists "
          + "what isn't sent.")
    }
    if !due.isEmpty { try await OutboxRun(writing, fields: nil).send(due) }
  }

  private static func changes(_ count: Int) -> String {
    count == 1 ? "1 change" : "\(count.grouped) changes"
  }
}

extension CommandFailure {
  fileprivate static func noToken(for server: GitHubServer) -> CommandFailure {
    CommandFailure(
      .badCredentials,
      "changes need an access token, and there is none for \(server)\n\(signInAdvice(server))")
  }
}

extension CommandFailure: CustomStringConvertible {
  /// Up to two sentences, each on its line.
  var description: String {
    message.split(whereSeparator: \.isNewline)
      .map { line in
        let sentence = "\(line)".capitalizedFirst
        return sentence.last.map { ".?!…".contains($0) } == true ? sentence : "\(sentence)."
      }
      .joined(separator: "\n")
  }
}
