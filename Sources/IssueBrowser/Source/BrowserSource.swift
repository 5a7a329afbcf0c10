package import IssueOutbox
package import IssueTracker

package struct BrowserSource: Sendable {
  /// Connects to a host; nil means the default host. The description of an error is shown to the user.
  package typealias Connect =
    @Sendable (_ host: String?) async throws -> BrowserConnection

  /// Finds the server of a host; nil means the default host.
  package typealias FindServer = @Sendable (_ host: String?) throws -> GitHubServer

  /// Syncs a repository's issues unless they are fresh enough. With `isAnew`, it always syncs them. Returns whether
  /// they are mirrored.
  package typealias Freshen =
    @Sendable (_ reference: RepositoryReference, _ isAnew: Bool) async throws -> Bool

  package typealias Pending =
    @Sendable (_ repository: RepositoryName, _ host: String) async -> PendingChanges?

  package let history: RepositoryHistory?
  /// The mirror, which replaces an unreachable server.
  let mirror: BrowserMirror?
  /// Syncs the mirror, so that it responds instead of the server; nil if it only replaces an unreachable server.
  let freshen: Freshen?
  let pending: Pending
  /// Counts the pending changes of all repositories.
  package var unsent: @Sendable () async -> UnsentChanges = { UnsentChanges() }
  /// The source of the start screen; nil if there is none.
  package var start: StartSource?
  /// The outbox that receives changes; nil if nothing can be changed.
  let outbox: (any BrowserOutbox)?
  private let place: Place

  private enum Place: Sendable {
    case online(Connections)
    case offline(FindServer)
  }

  package var isOffline: Bool {
    if case .offline = place { true } else { false }
  }

  /// Creates a source that connects to a host at its first request, and again after a failure.
  package init(
    history: RepositoryHistory? = nil, mirror: BrowserMirror? = nil, freshen: Freshen? = nil,
    pending: @escaping Pending = { _, _ in nil }, outbox: (any BrowserOutbox)? = nil,
    connect: @escaping Connect
  ) {
    self.history = history
    self.mirror = mirror
    self.freshen = freshen
    self.pending = pending
    self.outbox = outbox
    place = .online(Connections(connect))
  }

  /// Creates a source that shows the mirror and doesn't send requests to servers.
  package init(
    offline mirror: BrowserMirror, pending: @escaping Pending = { _, _ in nil },
    outbox: (any BrowserOutbox)? = nil,
    server: @escaping FindServer
  ) {
    history = nil
    freshen = nil
    self.mirror = mirror
    self.pending = pending
    self.outbox = outbox
    place = .offline(server)
  }

  var hasMirror: Bool { mirror != nil }

  func connection(to host: String?) async throws -> BrowserConnection {
    switch place {
    case .online(let connections): try await connections.connection(to: host)
    case .offline: throw Offline()
    }
  }

  func server(of host: String?) async throws -> GitHubServer {
    switch place {
    case .online(let connections): try await connections.connection(to: host).server
    case .offline(let server): try server(host)
    }
  }

  private struct Offline: Error, CustomStringConvertible {
    var description: String { "With --offline, no server is contacted." }
  }

  /// The connections, one per server. Limits and reachability belong to the server, not to a request.
  private actor Connections {
    private let connect: Connect
    private var made: [String?: BrowserConnection] = [:]

    init(_ connect: @escaping Connect) {
      self.connect = connect
    }

    func connection(to host: String?) async throws -> BrowserConnection {
      if let connection = made[host] { return connection }
      let connection = try await connect(host)
      // Another task may have connected in the meantime.
      let first = made[host] ?? connection
      made[host] = first
      return first
    }
  }
}
