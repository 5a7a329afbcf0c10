import TestSupport
import Testing

extension CommandTests {
  @Suite("Writing", .timeLimit(.minutes(5)))
  struct WriteTests {
    private static let repo = ["-R", "swiftlang/swift"]

    @Test("a new issue has the given values, and its address is printed")
    func create() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          [
            "create", "swiftlang/swift", "-t", "It crashes", "-b", "With every input.\n", "-l",
            "bug,linker", "--create-labels", "-a", "@me", "-m", "6.3", "--type", "Bug",
          ], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText == "\(WriteScene.issueAddress)/21\n")
        #expect(result.errorText.isEmpty)
        let issue = try #require(scene.issue(21))
        #expect(issue.title == "It crashes")
        #expect(issue.body == "With every input.\n")
        #expect(issue.labels.map(\.name) == ["bug", "linker"])
        #expect(issue.assignees == ["octocat"])
        #expect(issue.milestone == 2)
        #expect(issue.type == "Bug")
        #expect(scene.writes == ["POST /repos/swiftlang/swift/issues"])
        let json = try await scene.run(
          ["create", "swiftlang/swift", "-t", "Again", "-b", "", "--json", "number,title"], server)
        #expect(
          json.outputText == "[\n{\"number\":22,\"title\":\"Again\"}\n]\n", "\(json.errorText)")
      }
    }

    @Test("a label with a comma is removed, and the labels named by its parts are not")
    func labelWithComma() async throws {
      let scene = try WriteScene()
      let repo = ["-R", "swiftlang/swift"]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let created = try await scene.run(
          ["create", "-t", "x", "-b", "", "-l", #""area: db,cache",cache,bug"#, "--create-labels"]
            + repo, server)
        #expect(created.status == .exited(0), "\(created.errorText)")
        #expect(scene.issue(21)?.labels.map(\.name) == ["area: db,cache", "cache", "bug"])
        let listed = try await scene.run(
          ["list", "-l", "area: db,cache,bug", "--json", "number", "-q", ".[].number"] + repo,
          server)
        #expect(listed.outputText == "21\n", "\(listed.errorText)")
        let edited = try await scene.run(
          ["edit", "21", "--remove-label", "area: db,cache"] + repo, server)
        #expect(edited.status == .exited(0), "\(edited.errorText)")
        #expect(scene.issue(21)?.labels.map(\.name) == ["cache", "bug"])
      }
    }

    @Test("an unknown label is refused before any write, and the text is kept")
    func unknownLabel() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-t", "It crashes", "-b", "x", "-l", "nonesuch"] + Self.repo, server)
        result.expectFailure(3, saying: ["no label “nonesuch”", "issues outbox show 1"])
        #expect(scene.writes.isEmpty)
      }
    }

    @Test("values that the server drops are reported, with their own status")
    func dropped() async throws {
      let scene = try WriteScene { $0.permission = .read }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-t", "It crashes", "-b", "x", "-l", "bug,linker", "--create-labels"]
            + Self.repo, server)
        #expect(result.outputText == "\(WriteScene.issueAddress)/21\n")
        result.expectFailureAfterOutput(
          8, saying: ["didn't apply all", "labels: asked for bug, linker; got none"])
      }
    }

    @Test("a new sub-issue is added to its parent, and a refusal is reported")
    func parent() async throws {
      for (permission, status) in [(LoopbackPermission.triage, Int32(0)), (.read, 8)] {
        let scene = try WriteScene { $0.permission = permission }
        try await withLoopbackServer(answering: scene.github.handler) { server in
          let result = try await scene.run(
            ["create", "-t", "A part", "-b", "x", "--parent", "7"] + Self.repo, server)
          #expect(result.status == .exited(status), "\(result.errorText)")
          #expect(scene.issue(21)?.parent == (status == 0 ? 7 : nil))
          #expect(result.errorText.contains("parent") == (status == 8), "\(result.errorText)")
        }
      }
    }

    @Test("a comment from an argument, a file or standard input is one request")
    func comment() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let given = try await scene.run(["comment", "12", "-b", "Me too."] + Self.repo, server)
        #expect(given.status == .exited(0), "\(given.errorText)")
        #expect(given.lines.count == 1)
        #expect(given.outputText.hasPrefix("\(WriteScene.issueAddress)/12#issuecomment-"))
        // The first request asks a server that isn't github.com whether it is GitHub.
        #expect(server.log.requests.map(\.path).filter { $0 != "/version" }.count == 1)
        let read = try await scene.run(
          ["comment", "swiftlang/swift#12", "-F", "-"], server,
          input: "\u{FEFF}From a pipe: \u{1F642}\n")
        #expect(read.status == .exited(0), "\(read.errorText)")
        #expect(scene.writtenComments(on: 12) == ["Me too.", "From a pipe: \u{1F642}\n"])
        let missing = try await scene.run(
          ["comment", "12", "-F", "/nonexistent/file"] + Self.repo, server)
        missing.expectFailure(64, saying: ["/nonexistent/file", "No such file"])
        let binary = try await scene.run(
          ["comment", "12", "-F", "/bin/sh"] + Self.repo, server)
        binary.expectFailure(64, saying: ["UTF-8"])
        #expect(scene.writtenComments(on: 12).count == 2)
      }
    }

    @Test("in a pipe, a missing text is wrong usage")
    func nothingToSay() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (arguments, words) in [
          (["comment", "12"], ["--body"]), (["create"], ["--title and --body"]),
          (["create", "-t", "x"], ["--body"]), (["create", "-b", "x"], ["--title"]),
          (["edit", "12"], ["specify a change"]), (["comment", "12", "-b", " \n"], ["empty"]),
          (["delete", "12"], ["--yes"]), (["comment", "12", "--delete", "4"], ["--yes"]),
        ] {
          let result = try await scene.run(arguments + Self.repo, server)
          result.expectFailure(64, saying: words)
        }
        #expect(scene.writes.isEmpty)
      }
    }

    @Test("close, reopen, lock, pin and react print an address, a sentence or JSON")
    func states() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let closed = try await scene.run(
          ["close", "3", "4", "-r", "not planned", "-c", "No."] + Self.repo, server)
        #expect(closed.status == .exited(0), "\(closed.errorText)")
        #expect(closed.lines == [3, 4].map { "\(WriteScene.issueAddress)/\($0)" })
        #expect([3, 4].map { scene.issue($0)?.stateReason } == ["not_planned", "not_planned"])
        #expect(scene.writtenComments(on: 3) == ["No."])
        let duplicate = try await scene.run(
          ["close", "5", "--duplicate-of", "3", "--json", "number,state_reason"] + Self.repo, server
        )
        #expect(
          duplicate.outputText == "[\n{\"number\":5,\"state_reason\":\"duplicate\"}\n]\n",
          "\(duplicate.errorText)")
        let reopened = try await scene.start(
          ["reopen", "3"] + Self.repo, server, environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 200, rows: 24), input: nil
        ).result()
        #expect(
          reopened.screen.contains(
            "✓ Reopened swiftlang/swift#3: \(WriteScene.issueAddress)/3"), "\(reopened.screen)")
        #expect(scene.issue(3)?.isOpen == true)
        for arguments in [
          ["lock", "6", "-r", "too heated"], ["pin", "6"], ["react", "6", "-1"],
          ["react", "6", "🎉"], ["subscribe", "6"],
        ] {
          let result = try await scene.run(arguments + Self.repo, server, isPaced: false)
          #expect(result.status == .exited(0), "\(arguments): \(result.errorText)")
          #expect(result.outputText == "\(WriteScene.issueAddress)/6\n", "\(arguments)")
        }
        let issue = try #require(scene.issue(6))
        #expect(issue.lockReason == "too heated")
        #expect(issue.isPinned)
        #expect(issue.subscriptions == ["octocat": true])
        #expect(issue.reactions.map(\.content) == ["-1", "hooray"])
        for arguments in [
          ["unlock", "6"], ["unpin", "--json", "6"], ["react", "6", "hooray", "--remove"],
          ["unsubscribe", "6"],
        ] {
          let result = try await scene.run(arguments + Self.repo, server, isPaced: false)
          #expect(result.status == .exited(0), "\(arguments): \(result.errorText)")
        }
        #expect(scene.issue(6)?.isLocked == false)
        #expect(scene.issue(6)?.isPinned == false)
        #expect(scene.issue(6)?.subscriptions == ["octocat": false])
        #expect(scene.issue(6)?.reactions.map(\.content) == ["-1"])
      }
    }

    @Test("a reaction to a comment is added and removed")
    func commentReaction() async throws {
      let scene = try WriteScene {
        $0.repositories = [
          .swift(
            issues: SyntheticIssues(
              count: 20, pullRequests: 0, closed: 0, mostComments: 3, newest: 1_700_000_000))
        ]
      }
      let repository = scene.repositories[0]
      let issue = try #require(
        scene.github.issues(of: repository).first {
          !scene.github.comments(on: $0.number, of: repository).isEmpty
        })
      func reactions() -> [String] {
        scene.github.comments(on: issue.number, of: repository)[0].reactions.map(\.content)
      }
      let index = scene.github.comments(on: issue.number, of: repository)[0].index
      let comment = ["--comment", "\(LoopbackGitHub.commentID(index, on: issue))"]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["react", "\(issue.number)", "heart"] + Self.repo + comment
        let added = try await scene.run(arguments, server, isPaced: false)
        #expect(added.outputText.hasSuffix("/swiftlang/swift/issues/\(issue.number)\n"))
        #expect(reactions() == ["heart"])
        let removed = try await scene.run(arguments + ["--remove"], server, isPaced: false)
        #expect(removed.status == .exited(0), "\(removed.errorText)")
        #expect(reactions().isEmpty)
        try await scene.run(["react", "1", "2", "heart"] + Self.repo + comment, server)
          .expectFailure(64, saying: ["--comment is a comment on one issue"])
      }
    }

    @Test("--after and --first order the sub-issues of a parent")
    func subIssueOrder() async throws {
      let scene = try WriteScene()
      for child in [2, 3, 4] { scene.github.attach(child, to: 1, of: scene.repositories[0]) }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let after = try await scene.run(
          ["edit", "2", "--after", "3"] + Self.repo, server, isPaced: false)
        #expect(after.status == .exited(0), "\(after.errorText)")
        #expect(scene.issue(1)?.subIssues == [3, 2, 4])
        let both = try await scene.run(
          ["edit", "5", "--parent", "1", "--first"] + Self.repo, server)
        #expect(both.status == .exited(0), "\(both.errorText)")
        #expect(scene.issue(1)?.subIssues == [5, 3, 2, 4])
        for (arguments, words) in [
          (["edit", "2", "3", "--first"], "move one sub-issue"),
          (["edit", "2", "--first", "--after", "3"], "Choose --after or --first"),
          (["edit", "2", "--first", "--remove-parent"], "leave out --remove-parent"),
          (["edit", "--where", "is:open", "--first"], "move one sub-issue"),
        ] {
          try await scene.run(arguments + Self.repo, server).expectFailure(64, saying: [words])
        }
      }
    }

    @Test("several issues are edited with only the necessary requests")
    func edit() async throws {
      let scene = try WriteScene()
      let before = try #require(scene.issue(8))
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          [
            "edit", "8", "swiftlang/swift#9", "-t", "New", "--add-assignee", "@me,hubot", "-m",
            "6.3", "--remove-label", before.labels.first?.name ?? "bug", "--type", "Task",
          ] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines == [8, 9].map { "\(WriteScene.issueAddress)/\($0)" })
        for number in [8, 9] {
          let issue = try #require(scene.issue(number))
          #expect(issue.title == "New")
          #expect(Set(issue.assignees).isSuperset(of: ["octocat", "hubot"]))
          #expect(issue.milestone == 2)
          #expect(issue.type == "Task")
        }
        #expect(scene.issue(8)?.body == before.body)
        let cleared = try await scene.run(
          ["edit", "8", "--remove-milestone", "--remove-type", "-b", ""] + Self.repo, server)
        #expect(cleared.status == .exited(0), "\(cleared.errorText)")
        let issue = try #require(scene.issue(8))
        #expect(issue.milestone == nil)
        #expect(issue.type == nil)
        #expect((issue.body ?? "").isEmpty)
        let wrong = try await scene.run(["edit", "8", "-m", "nonesuch"] + Self.repo, server)
        wrong.expectFailure(3, saying: ["no milestone “nonesuch”"])
      }
    }

    @Test("the user's last comment is edited and deleted, and others by id")
    func comments() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        var ids: [String] = []
        for text in ["One", "Two", "Three"] {
          let result = try await scene.run(
            ["comment", "12", "-b", text] + Self.repo, server, isPaced: false)
          ids.append(result.outputText.filter(\.isNumber).dropFirst(2).description)
        }
        let edited = try await scene.run(
          ["comment", "12", "--edit-last", "-b", "Drei", "--json", "body"] + Self.repo, server)
        #expect(edited.outputText == "[\n{\"body\":\"Drei\"}\n]\n", "\(edited.errorText)")
        #expect(scene.writtenComments(on: 12) == ["One", "Two", "Drei"])
        let second = try await scene.run(
          ["comment", "12", "--edit", ids[1], "-b", "Zwei"] + Self.repo, server)
        #expect(second.status == .exited(0), "\(second.errorText)")
        for arguments in [["--delete-last"], ["--delete", ids[0]]] {
          let result = try await scene.run(
            ["comment", "12", "--yes"] + arguments + Self.repo, server)
          #expect(result.status == .exited(0), "\(result.errorText)")
        }
        #expect(scene.writtenComments(on: 12) == ["Zwei"])
      }
    }

    @Test("an issue is transferred, and deleted for good")
    func gone() async throws {
      let other = LoopbackRepository(
        id: 7, owner: "swiftlang", name: "driver",
        issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0))
      let scene = try WriteScene {
        $0.repositories.append(other)
        $0.permission = .admin
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let moved = try await scene.run(
          ["transfer", "12", "swiftlang/driver"] + Self.repo, server)
        #expect(moved.status == .exited(0), "\(moved.errorText)")
        #expect(moved.outputText == "\(server.url)/swiftlang/driver/issues/6\n")
        #expect(scene.issue(12) == nil)
        let deleted = try await scene.run(["delete", "13", "--yes"] + Self.repo, server)
        #expect(deleted.status == .exited(0), "\(deleted.errorText)")
        #expect(scene.issue(13) == nil)
        for (typed, status) in [("15", Int32(2)), ("14", 0)] {
          let run = try scene.startOnTerminal(["delete", "14"] + Self.repo, server)
          try await run.waitFor("Type its number to confirm: ")
          run.write("\(typed)\n")
          #expect(try await run.result().status == .exited(status))
        }
        #expect(scene.issue(14) == nil)
      }
    }

    @Test("sample data accepts every change, and stores none")
    func stub() async throws {
      let scene = try WriteScene()
      for arguments in [
        ["create", "-t", "x", "-b", "y"], ["comment", "85968", "-b", "x"], ["close", "85968"],
        ["edit", "85968", "-t", "x"], ["lock", "85968"], ["react", "85968", "heart"],
        ["pin", "85968"], ["transfer", "85968", "apple/swift"], ["delete", "85968", "--yes"],
      ] {
        let result = try await CommandRun.run(
          "issues", arguments + ["--stub", "-R", "swiftlang/swift"],
          environment: IssuesProgram.environment(scene.environment))
        #expect(result.status == .exited(0), "\(arguments): \(result.errorText)")
        #expect(result.lines.count == 1, "\(arguments): \(result.outputText)")
      }
      #expect(scene.folder.names.isEmpty)
    }
  }
}

extension CommandRun.Result {
  /// Checks that the command reported the problem after a successful write.
  func expectFailureAfterOutput(
    _ status: Int32, saying words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectFailure(status, saying: words, sourceLocation: sourceLocation)
    #expect(!output.isEmpty, sourceLocation: sourceLocation)
  }
}
