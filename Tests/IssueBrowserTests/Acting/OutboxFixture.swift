import ConcurrencyPrimitives
import GitHubAPI
import IssueTracker
import TestSupport

@testable import IssueBrowser
@testable import IssueOutbox

/// An outbox in its own folder, which sends without a pause.
final class OutboxFixture: BrowserOutbox {
  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  let outbox: Outbox
  /// Why nothing can be changed; nil where it can.
  let refusal = Locked<String?>(nil)
  /// Holds additions until it is opened; nil to hold none.
  let gate = Locked<Gate?>(nil)
  private let folder: ScratchFolder
  private let connection = Locked<BrowserConnection?>(nil)

  init() throws {
    folder = try ScratchFolder()
    outbox = try Outbox(path: folder["outbox.db"])
  }

  func connect(_ connection: BrowserConnection) { self.connection.withLock { $0 = connection } }

  func check(_ repository: RepositoryReference) async throws {
    if let reason = refusal.withLock({ $0 }) { throw Refusal(description: reason) }
  }

  func add(
    _ changes: [Change], to repository: RepositoryReference
  ) async throws -> [OutboxEntry] {
    await gate.withLock { $0 }?.wait()
    try await check(repository)
    guard let server = connection.withLock({ $0 })?.server else { return [] }
    return try await outbox.add(changes.map { Intention($0, in: repository.name, on: server) })
  }

  func send(_ ids: [OutboxEntry.ID]) -> AsyncThrowingStream<OutboxEvent, any Error> {
    let options = OutboxSending(
      pace: OutboxPace(interval: .zero, perMinute: 10_000, perHour: 10_000), maximumWait: .zero)
    let events = outbox.send(ids, options: options) { [connection] _ in
      guard let connection = connection.withLock({ $0 }) else { throw CancellationError() }
      return OutboxConnection(provider: connection.provider)
    }
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: OutboxEvent.self)
    Task {
      do {
        for try await event in events { continuation.yield(event) }
        continuation.finish()
      } catch {
        let isAway = (error as? NetworkError)?.isNetworkAway == true
        continuation.finish(
          throwing: BrowserOutboxFailure("The server is away.", isNetworkAway: isAway))
      }
    }
    return stream
  }

  func drop(_ ids: [OutboxEntry.ID]) async throws { try await outbox.drop(ids) }

  /// The changes in the outbox, for the list.
  func pending(_ repository: RepositoryName, _ host: String) async -> PendingChanges? {
    guard let entries = try? await outbox.entries() else { return nil }
    let changes = PendingChanges(entries, of: repository, on: host)
    return changes.isEmpty ? nil : changes
  }

  /// The states of all entries that weren't dropped.
  var states: [OutboxState] { get async throws { try await outbox.entries().map(\.state) } }
}
