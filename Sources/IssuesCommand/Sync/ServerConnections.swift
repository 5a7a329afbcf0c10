internal import IssueTracker

/// One connection for each server: what the server allows in a minute is counted for all of its repositories
/// together, and its token is looked up once.
actor ServerConnections {
  private let connect: @Sendable (GitHubServer) async throws -> Connection
  private var connections: [GitHubServer: Connection] = [:]

  init(connect: @escaping @Sendable (GitHubServer) async throws -> Connection) {
    self.connect = connect
  }

  /// The connection to a server, made when it is first asked for.
  func connection(to server: GitHubServer) async throws -> Connection {
    if let known = connections[server] { return known }
    let connection = try await connect(server)
    connections[server] = connection
    return connection
  }
}
