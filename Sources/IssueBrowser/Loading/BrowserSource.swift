package import IssueTracker

/// Where the browser gets from what it shows.
package struct BrowserSource: Sendable {
  /// Makes the connection to a host; nil stands for the host that is asked where a name has none. An error
  /// is shown to the person as it describes itself.
  package typealias Connect =
    @Sendable (_ host: String?) async throws -> BrowserConnection

  /// The repositories that the user looked at; nil to know none and to note none.
  package let history: RepositoryHistory?
  private let connections: Connections

  /// Creates a source; nobody is asked before something is wanted.
  ///
  /// - Parameters:
  ///   - history: The repositories that the user looked at, to complete names from and to add to; nil for
  ///     none, as for sample data.
  ///   - connect: Makes the connection to a host. It is called once for each host, and again where it failed.
  package init(history: RepositoryHistory? = nil, connect: @escaping Connect) {
    self.history = history
    connections = Connections(connect)
  }

  /// Gives the connection to a host, the same each time.
  func connection(to host: String?) async throws -> BrowserConnection {
    try await connections.connection(to: host)
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
