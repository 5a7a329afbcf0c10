package import IssueTracker

/// Where the browser gets from what it shows.
package struct BrowserSource: Sendable {
  /// Makes the connection to a host; nil stands for the host that is asked where a name has none. An error
  /// is shown to the person as it describes itself.
  package typealias Connect =
    @Sendable (_ host: String?) async throws -> BrowserConnection

  /// Tells which server a host is; nil stands for the one that is meant where a name has no host.
  package typealias FindServer = @Sendable (_ host: String?) throws -> GitHubServer

  /// Sees to it that the mirror's issues of a repository are young enough, and tells whether they are there; an error
  /// where they can't be renewed. It is told whether they are wanted anew, however young they are.
  package typealias Freshen =
    @Sendable (_ reference: RepositoryReference, _ isAnew: Bool) async throws -> Bool

  /// The repositories that the user looked at; nil to know none and to note none.
  package let history: RepositoryHistory?
  /// The mirror, which is shown where a server can't be reached; nil for none.
  let mirror: BrowserMirror?
  /// What lets the mirror answer in the server's place; nil where it only stands in.
  let freshen: Freshen?
  private let place: Place

  /// Where the servers are.
  private enum Place: Sendable {
    case online(Connections)
    case offline(FindServer)
  }

  /// Whether nobody is asked.
  package var isOffline: Bool {
    if case .offline = place { true } else { false }
  }

  /// Creates a source; nobody is asked before something is wanted.
  ///
  /// - Parameters:
  ///   - history: The repositories that the user looked at, to complete names from and to add to; nil for
  ///     none, as for sample data.
  ///   - mirror: The mirror, which is shown where a server can't be reached; nil for none, as for sample data.
  ///   - freshen: Lets the mirror answer where it is, or is made, young enough; nil to ask the server.
  ///   - connect: Makes the connection to a host. It is called once for each host, and again where it failed.
  package init(
    history: RepositoryHistory? = nil, mirror: BrowserMirror? = nil, freshen: Freshen? = nil,
    connect: @escaping Connect
  ) {
    self.history = history
    self.mirror = mirror
    self.freshen = freshen
    place = .online(Connections(connect))
  }

  /// Creates a source that shows the mirror and asks nobody.
  ///
  /// - Parameters:
  ///   - mirror: The mirror.
  ///   - server: Tells which server a host is, whose pages are opened and whose repositories are shown.
  package init(offline mirror: BrowserMirror, server: @escaping FindServer) {
    history = nil
    freshen = nil
    self.mirror = mirror
    place = .offline(server)
  }

  /// Gives the connection to a host, the same each time.
  func connection(to host: String?) async throws -> BrowserConnection {
    switch place {
    case .online(let connections): try await connections.connection(to: host)
    case .offline: throw Offline()
    }
  }

  /// Gives the server of a host.
  func server(of host: String?) async throws -> GitHubServer {
    switch place {
    case .online(let connections): try await connections.connection(to: host).server
    case .offline(let server): try server(host)
    }
  }

  /// Says that nobody is asked.
  private struct Offline: Error, CustomStringConvertible {
    var description: String { "With --offline nobody is asked." }
  }

  /// Makes each connection once: its limits and what is known of its network are those of the server, not
  /// of a request.
  private actor Connections {
    private let connect: Connect
    private var made: [String?: BrowserConnection] = [:]

    init(_ connect: @escaping Connect) {
      self.connect = connect
    }

    func connection(to host: String?) async throws -> BrowserConnection {
      if let connection = made[host] { return connection }
      let connection = try await connect(host)
      // Whoever asked at the same time may have been first.
      let first = made[host] ?? connection
      made[host] = first
      return first
    }
  }
}
