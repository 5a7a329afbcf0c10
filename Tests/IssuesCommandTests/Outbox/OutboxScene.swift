import IssueOutbox
import IssueTracker
import PlatformModules
import TestSupport
import Testing

/// A GitHub that is written to, and a place of its own for the outbox and the mirror.
struct OutboxScene: Sendable {
  /// Twelve open issues from before the test.
  static let repository = LoopbackRepository.swift(
    issues: SyntheticIssues(count: 12, pullRequests: 0, closed: 0, newest: 1_700_000_000))

  let folder: ScratchFolder
  let github: LoopbackGitHub

  /// Makes a scene, after a change of the server's configuration.
  init(_ change: (inout LoopbackGitHub.Configuration) -> Void = { _ in }) throws {
    folder = try ScratchFolder()
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [Self.repository]
    change(&configuration)
    github = LoopbackGitHub(configuration)
  }

  /// Runs the command to its end, for a server.
  func run(
    _ arguments: [String], _ server: LoopbackServer? = nil, environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes
  ) async throws -> CommandRun.Result {
    try await start(arguments, server, environment: environment, connection: connection).result()
  }

  /// Starts the command for a server.
  func start(
    _ arguments: [String], _ server: LoopbackServer? = nil, environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes
  ) throws -> CommandRun {
    var own = ["XDG_DATA_HOME": folder.path, "GH_ENTERPRISE_TOKEN": IssuesProgram.token]
    if connection != .pipes { own["NO_COLOR"] = "1" }
    return try IssuesProgram.start(
      arguments + (server.map { ["--api-url", $0.url] } ?? []),
      environment: own.merging(environment) { $1 }, connection: connection)
  }

  /// A terminal of a person.
  static let terminal = CommandRun.Connection.terminal(columns: 100, rows: 40)

  /// Keeps a change, which must work.
  func queue(
    _ arguments: [String], _ server: LoopbackServer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await run(
      arguments + ["-R", "swiftlang/swift", "--queue"], server)
    #expect(result.status == .exited(75), "\(result.errorText)", sourceLocation: sourceLocation)
  }

  /// The outbox itself.
  func outbox() throws -> Outbox { try Outbox(path: folder["issues/outbox.db"]) }

  /// The states of the outbox's changes, by id.
  func states() async throws -> [OutboxState] { try await outbox().entries().map(\.state) }

  /// An issue as the server has it.
  func issue(_ number: Int) throws -> SyntheticIssue {
    try #require(github.issues(of: Self.repository).first { $0.number == number })
  }

  /// The comments that were written to an issue.
  func writtenComments(on number: Int) -> [String] {
    github.comments(on: number, of: Self.repository).filter(\.isWritten).map(\.body)
  }
}

extension CommandRun.Result {
  /// The cells of the lines of standard output.
  var cells: [[String]] {
    lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }
}
