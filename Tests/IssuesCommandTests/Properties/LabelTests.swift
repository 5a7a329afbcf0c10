import TestSupport
import Testing

extension CommandTests {
  @Suite("issues label", .timeLimit(.minutes(5)))
  struct LabelTests {
    private static func github(permission: LoopbackPermission = .admin) -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [.swift(issues: SyntheticIssues(count: 3))]
      configuration.permission = permission
      return LoopbackGitHub(configuration)
    }

    private func run(
      _ server: LoopbackServer, _ arguments: [String],
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["label"] + arguments + ["--api-url", server.url]
          + (arguments.contains("-R") ? [] : ["-R", "swiftlang/swift"]),
        environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token, "NO_COLOR": "1"],
        connection: connection)
    }

    private func names(_ server: LoopbackServer, _ arguments: [String] = []) async throws
      -> [String]
    {
      let result = try await run(server, ["list", "--all"] + arguments)
      #expect(result.status == .exited(0), "\(result.errorText)")
      return result.lines.map { String($0.prefix { $0 != "\t" }) }
    }

    @Test("a label is created, changed, listed and deleted")
    func life() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let before = try await names(server)
        let created = try await run(
          server, ["create", "new one", "-c", "#D73A4A", "-d", "It worked before"])
        #expect(created.status == .exited(0), "\(created.errorText)")
        #expect(created.lines.count == 1)
        #expect(created.lines.first?.hasSuffix("/swiftlang/swift/labels/new%20one") == true)
        #expect(try await names(server) == before + ["new one"])
        let listed = try await run(server, ["list", "-S", "WORKED BEF"])
        #expect(listed.lines == ["new one\tIt worked before\t#D73A4A"])

        let edited = try await run(
          server, ["edit", "new one", "-n", "old", "-d", "", "--json", "name,description,color"])
        #expect(edited.lines == [#"{"name":"old","description":"","color":"D73A4A"}"#])
        let unasked = try await run(server, ["delete", "old"])
        unasked.expectFailure(64, saying: ["no terminal", "--yes"])
        let deleted = try await run(server, ["delete", "old", "--yes"])
        #expect(deleted.status == .exited(0))
        #expect(deleted.lines.map { $0.hasSuffix("/swiftlang/swift/labels/old") } == [true])
        #expect(try await names(server) == before)
      }
    }

    @Test("an existing label's name is refused, and --force changes the label")
    func force() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let refused = try await run(server, ["create", "BUG", "-c", "000000"])
        refused.expectFailure(
          64,
          saying: [
            "/swiftlang/swift already has a label “BUG”", "'issues label edit'", "--force",
          ])
        let renamed = try await run(server, ["edit", "compiler", "--name", "bug"])
        renamed.expectFailure(64, saying: ["already has a label “bug”", "'issues label edit'"])
        let forced = try await run(
          server, ["create", "bug", "-c", "00ff00", "--force"],
          connection: .terminal(columns: 100, rows: 24))
        #expect(forced.status == .exited(0))
        #expect(
          forced.screen.contains("✓ Edited the label “bug” in \(server.host)/swiftlang/swift: "))
        let listed = try await run(
          server,
          ["list", "--all", "--json", "name,color", "-q", ".[] | select(.name == \"bug\").color"])
        #expect(listed.lines == ["00ff00"])
      }
    }

    @Test("the list of labels is sorted, limited and searched")
    func order() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let all = try await names(server)
        #expect(all.count > 3)
        #expect(try await names(server, ["--order", "desc"]) == all.reversed())
        let sorted = try await names(server, ["--sort", "name"])
        #expect(sorted == all.sorted { $0.lowercased() < $1.lowercased() })
        let cut = try await run(
          server, ["list", "-L", "2"], connection: .terminal(columns: 100, rows: 24))
        #expect(
          cut.screen.contains("Showing 2 of \(all.count) labels in \(server.host)/swiftlang/swift"))
        let none = try await run(server, ["list", "-S", "nothing is like this"])
        #expect(none.status == .exited(0) && none.outputText.isEmpty)
      }
    }

    @Test("wrong usage of issues label sends no request")
    func usage() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        try await run(server, ["create", "x", "-c", "red"])
          .expectFailure(64, saying: ["six hexadecimal digits"])
        try await run(server, ["edit", "x"]).expectFailure(64, saying: ["--name, --color"])
        try await run(server, ["list", "--sort", "size"]).expectFailure(64, saying: ["created"])
        #expect(github.receipts.isEmpty)
      }
    }

    @Test("a missing permission and an unknown label are reported")
    func refusals() async throws {
      try await withLoopbackServer(answering: Self.github(permission: .read).handler) { server in
        let result = try await run(server, ["create", "new"])
        result.expectFailure(3, saying: ["the token may not create a label in", "write access"])
      }
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await run(server, ["edit", "nope", "-d", "x"])
        result.expectFailure(3, saying: ["has no label “nope”", "issues label list"])
      }
    }

    @Test("a lost response to a creation says that the label may exist, and how to check")
    func answerLost() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        github.strike(.answerLost)
        try await run(server, ["create", "new"]).expectFailure(
          6, saying: ["the label “new” may have been created", "issues label list -R"])
        #expect(try await names(server).contains("new"))
      }
    }

    @Test("labels of another repository are created, and existing ones change only with --force")
    func clone() async throws {
      let other = LoopbackRepository(
        id: 7, owner: "swiftlang", name: "driver", formerNames: [],
        issues: SyntheticIssues(count: 3))
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [.swift(issues: SyntheticIssues(count: 3)), other]
      configuration.permission = .admin
      let github = LoopbackGitHub(configuration)
      try await withLoopbackServer(answering: github.handler) { server in
        let before = try await names(server)
        for arguments in [
          ["create", "one", "-c", "111111", "-d", "first"], ["edit", "bug", "-c", "222222"],
        ] {
          let result = try await run(server, arguments + ["-R", "swiftlang/driver"])
          #expect(result.status == .exited(0), "\(result.errorText)")
        }
        let cloned = try await run(server, ["clone", "swiftlang/driver"])
        #expect(cloned.status == .exited(0), "\(cloned.errorText)")
        #expect(cloned.lines.map { $0.hasSuffix("/swiftlang/swift/labels/one") } == [true])
        #expect(try await names(server) == before + ["one"])
        let forced = try await run(
          server, ["clone", "swiftlang/driver", "--force"],
          connection: .terminal(columns: 100, rows: 24))
        #expect(forced.status == .exited(0), "\(forced.screen)")
        #expect(forced.screen.contains("Edited the label “bug” in"))
        #expect(forced.screen.contains("Cloned 1 label of"))
        let listed = try await run(server, ["list", "-S", "bug"])
        #expect(listed.outputText.contains("#222222"))
        let again = try await run(
          server, ["clone", "swiftlang/driver"], connection: .terminal(columns: 100, rows: 24))
        #expect(again.screen.contains("has all labels of"))
      }
    }

    @Test("deleting a label asks on a terminal, and accepts only yes")
    func asks() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        for (answer, status) in [("\r", 2), ("\u{4}", 2), ("y\r", 0)] as [(String, Int32)] {
          let run = try IssuesProgram.start(
            ["label", "delete", "bug", "-R", "swiftlang/swift", "--api-url", server.url],
            environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token, "NO_COLOR": "1"],
            connection: .terminal(columns: 100, rows: 24))
          try await run.waitFor(
            "Delete the label “bug” in \(server.host)/swiftlang/swift? [y/N] ")
          run.write(answer)
          let result = try await run.result()
          #expect(result.status == .exited(status), "\(result.outputText)")
        }
        #expect(github.receipts.map { "\($0.method) \($0.status ?? 0)" } == ["DELETE 204"])
      }
    }
  }
}
