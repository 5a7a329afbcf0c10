import TestSupport
import Testing

extension CommandTests {
  @Suite("Writing relations and fields", .timeLimit(.minutes(5)))
  struct RelationWriteTests {
    private static let repo = ["-R", "swiftlang/swift"]

    private func outboxList(_ scene: WriteScene) async throws -> CommandRun.Result {
      try await run(["outbox", "list"], scene)
    }

    /// Without a server of the test.
    private func run(_ arguments: [String], _ scene: WriteScene) async throws -> CommandRun.Result {
      try await CommandRun(
        "issues", arguments, environment: IssuesProgram.environment(scene.environment),
        connection: .pipes, input: "", workingDirectory: "/"
      ).result()
    }

    @Test(
      "each fault of a relation or a field has its documented outcome",
      arguments: WriteFault.all)
    func faults(row: WriteFault) async throws {
      let scene = try WriteScene(row.configure)
      row.prepare(scene.github, WriteScene.repository)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["edit", "1", "--retries", "0"] + row.arguments + Self.repo, server)
        #expect(result.status == .exited(row.status), "\(result.errorText)")
        for words in row.words { #expect(result.errorText.contains(words), "\(result.errorText)") }
        if row.status == 0 {
          #expect(result.outputText == "\(WriteScene.issueAddress)/1\n")
        } else {
          #expect(result.outputText.isEmpty)
        }
        if row.status == 75 {
          let sent = try await scene.run(["outbox", "send"], server)
          #expect(sent.status == .exited(0), "\(sent.errorText)")
        }
        #expect(row.isDone(try #require(scene.issue(1))))
      }
    }

    @Test("a reference is accepted in every form and in lists, and each issue is reported once")
    func forms() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          [
            "edit", "1", "--add-sub-issue", "2,#3", "--add-sub-issue", "swiftlang/swift#4",
            "--add-blocked-by", "\(WriteScene.issueAddress)/5", "--blocking", "6",
            "--json", "number,sub_issues_summary",
          ] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.outputText == """
            [
            {"number":1,"sub_issues_summary":{"total":3,"completed":0,"percent_completed":0}}
            ]

            """)
        let issue = try #require(scene.issue(1))
        #expect(issue.subIssues == [2, 3, 4] && issue.blockedBy == [5] && issue.blocking == [6])
        // A repository in front of the number is no second issue.
        let named = try await scene.run(
          ["edit", "swiftlang/swift", "1", "--add-sub-issue", "8"], server)
        #expect(named.status == .exited(0), "\(named.errorText)")
        #expect(scene.issue(1)?.subIssues == [2, 3, 4, 8])
      }
    }

    @Test("a new issue gets its parent and dependencies, and its own address is printed")
    func creation() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-t", "A part", "-b", "", "--parent", "7", "--blocked-by", "2,99"]
            + ["--blocking", "3"] + Self.repo, server)
        result.expectFailureAfterOutput(3, saying: ["there is no swiftlang/swift#99"])
        #expect(result.outputText == "\(WriteScene.issueAddress)/21\n")
        let issue = try #require(scene.issue(21))
        #expect(issue.parent == 7 && issue.blockedBy == [2] && issue.blocking == [3])
        #expect(scene.issue(7)?.subIssues == [21])
      }
    }

    @Test("without a network, changes of relations are queued, described, and sent later")
    func queued() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let kept = try await scene.run(
          ["edit", "1", "--parent", "2", "--add-blocked-by", "3", "--field", "Effort=3", "--queue"]
            + Self.repo, server)
        kept.expectFailure(
          75, saying: ["edit swiftlang/swift#1; make swiftlang/swift#1 a sub-issue of #2; mark"])
        #expect(scene.writes.isEmpty)
        let list = try await outboxList(scene)
        #expect(list.lines.count == 3)
        for words in ["Effort=3", "parent #2", "blocked by #3"] {
          #expect(list.outputText.contains("\t\(words)\t"), "\(list.outputText)")
        }
        let sent = try await scene.run(["outbox", "send"], server)
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        let issue = try #require(scene.issue(1))
        #expect(issue.parent == 2 && issue.blockedBy == [3] && issue.fields == [5_002: "3"])
      }
    }

    @Test("a terminal gets a sentence with all changes of relations and fields")
    func sentence() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (arguments, words) in [
          (["--parent", "2"], "Made swiftlang/swift#1 a sub-issue of #2: "),
          (
            ["--remove-parent", "--blocking", "3"],
            "Edited swiftlang/swift#1 (no parent, blocks #3): "
          ),
        ] {
          let run = try scene.startOnTerminal(["edit", "1"] + arguments + Self.repo, server)
          let result = try await run.result()
          #expect(result.status == .exited(0), "\(result.screen)")
          #expect(result.screen.contains(words), "\(result.screen)")
        }
      }
    }

    @Test(
      "--where sets a parent, skips existing sub-issues, and previews the requests"
    )
    func bulk() async throws {
      let scene = try WriteScene()
      scene.github.attach(2, to: 9, of: WriteScene.repository)
      for number in [1, 2, 3] {
        scene.github.changeIssue(number, of: WriteScene.repository) { $0.title = "Under nine" }
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["edit", "--where", "is:open nine", "--parent", "9", "--field", "Effort=1"]
        let preview = try await scene.run(arguments + ["--dry-run"] + Self.repo, server)
        #expect(preview.status == .exited(0), "\(preview.errorText)")
        let posts = preview.lines.filter { $0.contains("/issues/9/sub_issues") }
        #expect(posts.count == 2 && posts.allSatisfy { $0.contains(#"{"sub_issue_id":43000000"#) })
        #expect(
          preview.lines.contains(
            "POST\t/repos/swiftlang/swift/issues/1/issue-field-values\t"
              + #"{"issue_field_values":[{"field_id":5002,"value":1}]}"#),
          "\(preview.outputText)")
        #expect(scene.writes.isEmpty)
        let result = try await scene.run(
          ["edit", "--where", "is:open nine", "--parent", "9", "--yes"] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(Set(scene.issue(9)?.subIssues ?? []) == [1, 2, 3])
        #expect(scene.writes.count == 2)
      }
    }

    @Test("wrong usage of relations and fields is refused before anything is queued")
    func usage() async throws {
      let scene = try WriteScene()
      for (arguments, words) in [
        (["1", "--parent", "2", "--remove-parent"], "Choose --parent or --remove-parent"),
        (["1", "--replace-parent", "--title", "x"], "only makes sense"),
        (["1", "2", "--add-sub-issue", "3"], "Use --parent for several"),
        (["--where", "is:open", "--add-sub-issue", "3"], "Use --parent for several"),
        (["1", "--parent", "1"], "is the issue itself"),
        (["1", "--parent", "new-1"], "new-1"),
        (["1", "--parent", "x"], "x"),
        (["1", "--field", "Priority"], "NAME=VALUE"),
        (["1", "--field", "Priority="], "NAME=VALUE"),
      ] {
        let result = try await scene.run(["edit"] + arguments + Self.repo, nil)
        #expect(
          result.status != .exited(0) && result.errorText.contains(words),
          "\(arguments): \(result.errorText)")
        #expect(result.status != .exited(75))
      }
      let foreign = try await run(
        ["edit", "1", "--blocked-by", "github.example.com/a/b#1", "--queue"] + Self.repo, scene)
      foreign.expectFailure(64, saying: ["github.example.com", "two servers"])
      #expect(try await outboxList(scene).outputText.isEmpty)
    }

    @Test("view shows fields as lines, on the page, and as a JSON object")
    func view() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let edited = try await scene.run(
          ["edit", "1", "--field", "Priority=high", "--field", "Effort=3"] + Self.repo, server)
        #expect(edited.status == .exited(0), "\(edited.errorText)")
        let plain = try await scene.run(["view", "1"] + Self.repo, server)
        #expect(plain.lines.contains("fields:\tPriority=High, Effort=3"), "\(plain.outputText)")
        let json = try await scene.run(["view", "1", "--json", "fields"] + Self.repo, server)
        #expect(json.outputText == #"{"fields":{"Effort":3,"Priority":"High"}}"# + "\n")
        let page = try scene.startOnTerminal(["view", "1"] + Self.repo, server)
        let shown = try await page.result()
        #expect(shown.screen.contains("Fields: Priority=High, Effort=3"), "\(shown.screen)")
      }
    }
  }
}
