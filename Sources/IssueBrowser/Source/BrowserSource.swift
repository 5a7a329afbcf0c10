package import IssueOutbox
package import IssueTracker

/// The source of everything that the browser shows.
package struct BrowserSource: Sendable {
  /// Connects to a host; nil stands for the host of names without one. The user sees the description of an error.
  package typealias Connect =
    @Sendable (_ host: String?) async throws -> BrowserConnection

  /// Finds the server of a host; nil stands for the host of names without one.
  package typealias FindServer = @Sendable (_ host: String?) throws -> GitHubServer

  /// Syncs the mirror's issues of a repository unless they are young enough, and returns whether they are mirrored.
  /// With `isAnew` they are synced however young they are. Throws if they can't be synced.
  package typealias Freshen =
    @Sendable (_ reference: RepositoryReference, _ isAnew: Bool) async throws -> Bool

  /// Finds what isn't sent yet to a repository on a host; nil for nothing.
  package typealias Pending =
    @Sendable (_ repository: RepositoryName, _ host: String) async -> PendingChanges?

  /// The history of repositories; nil to keep none.
  package let history: RepositoryHistory?
  /// The mirror, which stands in for a server that can't be reached; nil for none.
  let mirror: BrowserMirror?
  /// Lets the mirror answer in the server's place; nil where it only stands in.
  let freshen: Freshen?
  /// Finds what isn't sent yet.
  let pending: Pending
  private let place: Place

  private enum Place: Sendable {
    case online(Connections)
    case offline(FindServer)
  }

  /// Whether no server is asked.
  package var isOffline: Bool {
    if case .offline = place { true } else { false }
  }

  /// Creates a source. It connects at the first request.
  ///
  /// - Parameters:
  ///   - history: The history, which completes names and gets new ones; nil for none, as for sample data.
  ///   - mirror: The mirror, which stands in for a server that can't be reached; nil for none, as for sample data.
  ///   - freshen: Lets the mirror answer if it is young enough, or can be synced; nil to ask the server.
  ///   - pending: Finds what isn't sent yet.
  ///   - connect: Connects to a host. It is called once for each host, and again after it failed.
  package init(
    history: RepositoryHistory? = nil, mirror: BrowserMirror? = nil, freshen: Freshen? = nil,
    pending: @escaping Pending = { _, _ in nil },
    connect: @escaping Connect
  ) {
    self.history = history
    self.mirror = mirror
    self.freshen = freshen
    self.pending = pending
    place = .online(Connections(connect))
  }

  /// Creates a source that shows the mirror and asks no server.
  ///
  /// - Parameters:
  ///   - mirror: The mirror.
  ///   - pending: Finds what isn't sent yet.
  ///   - server: Finds the server of a host.
  package init(
    offline mirror: BrowserMirror, pending: @escaping Pending = { _, _ in nil },
    server: @escaping FindServer
  ) {
    history = nil
    freshen = nil
    self.mirror = mirror
    self.pending = pending
    place = .offline(server)
  }

  /// The connection to a host, the same each time.
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

  /// Thrown where a server would be asked.
  private struct Offline: Error, CustomStringConvertible {
    var description: String { "With --offline nobody is asked." }
  }

  /// Makes each connection once: limits and reachability belong to the server, not to a request.
  private actor Connections {
    private let connect: Connect
    private var made: [String?: BrowserConnection] = [:]

    init(_ connect: @escaping Connect) {
      self.connect = connect
    }

    func connection(to host: String?) async throws -> BrowserConnection {
      if let connection = made[host] { return connection }
      let connection = try await connect(host)
      // Another task may have connected meanwhile.
      let first = made[host] ?? connection
      made[host] = first
      return first
    }
  }
}
