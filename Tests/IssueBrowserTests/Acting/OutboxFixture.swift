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
  /// The server's software.
  let forge = Locked(Forge.gitHub)
  /// The text written in the editor; nil for none.
  let written = Locked<String?>(nil)
  /// The compositions that the editor was opened for.
  let compositions = Locked<[Composition]>([])
  /// Holds additions until it is opened; nil to hold none.
  let gate = Locked<Gate?>(nil)
  private let folder: ScratchFolder
  private let connection = Locked<BrowserConnection?>(nil)

  init() throws {
    folder = try ScratchFolder()
    outbox = try Outbox(path: folder["outbox.db"])
  }

  func connect(_ connection: BrowserConnection) { self.connection.withLock { $0 = connection } }

  func run(_ command: CustomCommand, on page: RepositoryReference?) async throws -> String {
    "Done: \(command.title)"
  }

  func check(_ repository: RepositoryReference) async throws -> Forge {
    if let reason = refusal.withLock({ $0 }) { throw Refusal(description: reason) }
    return forge.withLock { $0 }
  }

  func add(_ changes: [RepositoryChange]) async throws -> [OutboxEntry] {
    await gate.withLock { $0 }?.wait()
    for change in changes { _ = try await check(change.repository) }
    guard let server = connection.withLock({ $0 })?.server else { return [] }
    return try await outbox.add(
      changes.map { Intention($0.change, in: $0.repository.name, on: server) })
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
        let failure = error as? NetworkError
        continuation.finish(
          throwing: BrowserOutboxFailure(
            "The server is away.", isNetworkAway: failure?.isNetworkAway == true,
            retryDate: failure?.retryDate))
      }
    }
    return stream
  }

  func opened() async throws -> Outbox { outbox }

  func compose(_ composition: Composition) async throws -> [OutboxEntry]? {
    compositions.withLock { $0.append(composition) }
    guard let text = written.withLock({ $0 }) else { return nil }
    switch composition {
    case .comment(let issues, _):
      return try await add(
        issues.map { RepositoryChange(.comment(on: $0.target, body: text), in: $0.repository) })
    case .newIssue(let repository):
      return try await add([RepositoryChange(.createIssue(NewIssue(title: text)), in: repository)])
    case .edit(let number, let repository):
      let title = TextChange(text, base: base.withLock { $0 })
      return try await add(
        [RepositoryChange(.edit(.number(number), IssueChange(title: title)), in: repository)])
    case .merge(let id): return [try await outbox.resolve(id, with: text)]
    }
  }

  /// The title that the writer of an edit saw.
  let base = Locked<String?>(nil)

  func labels(of repository: RepositoryReference) async throws -> [GitHub.Label] {
    let response = try await provider.request(.labels(repositoryFullName: "\(repository.name)"))
    return try response.decode(using: GitHubJSON.decoder())
  }

  func milestones(of repository: RepositoryReference) async throws -> [GitHub.Milestone] {
    let response = try await provider.request(
      .milestones(repositoryFullName: "\(repository.name)"))
    return try response.decode(using: GitHubJSON.decoder())
  }

  func people(of repository: RepositoryReference) async throws -> AssignablePeople {
    let provider = try provider
    var people = AssignablePeople(logins: [try await provider.ownProfile().login])
    do throws(NetworkError) {
      try await people.load(of: repository.name, from: provider)
    } catch {
      people.problem = "The list is incomplete: \(error.problem)"
    }
    return people
  }

  private var provider: Provider<GitHub> {
    get throws {
      guard let connection = connection.withLock({ $0 }) else { throw CancellationError() }
      return connection.provider
    }
  }

  /// The changes in the outbox, for the list.
  func pending(_ repository: RepositoryName, _ host: String) async -> PendingChanges? {
    guard let entries = try? await outbox.entries() else { return nil }
    let changes = PendingChanges(entries, of: repository, on: host)
    return changes.isEmpty ? nil : changes
  }

  func unsent() async -> UnsentChanges {
    let entries = (try? await outbox.entries()) ?? []
    return UnsentChanges(
      all: entries.count { $0.state != .sent },
      needingPerson: entries.count { [.refused, .conflict, .unknown].contains($0.state) })
  }

  /// The states of all entries that weren't dropped.
  var states: [OutboxState] { get async throws { try await outbox.entries().map(\.state) } }
}

extension BrowserWorld {
  /// The same world, in which issues can be changed.
  func withOutbox() throws -> (world: BrowserWorld, outbox: OutboxFixture) {
    var world = self
    let fixture = try OutboxFixture()
    world.outbox = fixture
    return (world, fixture)
  }
}
