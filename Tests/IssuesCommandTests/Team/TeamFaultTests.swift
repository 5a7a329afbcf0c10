import PlatformModules
import TestSupport
import Testing

@Suite("Faults of a team's mirror", .timeLimit(.minutes(5)))
struct TeamFaultTests {
  private static let runnable = TeamFault.all.filter {
    PostgresServer.isInstalled || !$0.needsPostgres
  }

  @Test("each fault of a team's mirror has its documented outcome", arguments: runnable)
  func team(row: TeamFault) async throws {
    let folder = try ScratchFolder()
    let github = LoopbackGitHub(repositories: [
      LoopbackRepository(
        id: 1, owner: "a", name: "b",
        issues: SyntheticIssues(count: 1, pullRequests: 0, closed: 0, newest: 1_700_000_000))
    ])
    let problems = try await withLoopbackServer(answering: github.handler) { server in
      let address = try await Self.address(of: row.database, server, folder)
      let url = row.command.contains("a/b") ? ["--api-url", server.url] : []
      var environment = ["XDG_DATA_HOME": folder["data"], "XDG_CONFIG_HOME": folder["config"]]
      if !row.hasLibrary {
        // The first file of that name is taken, and is no library.
        try folder.write(Data("no library".utf8), to: "libpq.so.5")
        environment["LD_LIBRARY_PATH"] = folder.path
      }
      var arguments =
        row.command.map { $0 == TeamFault.takenPort ? "\(server.port)" : $0 } + url
      switch row.origin {
      case .option: arguments += ["--database", address]
      case .variable: environment["ISSUES_DATABASE"] = address
      case .configuration:
        try FileManager.default.createDirectory(
          atPath: folder["config/issues"], withIntermediateDirectories: true)
        try folder.write(
          Data("database = \"\(address)\"\n".utf8), to: "config/issues/config.toml")
      }
      let result = try await IssuesProgram.run(arguments, environment: environment)
      var problems = Self.problems(of: result, row)
      if FileManager.default.fileExists(atPath: folder["data/issues/mirror.db"]) {
        problems.append("a mirror on this machine was made")
      }
      return problems
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private static func address(
    of database: TeamFault.Database, _ github: LoopbackServer, _ folder: ScratchFolder
  ) async throws -> String {
    switch database {
    case .text(let text), .address(let text): return text
    case .nowhere: return "host=\(folder.path) dbname=issues user=issues"
    case .mirror, .reader, .stranger, .later, .damaged, .empty, .missing: break
    }
    let server = try await PostgresServer.running()
    if case .missing = database { return server.address(of: "no_such_database") }
    let name = try await server.makeDatabase()
    if case .empty = database { return server.address(of: name) }
    let made = try await IssuesProgram.run([
      "sync", "a/b", "--api-url", github.url, "--database", server.address(of: name),
    ])
    try #require(made.status == .exited(0), "\(made.errorText)")
    let role = "\(name)_role"
    try await server.psql("CREATE ROLE \(role) LOGIN", in: name)
    switch database {
    case .reader:
      try await server.psql(
        "GRANT USAGE ON SCHEMA issues TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA issues TO \(role)",
        in: name)
      return server.address(of: name, as: role)
    case .stranger: return server.address(of: name, as: role)
    case .later:
      try await server.psql(
        "UPDATE issues.mirror SET version = version + 1, readable_from = version + 1", in: name)
    case .damaged: try await server.psql("UPDATE issues.mirror SET version = -1", in: name)
    case .mirror, .empty, .missing, .nowhere, .text, .address: break
    }
    return server.address(of: name)
  }

  private static func problems(of result: CommandRun.Result, _ row: TeamFault) -> [String] {
    var problems: [String] = []
    if result.status != .exited(row.status) {
      problems.append("not the status \(row.status): \(result.status) \(result.errorText)")
    }
    if !result.output.isEmpty { problems.append("an answer: \(result.outputText)") }
    problems += row.words.filter { !result.errorText.contains($0) }.map {
      "“\($0)” isn't said: \(result.errorText)"
    }
    if result.errorText.contains(TeamFault.secret) { problems.append("the secret is said") }
    return problems
  }
}
