import TestSupport
import Testing

extension CommandTests {
  @Suite("Pull requests among issues", .timeLimit(.minutes(5)))
  struct PullRequestTests {
    /// An open issue, and pull requests: open, draft, merged, and closed unmerged.
    static func scene() throws -> MirrorScene {
      let repository = LoopbackRepository.swift(
        issues: SyntheticIssues(count: 5, newest: 1_700_000_000))
      let scene = try MirrorScene([repository])
      for number in 1...5 {
        scene.github.changeIssue(number, of: repository) {
          $0.title = "Thing \(number)"
          $0.labels = []
          $0.isPullRequest = number > 1
          $0.isDraft = number == 3
          $0.isMerged = number == 4
          $0.closedAt = number > 3 ? $0.createdAt : nil
          $0.stateReason = nil
        }
      }
      return scene
    }

    static let states = ["OPEN issue", "OPEN pull_request", "DRAFT pull_request"]
    static let kinds = ["issue", "PR", "PR draft", "PR merged", "PR closed"]
    static let all = states + ["MERGED pull_request", "CLOSED pull_request"]

    @Test("lists and searches show each item's kind and state, online and from the mirror")
    func lines() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let list = [
          "swiftlang/swift", "--state", "all", "--include-pull-requests", "--order", "asc",
          "--api-url", server.url,
        ]
        let search = ["search", "thing", "-R", "swiftlang/swift", "--api-url", server.url]
        for (line, first) in [
          (list, 0), (list + ["--offline"], 0), (search, 1), (search + ["--remote"], 1),
        ] {
          let result = try await scene.run(line)
          #expect(result.status == .exited(0), "\(line): \(result.errorText)")
          let rows = result.lines.map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
          }
          #expect(rows.count == 5, "\(line)")
          for row in rows {
            let number = try #require(Int(row[first]))
            #expect("\(row[first + 1]) \(row.last ?? "")" == Self.all[number - 1], "\(line)")
          }
          let screen = try await scene.run(
            line, environment: IssuesProgram.plainTerminal,
            connection: .terminal(columns: 100, rows: 30)
          ).screen
          for (index, kind) in Self.kinds.enumerated() {
            #expect(
              screen.contains(try Regex("#\(index + 1) +\(kind) +Thing")), "\(line): \(screen)")
          }
        }
      }
    }

    @Test("a list of issues only has no column for the kind")
    func issuesAlone() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["swiftlang/swift", "--api-url", server.url]
        let result = try await scene.run(arguments)
        #expect(
          result.lines.map { $0.split(separator: "\t").prefix(3) } == [["1", "OPEN", "Thing 1"]])
        #expect(!result.outputText.contains("issue"))
        let screen = try await scene.run(
          arguments, environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 100, rows: 30)
        ).screen
        #expect(!screen.contains("KIND"))
      }
    }

    @Test("'view' shows the kind and state, online and from the mirror", arguments: 1...5)
    func view(number: Int) async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        for flags in [[], ["--offline"]] {
          let line = ["view", "swiftlang/swift", "\(number)", "--api-url", server.url] + flags
          let result = try await scene.run(line)
          let words = Self.all[number - 1].split(separator: " ")
          #expect(result.lines.contains("state:\t\(words[0])"), "\(result.outputText)")
          #expect(result.lines.contains("kind:\t\(words[1])"))
          let screen = try await scene.run(
            line, environment: IssuesProgram.plainTerminal,
            connection: .terminal(columns: 100, rows: 30)
          ).screen
          let state = words[0].prefix(1) + words[0].dropFirst().lowercased()
          #expect(screen.contains("\n\(state) ·") == (number == 1), "\(screen)")
          #expect(screen.contains("\(state) pull request ·") == (number > 1), "\(screen)")
        }
      }
    }
  }
}
