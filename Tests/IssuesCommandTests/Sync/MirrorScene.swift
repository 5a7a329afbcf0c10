import TestSupport
import Testing

/// A GitHub to mirror, and a place of its own for the mirror.
struct MirrorScene: Sendable {
  /// Issues and pull requests, all of them from before the test.
  static let repository = LoopbackRepository.swift(
    issues: SyntheticIssues(count: 250, newest: 1_700_000_000))

  let folder: ScratchFolder
  let github: LoopbackGitHub

  init(_ repositories: [LoopbackRepository] = [repository]) throws {
    try self.init(LoopbackGitHub(repositories: repositories))
  }

  init(_ github: LoopbackGitHub) throws {
    folder = try ScratchFolder()
    self.github = github
  }

  /// The environment of every run: the mirror's folder.
  var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }

  /// Runs the command to its end.
  func run(
    _ arguments: [String], environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes
  ) async throws -> CommandRun.Result {
    try await IssuesProgram.run(
      arguments, environment: self.environment.merging(environment) { $1 }, connection: connection)
  }

  /// Syncs, which must work.
  @discardableResult
  func sync(
    _ server: LoopbackServer, _ arguments: [String] = ["swiftlang/swift"],
    environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> CommandRun.Result {
    let result = try await run(
      ["sync", "--api-url", server.url] + arguments, environment: environment)
    #expect(result.status == .exited(0), "\(result.errorText)", sourceLocation: sourceLocation)
    return result
  }

  /// The mirror's issues and pull requests, as JSON; it must have them all.
  func everything(
    _ server: LoopbackServer, repository: String = "swiftlang/swift", offline: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let arguments = [repository, "--api-url", server.url, "--all", "--state", "all", "--json"]
    let kind = ["--include-pull-requests"] + (offline ? ["--offline"] : ["--no-cache"])
    let result = try await run(arguments + kind)
    #expect(result.status == .exited(0), "\(result.errorText)", sourceLocation: sourceLocation)
    return result.outputText
  }

  /// Expects that the mirror equals the server, byte by byte.
  func expectComplete(
    _ server: LoopbackServer, repository: String = "swiftlang/swift",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let mirrored = try await everything(
      server, repository: repository, sourceLocation: sourceLocation)
    let served = try await everything(
      server, repository: repository, offline: false, sourceLocation: sourceLocation)
    #expect(mirrored == served, sourceLocation: sourceLocation)
    #expect(served.utf8.count > 1000, sourceLocation: sourceLocation)
  }
}

extension LoopbackRequest {
  /// Whether it asks for a page of a repository's issues.
  var isPageOfIssues: Bool { path.hasSuffix("/issues") }
}

extension LoopbackServer {
  /// Its name in the mirror: a port is part of a server's name.
  var host: String { "127.0.0.1:\(port)" }
}
