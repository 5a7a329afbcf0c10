import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite(
    "The page about a team's mirror",
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"), .timeLimit(.minutes(5)))
  struct TeamPageTests {
    /// The statements of a section.
    private static func statements(of section: String) throws -> [String] {
      let tests = URL(filePath: #filePath).deletingLastPathComponent()
      let page = try String(
        contentsOf: tests.appending(path: "../../../Documentation/team.md"), encoding: .utf8)
      let found = try #require(page.firstRange(of: "\n## \(section)\n"))
      let rest = page[found.upperBound...]
      let text = rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
      return text.split(separator: "```sql\n").dropFirst().flatMap { block -> [String] in
        let code = block[..<(block.firstRange(of: "```")?.lowerBound ?? block.endIndex)]
        let statements = code.split(separator: ";").map { $0.trimmingPrefix(while: \.isWhitespace) }
        return statements.filter { !$0.isEmpty }.map(String.init)
      }
    }

    @Test("the SQL queries of the page work with a reader's role")
    func questions() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let sync = try await scene.run(
          ["sync", "swiftlang/swift", "--comments", "--api-url", server.url])
        #expect(sync.status == .exited(0), "\(sync.errorText)")
      }
      let reader = try await scene.makeRole(.reading)
      let questions = try Self.statements(of: "Ask it in SQL")
      #expect(questions.count >= 6)
      for question in questions {
        let answer = try await scene.server.psql(question, in: scene.database, as: reader)
        #expect(!answer.isEmpty, "\(question)")
      }
      await #expect(throws: PostgresServer.Failure.self) {
        try await scene.server.psql("DELETE FROM issues.item", in: scene.database, as: reader)
      }
    }
  }
}
