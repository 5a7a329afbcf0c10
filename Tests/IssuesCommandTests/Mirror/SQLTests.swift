import TestSupport
import Testing

extension CommandTests {
  @Suite("issues sql", .timeLimit(.minutes(5)))
  struct SQLTests {
    private static func filled() async throws -> FilledMirror {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b",
        items: [
          .init(number: 1, title: "Tab\there \u{1B}[31m", labels: ["zebra", "apple"]),
          .init(number: 2, title: "Closed", isClosed: true, isPullRequest: true),
        ])
      return filled
    }

    @Test("rows are tab-separated, without any control sequences")
    func rows() async throws {
      let result = try await Self.filled().run([
        "sql", "SELECT number, kind, title, labels, 0.5, NULL FROM issues ORDER BY number",
      ])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(
        result.lines == [
          "1\tissue\tTab here ^[[31m\tzebra, apple\t0.5\t", "2\tpull_request\tClosed\t\t0.5\t",
        ])
    }

    @Test("--json prints objects whose members are the columns, in their order")
    func json() async throws {
      let filled = try await Self.filled()
      let result = try await filled.run([
        "sql", "--json",
        "SELECT state AS s, number, author AS \"who \"\"\", NULL AS n FROM issues ORDER BY number",
      ])
      #expect(
        result.outputText == """
          [
          {"s":"open","number":1,"who \\"":"monalisa","n":null},
          {"s":"closed","number":2,"who \\"":"monalisa","n":null}
          ]

          """)
      let none = try await filled.run(["sql", "--json", "SELECT 1 FROM issues WHERE number = 9"])
      #expect(none.outputText == "[]\n")
      #expect(try await filled.run(["sql", "SELECT 1 WHERE 0"]).outputText.isEmpty)
    }

    @Test(
      "anything but one reading statement is refused, and nothing changes",
      arguments: [
        ("DELETE FROM item", "can't be answered"),
        ("SELECT 1; DROP TABLE item", "can't be answered"),
        ("SELECT nosuch FROM issues", "no such column: nosuch"), ("SELEC 1", "syntax error"),
        ("ATTACH 'other.db' AS other", "can't be answered"), ("", "can't be answered"),
      ])
    func refused(query: String, reason: String) async throws {
      let filled = try await Self.filled()
      let result = try await filled.run(["sql", query])
      result.expectFailure(64, saying: [reason])
      #expect(result.outputText.isEmpty)
      #expect(try await filled.run(["sql", "SELECT count(*) FROM item"]).outputText == "2\n")
    }

    @Test("a slow query is stopped, and an invalid timeout is refused")
    func timeout() async throws {
      let filled = try await Self.filled()
      let endless =
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      let late = try await filled.run(["sql", endless, "--timeout", "1"])
      late.expectFailure(1, saying: ["The query took too long"])
      let wrong = try await filled.run(["sql", "SELECT 1", "--timeout", "0"])
      wrong.expectFailure(64, saying: ["--timeout accepts 1 to 86400 seconds"])
    }

    @Test("without a mirror, issues sql says how to create one")
    func none() async throws {
      let scene = try MirrorScene()
      let result = try await scene.run(["sql", "SELECT 1"])
      result.expectFailure(3, saying: ["no mirror on this machine", "issues sync OWNER/REPO"])
      #expect(scene.folder.names.isEmpty)
    }
  }
}
