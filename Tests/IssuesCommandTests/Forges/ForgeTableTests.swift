import ArgumentParser
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  /// The table of `Documentation/forgejo.md`, as it stands there.
  @Suite("The table of forges", .timeLimit(.minutes(10)))
  struct ForgeTableTests {
    /// A command, and what the page says about each server.
    struct Row: Sendable, CustomTestStringConvertible {
      let command: String
      let cells: [String]

      var testDescription: String { command }

      func isRefused(on forge: LoopbackForge) -> Bool {
        let cell = cells[LoopbackForge.allCases.firstIndex(of: forge) ?? 0]
        return cell.hasPrefix("refused")
      }
    }

    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Documentation/forgejo.md")

    static let rows: [Row] = {
      let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").filter { $0.hasPrefix("| `issues ") }.map { line in
        let cells = line.split(separator: "|").map {
          $0.split(separator: " ").joined(separator: " ")
        }
        return Row(
          command: String(cells[0].dropFirst("`issues ".count).dropLast()),
          cells: Array(cells.dropFirst()))
      }
    }()

    /// The commands that don't ask a server about issues, in the text below the table.
    private static let others = [
      "browse", "history", "config", "cache", "complete", "skill", "mcp", "worker", "help",
    ]

    @Test("each subcommand has a row, and each row says something about each server")
    func subcommands() {
      let named = Set(
        Self.rows.compactMap { $0.command.split(separator: " ").first.map(String.init) })
      for subcommand in IssuesCommand.configuration.subcommands {
        let name = subcommand.configuration.commandName ?? ""
        #expect(named.contains(name) || Self.others.contains(name), "\(name)")
      }
      for row in Self.rows {
        #expect(row.cells.count == 3, "\(row)")
        #expect(row.cells.allSatisfy { $0.contains(/^(works|refused|as Forgejo)/) }, "\(row)")
      }
    }

    @Test("each row is true", arguments: rows, LoopbackForge.allCases)
    func row(row: Row, forge: LoopbackForge) async throws {
      let server = try ForgeServer(forge)
      let result = try await server.run(row.command)
      let log = server.github.receipts.map { "\($0)" }.joined(separator: "\n")
      guard row.isRefused(on: forge) else {
        #expect(result.status == .exited(0), "\(result.errorText)\n\(result.outputText)\n\(log)")
        return
      }
      result.expectFailure(64, saying: [forge == .forgejo ? "Forgejo" : "Gitea"])
      #expect(server.github.receipts.isEmpty, "\(log)")
    }
  }
}

/// A made-up server of each kind with thirty issues, and a synced mirror of them.
struct ForgeServer {
  let forge: LoopbackForge
  let github: LoopbackGitHub
  private let folder: ScratchFolder

  init(
    _ forge: LoopbackForge, configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.forge = forge
    configuration.tokenOwner = "ada"
    configuration.repositories = [
      .swift(issues: Self.recipe),
      LoopbackRepository(id: 5, owner: "swiftlang", name: "other", issues: Self.recipe),
    ]
    configuration.notifications = [SyntheticNotification(id: 1, number: 3)]
    configure(&configuration)
    self.forge = forge
    folder = try ScratchFolder()
    github = LoopbackGitHub(configuration)
  }

  /// Runs commands, one after the other, in which `O/R` is the repository, `N` and `M` are open issues, and `C` is a
  /// closed one. Returns the outcome of the last.
  @discardableResult
  func run(
    _ commands: String..., environment: [String: String] = [:]
  ) async throws -> CommandRun.Result {
    try await withLoopbackServer(answering: github.handler) { server in
      var result: CommandRun.Result?
      for command in commands {
        result = try await run(command, on: server, environment)
      }
      return try #require(result)
    }
  }

  static let recipe = SyntheticIssues(count: 40, pullRequests: 0.2)
  static let issues = recipe.make().filter { !$0.isPullRequest }
  private static let withoutServer: Set = [
    "open", "export", "stats", "sql", "mirror", "outbox",
  ]
  private static let mirrored: Set = ["search", "similar", "export", "stats", "sql", "mirror"]

  func run(
    _ command: String, on server: LoopbackServer, _ own: [String: String] = [:]
  ) async throws -> CommandRun.Result {
    let issues = Self.issues
    let open = issues.filter { $0.isOpen && $0.labels.contains { $0.name == "Linux" } }
    let others = issues.filter { $0.isOpen && $0.number != open[0].number }
    let closed = issues.filter { !$0.isOpen }
    let names = [
      "O/R": Self.withoutServer.contains("\(command.prefix { $0 != " " })")
        ? "127.0.0.1:\(server.port)/swiftlang/swift" : "swiftlang/swift", "N": "\(open[0].number)",
      "M": "\(others[0].number)",
      "C": "\(closed[0].number)", "FILE": try file(),
    ]
    let words = command.matches(of: /"([^"]*)"|(\S+)/).map { match in
      let word = String(match.output.1 ?? match.output.2 ?? "")
      return names[word] ?? word
    }
    let environment = [
      "GH_ENTERPRISE_TOKEN": "secret", "GITEA_TOKEN": "secret", "XDG_DATA_HOME": folder.path,
      "XDG_STATE_HOME": folder.path, "XDG_CACHE_HOME": folder.path,
    ].merging(own) { $1 }
    let address = ["--api-url", forge == .gitHub ? server.url : "\(server.url)/api/v1"]
    if Self.mirrored.contains(words[0]) {
      let sync = try await IssuesProgram.run(
        ["sync", "swiftlang/swift", "--comments"] + address, environment: environment)
      #expect(sync.status == .exited(0), "\(sync.errorText)")
    }
    return try await IssuesProgram.run(
      words + (Self.withoutServer.contains(words[0]) ? [] : address), environment: environment)
  }

  private func file() throws -> String {
    let path = "\(folder.path)/picture.png"
    try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: URL(filePath: path))
    return path
  }
}
