import CurlTransport
import Foundation
import GRDB
import GitHubAPI
import HTTPTargets
import IssueOutbox
import IssueTracker
import ReactiveTesting
import TestSupport
import Testing

/// An outbox in a folder of its own, beside a loopback GitHub that is written to.
struct OutboxBench {
  static let name = "swiftlang/swift"

  let forge: LoopbackForge
  let github: LoopbackGitHub
  let there: LoopbackRepository
  let server: LoopbackServer
  let folder: ScratchFolder
  let outbox: Outbox
  let clock: TestClock
  let repository: RepositoryName

  /// Runs a test with five open issues, and a clock that the test moves.
  ///
  /// - Parameters:
  ///   - configure: Changes the server before it starts.
  ///   - meanwhile: Called after each request was carried out, before it is answered.
  ///   - instead: Answers requests in place of the server.
  ///   - body: The test.
  /// - Throws: What the test throws.
  static func run(
    _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in },
    meanwhile: @escaping @Sendable (LoopbackRequest, LoopbackGitHub) -> Void = { _, _ in },
    instead: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse? = { _ in nil },
    _ body: (OutboxBench) async throws -> Void
  ) async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [
      .swift(issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0))
    ]
    configuration.permission = .write
    configuration.keepsReads = true
    configure(&configuration)
    let there = configuration.repositories[0]
    let github = LoopbackGitHub(configuration)
    let folder = try ScratchFolder()
    let handler = github.handler
    try await withLoopbackServer { request in
      if let response = instead(request) { return response }
      let response = await handler(request)
      meanwhile(request, github)
      return response
    } perform: { server in
      let clock = TestClock()
      try await body(
        OutboxBench(
          forge: configuration.forge, github: github, there: there, server: server, folder: folder,
          outbox: try Outbox(path: "\(folder.path)/outbox.db", clock: clock, now: Self.now(clock)),
          clock: clock, repository: try #require(RepositoryName(name))))
    }
  }

  /// The time of a clock, which begins now: the server's clock is the real one.
  static func now(_ clock: TestClock) -> @Sendable () -> Date {
    // Whole seconds can be counted exactly.
    let begin = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
    return { begin.addingTimeInterval(clock.now.offset / .seconds(1)) }
  }

  /// The same file, as another process has it.
  func other() throws -> Outbox {
    try Outbox(path: outbox.path, clock: clock, now: Self.now(clock))
  }

  func gitHubServer() throws -> GitHubServer {
    try GitHubServer(apiURL: server.url + forge.apiPath)
  }

  func connection(token: String = "t0ken", login: String? = nil) throws -> OutboxConnection {
    let token = try AccessToken(token)
    var configuration = GitHub.Configuration(
      server: try gitHubServer(), token: token, retries: nil, rateLimits: nil,
      timeouts: Timeouts(scaledTo: .seconds(300)),
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
    configuration.refusesForeignServers = false
    configuration.forge = Forge(rawValue: forge.rawValue) ?? .gitHub
    return OutboxConnection(
      provider: Provider.gitHub(configuration),
      account: OutboxAccount(fingerprint: try outbox.fingerprint(of: token), login: login))
  }

  func intention(
    _ change: Change, token: String = "t0ken", login: String? = nil, followsPrevious: Bool = false
  ) throws -> Intention {
    Intention(
      change, in: repository, on: try gitHubServer(),
      account: try connection(token: token, login: login).account, followsPrevious: followsPrevious)
  }

  @discardableResult
  func add(_ changes: Change...) async throws -> [OutboxEntry] {
    try await outbox.add(changes.map { try intention($0) })
  }

  /// Sends without any pace, moving the clock on whenever nothing else can happen.
  @discardableResult
  func send(
    _ ids: [OutboxEntry.ID]? = nil, token: String = "t0ken", login: String? = nil,
    options: OutboxSending = .fast
  ) async throws -> [OutboxEvent] {
    let connection = try connection(token: token, login: login)
    let (clock, outbox) = (clock, outbox)
    return try await withThrowingTaskGroup(of: [OutboxEvent]?.self) { group in
      group.addTask {
        var events: [OutboxEvent] = []
        for try await event in outbox.send(ids, options: options, connect: { _ in connection }) {
          events.append(event)
        }
        return events
      }
      group.addTask {
        while true {
          try await clock.sleepers(atLeast: 1)
          clock.advanceToNextDeadline()
        }
      }
      defer { group.cancelAll() }
      return try await group.next()?.flatMap(\.self) ?? []
    }
  }

  func entry(_ id: OutboxEntry.ID) async throws -> OutboxEntry {
    try #require(try await outbox.entry(id))
  }

  /// Changes all rows of the file behind the outbox's back.
  func pretend(_ changes: String) async throws {
    try await DatabaseQueue(path: outbox.path).write { db in
      try db.execute(sql: "UPDATE entry SET \(changes)")
    }
  }

  /// The writes so far, as `METHOD target`.
  var writes: [String] {
    github.receipts.filter { $0.method != "GET" }.map { "\($0.method) \($0.target)" }
  }

  /// The titles of issues that were created.
  var createdTitles: [String] {
    github.issues(of: there).filter(\.isWritten).map(\.title)
  }

  func comments(on number: Int) -> [String] {
    github.comments(on: number, of: there).filter(\.isWritten)
      .map(\.body)
  }
}

extension OutboxSending {
  /// Without a pace.
  static var fast: OutboxSending { OutboxSending(pace: .none, maximumWait: .seconds(90)) }
}

extension OutboxPace {
  /// No limits.
  static let none = OutboxPace(interval: .zero, perMinute: .max, perHour: .max)
}

extension [OutboxEvent] {
  /// The states that an entry went through.
  func states(of id: OutboxEntry.ID) -> [OutboxState] {
    compactMap { event in
      if case .changed(let entry) = event, entry.id == id { entry.state } else { nil }
    }
  }

  /// The waits so far.
  var waits: [OutboxWait] {
    compactMap { event in if case .waiting(_, let wait) = event { wait } else { nil } }
  }
}

extension LoopbackWriteFaults {
  /// None but those that a test strikes; a delayed commit is made after so many requests.
  static func delaying(_ requests: Int) -> LoopbackWriteFaults {
    var faults = LoopbackWriteFaults()
    faults.share = 0
    faults.delay = requests
    return faults
  }
}
