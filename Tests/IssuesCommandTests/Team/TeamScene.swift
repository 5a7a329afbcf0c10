import TestSupport

/// A GitHub to mirror, and a database of its own for the mirror.
struct TeamScene: Sendable {
  let mirror: MirrorScene
  let server: PostgresServer
  let database: String

  init(_ repositories: [LoopbackRepository] = [MirrorScene.repository]) async throws {
    mirror = try MirrorScene(repositories)
    server = try await PostgresServer.running()
    database = try await server.makeDatabase()
  }

  /// With a server of PostgreSQL that isn't all tests'.
  init(_ github: LoopbackGitHub, in server: PostgresServer) async throws {
    mirror = try MirrorScene(github)
    self.server = server
    database = try await server.makeDatabase()
  }

  /// The connection string.
  func address(as role: String = "issues") -> String { server.address(of: database, as: role) }

  /// The environment of every run: the mirror's address, and a token. Without one, the loopback server always has
  /// 30 requests left, and the team's budget of them is soon spent.
  var environment: [String: String] {
    ["ISSUES_DATABASE": address(), "GH_ENTERPRISE_TOKEN": "ghp_team"]
  }

  /// Runs the command to its end, with the team's mirror.
  func run(
    _ arguments: [String], environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes
  ) async throws -> CommandRun.Result {
    try await mirror.run(
      arguments, environment: self.environment.merging(environment) { $1 }, connection: connection)
  }

  /// Makes a role that can connect; `rights` are those of Documentation/team.md.
  func makeRole(_ rights: Rights) async throws -> String {
    let role = "\(database)_\(rights)"
    try await server.psql("CREATE ROLE \(role) LOGIN; \(rights.grants(to: role))", in: database)
    return role
  }

  enum Rights: String, CaseIterable {
    case nothing, reading, writing

    fileprivate func grants(to role: String) -> String {
      let use = "GRANT USAGE ON SCHEMA issues TO \(role); "
      return switch self {
      case .nothing: ""
      case .reading: use + "GRANT SELECT ON ALL TABLES IN SCHEMA issues TO \(role)"
      case .writing:
        use + "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA issues TO \(role)"
      }
    }
  }
}
