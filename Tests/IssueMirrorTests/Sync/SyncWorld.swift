import ConcurrencyPrimitives
import CurlTransport
import GRDB
import GitHubAPI
import HTTPTargets
import IssueMirror
import PlatformModules
import TestSupport

/// A GitHub on loopback, and a mirror of one of its repositories.
final class SyncWorld: Sendable {
  /// The time, which goes on as it is asked for: there is no other clock in a test.
  final class Ticks: Sendable {
    private let count = Locked(0)
    /// A minute after the newest synthetic issue.
    private static let beginning = SyntheticIssues(count: 0).newest + 60

    func now() -> Date {
      let count = count.withLock { count in
        count += 1
        return count
      }
      return Date(timeIntervalSince1970: Double(Self.beginning) + Double(count) / 10)
    }

    /// Lets seconds pass.
    func pass(_ seconds: Int) { count.withLock { $0 += seconds * 10 } }

    /// The time, in seconds since 1970.
    var seconds: Int { Int(now().timeIntervalSince1970) }
  }

  let repository: LoopbackRepository
  let github: LoopbackGitHub
  let mirror: Mirror
  let ticks: Ticks
  let server: LoopbackServer
  /// The kind of the server.
  let forge: Forge
  private let folder: ScratchFolder?

  init(
    _ repository: LoopbackRepository, _ github: LoopbackGitHub, _ server: LoopbackServer,
    _ mirror: Mirror?, _ ticks: Ticks, forge: LoopbackForge = .gitHub
  ) throws {
    self.forge = Forge(rawValue: forge.rawValue) ?? .gitHub
    self.repository = repository
    self.github = github
    self.server = server
    self.ticks = ticks
    if let mirror {
      (self.mirror, folder) = (mirror, nil)
    } else {
      let folder = try ScratchFolder()
      self.folder = folder
      self.mirror = try Mirror(path: folder["mirror.db"])
    }
  }

  /// The token of each request.
  static let token = "ghp_0123456789abcdefghijABCDEFGHIJ"

  /// A provider that asks each request once.
  func provider() throws -> Provider<GitHub> {
    var configuration = GitHub.Configuration(
      server: try GitHubServer(apiURL: apiURL), token: try AccessToken(Self.token), retries: nil,
      rateLimits: nil, timeouts: Timeouts(scaledTo: .seconds(300)),
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
    configuration.forge = forge
    return Provider.gitHub(configuration)
  }

  /// The address of the server's API.
  var apiURL: String { forge == .gitHub ? server.url : "\(server.url)/api/v1" }

  /// Brings the mirror up to date.
  @discardableResult
  func sync(
    _ name: String? = nil, jobs: Int = 4, comments: Bool = false, timelines: Bool = false,
    verifies: Bool = false,
    onProgress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    struct NoName: Error {}
    guard let name = RepositoryName(name ?? repository.fullName) else { throw NoName() }
    let sync = RepositorySync(
      mirror: mirror, provider: try provider(), name: name,
      options: .init(
        jobs: jobs, includesComments: comments, includesTimelines: timelines, verifies: verifies),
      now: { [ticks] in ticks.now() })
    return try await sync.run(onProgress: onProgress)
  }

  /// The requests that were sent while something ran.
  func requests(
    during body: () async throws -> Void
  ) async throws -> [LoopbackRequest] {
    let before = server.log.requestCount
    try await body()
    return Array(server.log.requests.dropFirst(before))
  }

  /// The server's issues and pull requests, by number.
  func served() async throws -> [Int: Data] {
    // Gitea has only the usual order.
    let filter = IssueFilter(
      state: .all, direction: forge == .gitHub ? .ascending : .descending)
    return try await pages(
      from: .issues(repositoryFullName: repository.fullName, filter: filter, pageSize: 100),
      of: .items
    ).reduce(into: [:]) { $0[$1.number] = $1.json }
  }

  /// The server's comments, by id.
  func servedComments() async throws -> [Int64: Data] {
    try await pages(
      from: .repositoryComments(repositoryFullName: repository.fullName, pageSize: 100),
      of: .comments
    ).reduce(into: [:]) { $0[$1.id] = $1.json }
  }

  private func pages(
    from first: GitHub, of feed: ChangeFeed
  ) async throws -> [FeedPage.Entry] {
    let provider = try provider()
    var entries: [FeedPage.Entry] = []
    var target = first
    while true {
      let response = try await provider.request(target)
      let page = try FeedPage(response.body, of: feed).entries
      entries += page
      guard let next = try provider.nextPage(after: response, count: page.count) else {
        return entries
      }
      target = .page(next)
    }
  }

  /// The mirror's issues and pull requests, by number.
  func kept() async throws -> [Int: Data] {
    let id = repository.id
    return try await mirror.database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT number, item.json FROM item JOIN repository ON repository.key = item.repository
          WHERE repository.id = ?
          """, arguments: [id])
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["number"], $0["json"]) })
    }
  }

  /// The mirror's comments, by id.
  func keptComments() async throws -> [Int64: Data] {
    try await mirror.database.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT id, json FROM comment")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["json"]) })
    }
  }

  /// The repository as it is kept.
  func mirrored() async throws -> MirroredRepository? {
    try await mirror.repositories().first { $0.serverID == Int64(repository.id) }
  }
}

/// Runs `body` with a GitHub and a mirror.
///
/// - Parameters:
///   - forge: The kind of the server.
///   - items: How many issues and pull requests the repository has.
///   - repository: The repository; `swiftlang/swift` unless told otherwise.
///   - mirror: A mirror that is there already; an empty one of its own unless told otherwise.
///   - ticks: The clock.
///   - sendsDate: Whether answers say when they were given.
///   - hold: Called with each request. It is answered when this returns.
///   - configure: Configures the GitHub further.
///   - body: Is given both.
/// - Throws: What `body` throws, or that there is no server or no mirror.
func withSyncWorld(
  forge: LoopbackForge = .gitHub, items: Int = 250, repository: LoopbackRepository? = nil,
  mirror: Mirror? = nil,
  ticks: SyncWorld.Ticks = SyncWorld.Ticks(), sendsDate: Bool = true,
  hold: @escaping @Sendable (LoopbackRequest) async -> Void = { _ in },
  configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in },
  perform body: (SyncWorld) async throws -> Void
) async throws {
  let repository = repository ?? .swift(issues: SyntheticIssues(count: items))
  var configuration = LoopbackGitHub.Configuration()
  configuration.repositories = [repository]
  configuration.now = { ticks.now() }
  configuration.forge = forge
  configure(&configuration)
  let github = LoopbackGitHub(configuration)
  let handler: LoopbackServer.Handler = { request in
    await hold(request)
    let response = github.respond(to: request)
    return sendsDate ? response : response.with { $0.headers["Date"] = nil }
  }
  try await withLoopbackServer(answering: handler) { server in
    try await body(SyncWorld(repository, github, server, mirror, ticks, forge: forge))
  }
}
