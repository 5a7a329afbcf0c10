import PlatformModules
import TestSupport
import Testing

/// A GitHub to write to, and a place of its own for the outbox, the drafts and the mirror.
struct WriteScene: Sendable {
  /// Issues 1 to 20, all of them open and from before the test.
  static let repository = LoopbackRepository.swift(
    issues: SyntheticIssues(count: 20, pullRequests: 0, closed: 0, newest: 1_700_000_000))

  let folder: ScratchFolder
  let github: LoopbackGitHub
  let repositories: [LoopbackRepository]

  init(_ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }) throws {
    folder = try ScratchFolder()
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [Self.repository]
    configuration.permission = .write
    configure(&configuration)
    repositories = configuration.repositories
    github = LoopbackGitHub(configuration)
  }

  /// The environment of every run: a token and its folders.
  var environment: [String: String] {
    ["XDG_DATA_HOME": folder.path, "GH_ENTERPRISE_TOKEN": IssuesProgram.token]
  }

  /// Starts the command; `server` nil for no server that could be reached.
  func start(
    _ arguments: [String], _ server: LoopbackServer?, environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes, input: String? = "", workingDirectory: String = "/"
  ) throws -> CommandRun {
    try IssuesProgram.start(
      arguments + ["--api-url", server?.url ?? "http://127.0.0.1:1"],
      environment: self.environment.merging(environment) { $1 },
      connection: connection, workingDirectory: workingDirectory, input: input)
  }

  /// Runs the command to its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - server: The server; nil for none that could be reached.
  ///   - environment: More of the environment.
  ///   - isPaced: Whether it keeps the distance of a second to the run before it, as changes of one outbox do.
  ///   - input: Its standard input.
  /// - Returns: The result of the run.
  /// - Throws: When it can't be started.
  func run(
    _ arguments: [String], _ server: LoopbackServer?, environment: [String: String] = [:],
    isPaced: Bool = true, input: String = ""
  ) async throws -> CommandRun.Result {
    var environment = environment
    let other = try ScratchFolder()
    if !isPaced { environment["XDG_DATA_HOME"] = other.path }
    return try await start(
      arguments, server, environment: environment, input: input
    ).result()
  }

  /// Runs the command on a terminal of 200 columns, without colors, with an editor.
  func startOnTerminal(
    _ arguments: [String], _ server: LoopbackServer?, editor: String? = nil,
    environment: [String: String] = [:], workingDirectory: String = "/"
  ) throws -> CommandRun {
    var environment = environment.merging(IssuesProgram.plainTerminal) { own, _ in own }
    if let editor { environment["EDITOR"] = editor }
    return try start(
      arguments, server, environment: environment,
      connection: .terminal(columns: 200, rows: 40), input: nil, workingDirectory: workingDirectory)
  }

  /// The issue with a number; nil where there is none.
  func issue(_ number: Int) -> SyntheticIssue? {
    github.issues(of: Self.repository).first { $0.number == number }
  }

  /// The texts of the comments that were written to an issue.
  func writtenComments(on number: Int) -> [String] {
    github.comments(on: number, of: Self.repository).filter(\.isWritten).map(\.body)
  }

  /// The methods and paths of the writes that reached the server.
  var writes: [String] { github.receipts.map { "\($0.method) \($0.target)" } }

  /// The files of drafts, by their names.
  var drafts: [String: String] {
    get throws {
      let path = folder["issues/drafts"]
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return try names.reduce(into: [:]) {
        $0[$1] = String(
          decoding: try Data(contentsOf: URL(filePath: "\(path)/\($1)")), as: UTF8.self)
      }
    }
  }
}

extension WriteScene {
  static let issueAddress = "https://github.com/swiftlang/swift/issues"
}
