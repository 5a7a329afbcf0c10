import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Grouped rows")
struct GroupedRowsTests {
  @Test("groups are sorted by name in any case, with ungrouped rows last")
  func groups() {
    let rows = GroupedRows([["bug", "Area"], [], ["area", "bug"], ["Area", "Area"]])
    #expect(rows.groups.map(\.name) == ["Area", "area", "bug", nil])
    #expect(rows.groups.map(\.rows) == [[0, 3], [2], [0, 2], [1]])
    #expect(rows.order == [0, 3, 2, 1])
  }

  @Test("an empty list has no groups")
  func empty() {
    #expect(GroupedRows([]).groups.isEmpty)
  }
}

extension CommandTests {
  @Suite("--group-by", .timeLimit(.minutes(5)))
  struct GroupingTests {
    private typealias Several = SeveralRepositoriesTests

    @Test(
      "the group is the first column of any list in a pipe",
      arguments: [
        ["swiftlang/swift"], ["acme/repo-1", "acme/repo-2"], ["mine", "-s", "all"],
        ["swiftlang/swift", "-S", "crash"],
      ], ["repo", "label", "milestone", "assignee"])
    func pipe(list: [String], property: String) async throws {
      try await withLoopbackServer(answering: Several.github().handler) { server in
        let plain = try await Several.run(list, server)
        let grouped = try await Several.run(list + ["--group-by", property], server)
        #expect(grouped.status == .exited(0), "\(grouped.errorText)")
        let rows = Several.rows(grouped)
        let names = rows.map { $0[0].lowercased() }
        let named = names.prefix { !$0.isEmpty }
        #expect(Array(named) == named.sorted())
        #expect(names.dropFirst(named.count).allSatisfy { $0.isEmpty })
        // Every row of the plain list is there, and nothing else.
        let rest = Set(grouped.lines.map { $0.drop { $0 != "\t" }.dropFirst() })
        #expect(rest == Set(plain.lines.map { $0[...] }))
      }
    }

    @Test("each group on a terminal has a heading with its size, and columns stay aligned")
    func terminal() async throws {
      try await withLoopbackServer(answering: Several.github().handler) { server in
        let result = try await Several.run(
          ["acme/repo-1", "acme/repo-2", "-L", "8", "--group-by", "repo"], server,
          environment: Several.token.merging(IssuesProgram.plainTerminal) { $1 },
          connection: .terminal(columns: 140, rows: 40))
        let lines = result.screen.split(separator: "\n").map(String.init)
        let headings = lines.filter { $0.hasPrefix("127.") && $0.hasSuffix(")") }
        #expect(
          headings == ["\(server.host)/acme/repo-1 (4)", "\(server.host)/acme/repo-2 (4)"],
          "\(result.screen)")
        let places = Set(
          lines.compactMap { line in line.firstIndex(of: "#").map { line[..<$0].count } })
        #expect(places.count == 1)
        #expect(lines.count { $0.hasPrefix("REPOSITORY") } == 1)
      }
    }

    @Test("JSON contains each issue once, in group order")
    func json() async throws {
      try await withLoopbackServer(answering: Several.github().handler) { server in
        let arguments = ["swiftlang/swift", "--all", "--group-by", "label"]
        let pipe = try await Several.run(arguments, server)
        var known: Set<String> = []
        let order = Several.rows(pipe).map { $0[1] }.filter { known.insert($0).inserted }
        let json = try await Several.run(
          arguments + ["--json", "number", "-q", ".[].number"], server)
        #expect(json.lines == order)
        #expect(order.count > 5 && pipe.lines.count > order.count)
      }
    }

    @Test("a mirrored list is grouped like the server's")
    func offline() async throws {
      let scratch = try ScratchFolder()
      let environment = Several.token.merging(["XDG_DATA_HOME": scratch.path]) { $1 }
      try await withLoopbackServer(answering: Several.github().handler) { server in
        _ = try await IssuesProgram.run(
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: environment)
        for options in [[], ["--json", "number,labels"]] {
          let arguments = ["swiftlang/swift", "--group-by", "milestone", "--all"] + options
          let online = try await Several.run(arguments, server, environment: environment)
          let offline = try await Several.run(
            arguments + ["--offline"], server, environment: environment)
          #expect(online.output == offline.output && !online.lines.isEmpty)
        }
      }
    }

    @Test("an incomplete list shows the groups of its loaded rows")
    func broken() async throws {
      let github = Several.github {
        $0.repositories.append(
          LoopbackRepository(
            id: 9, owner: "a", name: "long",
            issues: SyntheticIssues(count: 150, pullRequests: 0, closed: 0)))
      }
      github.intercept(
        where: { $0.queryValue("after") != nil },
        response: { _, now in GitHubError.serverError.response(now: now) })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Several.run(
          ["a/long", "--all", "--group-by", "milestone"], server)
        #expect(result.status == .exited(6))
        #expect(result.lines.count == 100)
        #expect(result.errorText.contains("broke off after 100"))
      }
    }

    @Test("--group-by refuses unsupported properties")
    func unknown() async throws {
      let result = try await IssuesProgram.run(["a/b", "--group-by", "author"])
      #expect(result.status == .exited(64))
      #expect(result.errorText.contains("repo"))
    }
  }
}
