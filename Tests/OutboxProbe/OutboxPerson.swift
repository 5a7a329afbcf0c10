import CurlTransport
import GitHubAPI
import HTTPTargets
package import IssueOutbox
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A person who follows a script with an outbox, in one process.
package struct OutboxPerson: Sendable {
  /// The token of the person, whose login is octocat.
  package static let token = "ghp_TheTokenOfTheProperty0000000000000000"

  /// The outbox.
  package let outbox: Outbox
  /// The wishes.
  package let script: OutboxScript
  /// The clock of all processes that share the outbox.
  package let clock: SharedClock
  private let server: GitHubServer
  private let account: OutboxAccount

  /// Opens the outbox.
  package init(apiURL: String, path: String, script: OutboxScript) throws {
    self.script = script
    server = try GitHubServer(apiURL: apiURL)
    let clock = Self.clock(of: path)
    self.clock = clock
    outbox = try Outbox(path: path, clock: clock) { clock.date }
    account = OutboxAccount(
      fingerprint: try outbox.fingerprint(of: AccessToken(Self.token)), login: "octocat")
  }

  /// The clock of those who share an outbox, and of their server.
  package static func clock(of path: String) -> SharedClock { SharedClock(file: "\(path).clock") }

  /// Puts a step into the outbox.
  ///
  /// - Returns: The id of the entry; nil where the issue that it is about isn't in the outbox itself.
  package func add(_ index: Int) async throws -> OutboxEntry.ID? {
    let step = script.steps[index]
    let target: IssueTarget
    switch step.place {
    case nil: target = .number(0)
    case .known(let number): target = .number(number)
    case .new(let creation):
      guard let entry = try await entry(of: creation) else { return nil }
      // Both names of an issue that has got its number meanwhile.
      let number = index.isMultiple(of: 2) ? nil : entry.answer?.number
      target = number.map { .number($0) } ?? .pending(entry.id)
    }
    let intention = Intention(
      step.change(target), in: step.repository, on: server, account: account)
    return try await outbox.add([intention]).first?.id
  }

  /// The entry of a step; nil where there is none. The nth of some equal steps has the nth of the equal entries.
  package func entry(of index: Int) async throws -> OutboxEntry? {
    let step = script.steps[index]
    var targets: [IssueTarget]
    switch step.place {
    case nil: targets = [.number(0)]
    case .known(let number): targets = [.number(number)]
    case .new(let creation):
      guard let entry = try await entry(of: creation) else { return nil }
      targets = [.pending(entry.id)] + (entry.answer?.number.map { [.number($0)] } ?? [])
    }
    let changes = Set(targets.map(step.change))
    let place = script.steps[..<index].count {
      $0.place == step.place && $0.repository == step.repository
        && $0.change(.number(0)) == step.change(.number(0))
    }
    return try await outbox.entries()
      .filter { changes.contains($0.change) && $0.repository == step.repository }
      .dropFirst(place).first
  }

  /// Sends everything as the command does, and notes in a file what it delivers.
  ///
  /// - Parameter isFlawed: Whether every third answer can't be delivered.
  /// - Returns: What happens.
  package func send(isFlawed: Bool) -> AsyncThrowingStream<OutboxEvent, any Error> {
    let file = "\(outbox.path).delivered"
    let (server, account, clock) = (server, account, clock)
    let sending = OutboxSending { entry in
      if isFlawed, entry.id.isMultiple(of: 3) { throw Mismatch("no room for \(entry.id)") }
      Self.write("\(entry.id)\n", to: file)
    }
    return outbox.send(options: sending) { _ in
      OutboxConnection(
        provider: Provider<GitHub>(
          server: server, token: try AccessToken(Self.token), retry: nil, rateLimits: nil,
          timeouts: Timeouts(scaledTo: .seconds(300)),
          transport: CurlTransport(configuration: .init(certificates: CertificateStore())),
          clock: clock, now: { clock.date }),
        account: account)
    }
  }

  /// Appends to a file at once.
  package static func write(_ text: String, to file: String) {
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    write(text, to: descriptor)
    close(descriptor)
  }

  /// Writes to a descriptor at once: `print` keeps what it writes to a pipe.
  package static func write(_ text: String, to descriptor: CInt) {
    var text = text
    text.withUTF8 { bytes in
      #if canImport(Darwin)
        _ = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        _ = Musl.write(descriptor, bytes.baseAddress, bytes.count)
      #else
        _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
    }
  }
}
