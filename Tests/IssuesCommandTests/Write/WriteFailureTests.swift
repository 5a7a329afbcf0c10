import IssueOutbox
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Failed writes", .timeLimit(.minutes(5)))
  struct WriteFailureTests {
    private static let comment = ["comment", "12", "-b", "Me too.", "-R", "swiftlang/swift"]

    @Test("without a network, a script fails and keeps nothing, unless --queue is given")
    func networkAway() async throws {
      let scene = try WriteScene()
      let failed = try await scene.run(Self.comment + ["--retries", "0"], nil)
      failed.expectFailure(6, saying: ["no connection", "won't be sent later", "--queue"])
      #expect(failed.outputText.isEmpty)
      let queued = try await scene.run(Self.comment + ["--queue"], nil)
      queued.expectFailure(75, saying: ["kept in the outbox", "issues outbox send"])
      #expect(queued.outputText.isEmpty)
      let new = try await scene.run(
        ["create", "-t", "x", "-b", "y", "--queue", "-R", "swiftlang/swift"], nil)
      #expect(new.status == .exited(75))
      #expect(new.lines.count == 1)
      #expect(new.outputText.hasPrefix("new-"))
    }

    @Test("a script's change is kept if it may have been made, and dropped if not")
    func perhapsMade() async throws {
      let scene = try WriteScene()
      let repo = ["-R", "swiftlang/swift"]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let words = ["kept in the outbox, and perhaps already made"]
        scene.github.strike(.loginPage)
        try await scene.run(["lock", "12"] + repo, server).expectFailure(75, saying: words)
        // The first request adds the label; the token ends before the next.
        scene.github.strike(.unauthorized, after: 1)
        try await scene.run(
          ["edit", "14", "--add-label", "bug", "--add-assignee", "octocat"] + repo, server
        ).expectFailure(75, saying: words)
        #expect(scene.issue(14)?.labels.map(\.name).contains("bug") == true)
        scene.github.strike(.unauthorized)
        try await scene.run(["close", "13"] + repo, server)
          .expectFailure(4, saying: ["won't be sent later"])
        let outbox = try Outbox(path: scene.folder["issues/outbox.db"])
        #expect(try await outbox.entries(in: [.queued]).map(\.id) == [1, 2])
      }
    }

    @Test("without a network and a mirror, an unresolved name is reported with an alternative")
    func lookUpWithoutNetwork() async throws {
      let scene = try WriteScene()
      let repo = ["-R", "swiftlang/swift", "--queue", "--retries", "0"]
      let edit = ["edit", "12", "-m", "6.3"] + repo
      let create = ["create", "-t", "x", "-b", "y", "--parent", "7"] + repo
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      let url = server.url
      await server.stop()
      func run(_ arguments: [String]) async throws -> CommandRun.Result {
        try await IssuesProgram.run(
          arguments + ["--api-url", url], environment: scene.environment)
      }
      try await run(edit).expectFailure(6, saying: ["the milestone's number", "issues sync"])
      try await run(create).expectFailure(6, saying: ["Leave --parent out", "issues sync"])
      try await run(["edit", "12", "--add-assignee", "@me"] + repo)
        .expectFailure(6, saying: ["Give your login instead of @me."])
      let numbered = try await run(["edit", "12", "-m", "2"] + repo)
      #expect(numbered.status == .exited(75))
      #expect(numbered.errorText.contains("2 is treated as the milestone's number"))
      let outbox = try Outbox(path: scene.folder["issues/outbox.db"])
      guard case .edit(_, let change) = try await outbox.entries().first?.change else {
        Issue.record("no edit is kept")
        return
      }
      #expect(change.milestone == .set(2))
    }

    @Test("the mirror resolves a milestone's number and a parent's id")
    func lookUpInMirror() async throws {
      let scene = try WriteScene()
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      let synced = try await scene.run(["sync", "swiftlang/swift"], server)
      #expect(synced.status == .exited(0), "\(synced.errorText)")
      await server.stop()
      for arguments in [
        ["edit", "12", "-m", "6.3"], ["create", "-t", "x", "-b", "y", "--parent", "7"],
      ] {
        let result = try await scene.run(
          arguments + ["-R", "swiftlang/swift", "--queue", "--retries", "0"], server)
        result.expectFailure(75, saying: ["kept in the outbox"])
      }
      let entries = try await Outbox(path: scene.folder["issues/outbox.db"]).entries()
      guard case .edit(_, let change) = entries.first?.change,
        case .createIssue(let issue, _) = entries.last?.change
      else {
        Issue.record("not kept: \(entries)")
        return
      }
      #expect(change.milestone == .set(2))
      #expect(issue.parentIssueID != nil)
    }

    @Test("a change that waits for others names them")
    func waitsForOthers() async throws {
      let scene = try WriteScene { $0.tokenOwners = ["token-b": "eve"] }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let queued = try await scene.run(Self.comment + ["--queue"], server)
        #expect(queued.status == .exited(75), "\(queued.errorText)")
        // The comment is another account's, and so stays where it is.
        let closing = try await scene.run(
          ["close", "12", "-R", "swiftlang/swift"], server,
          environment: ["GH_ENTERPRISE_TOKEN": "token-b"])
        closing.expectFailure(75, saying: ["not sent yet: it waits for change 1\n"])
        #expect(scene.writes.isEmpty)
      }
    }

    @Test("a pull request or the issue itself is refused as original before the comment is sent")
    func duplicateOfPullRequest() async throws {
      let scene = try WriteScene {
        $0.repositories = [
          .swift(
            issues: SyntheticIssues(count: 20, pullRequests: 0.5, closed: 0, newest: 1_700_000_000))
        ]
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let pull = try #require(
          scene.github.issues(of: scene.repositories[0]).first { $0.isPullRequest }?.number)
        let issue = try #require(
          scene.github.issues(of: scene.repositories[0]).first { !$0.isPullRequest }?.number)
        let close = ["close", "\(issue)", "-c", "See there.", "-R", "swiftlang/swift"]
        try await scene.run(close + ["--duplicate-of", "\(pull)"], server).expectFailure(
          64, saying: ["#\(pull) is a pull request", "only be a duplicate of another issue"])
        try await scene.run(close + ["--duplicate-of", "\(issue)"], server).expectFailure(
          64, saying: ["can't be a duplicate of itself"])
        #expect(scene.writes.isEmpty)
      }
    }

    @Test("'close' says which of its numbers is a pull request")
    func closedPullRequest() async throws {
      let scene = try WriteScene {
        $0.repositories = [
          .swift(
            issues: SyntheticIssues(count: 20, pullRequests: 0.5, closed: 0, newest: 1_700_000_000))
        ]
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let all = scene.github.issues(of: scene.repositories[0])
        let pull = try #require(all.first { $0.isPullRequest }?.number)
        let issue = try #require(all.first { !$0.isPullRequest }?.number)
        let result = try await scene.run(
          ["close", "\(issue)", "\(pull)", "-R", "swiftlang/swift"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.count == 2)
        #expect(result.errorLines == ["swiftlang/swift#\(pull) is a pull request."])
      }
    }

    @Test("an issue is transferred to a renamed repository by its new name")
    func renamedDestination() async throws {
      let other = LoopbackRepository(
        id: 7, owner: "swiftlang", name: "driver", formerNames: ["swiftlang/old-driver"],
        issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0))
      let scene = try WriteScene { $0.repositories.append(other) }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let moved = try await scene.run(
          ["transfer", "12", "swiftlang/old-driver", "-R", "swiftlang/swift"], server)
        #expect(moved.status == .exited(0), "\(moved.errorText)")
        #expect(moved.errorText.contains("swiftlang/old-driver is swiftlang/driver now."))
        #expect(moved.outputText.hasSuffix("/swiftlang/driver/issues/6\n"))
        #expect(scene.issue(12) == nil)
        try await scene.run(
          ["transfer", "13", "swiftlang/nowhere", "-R", "swiftlang/swift"], server
        ).expectFailure(3, saying: ["swiftlang/nowhere"])
        #expect(scene.issue(13) != nil)
      }
    }

    @Test("with --queue, a failing server doesn't keep a change from the outbox")
    func failingServer() async throws {
      let scene = try WriteScene()
      let handler: LoopbackServer.Handler = { _ in LoopbackResponse(status: 503) }
      try await withLoopbackServer(answering: handler) { server in
        for arguments in [
          ["transfer", "12", "swiftlang/driver"], ["close", "13", "--duplicate-of", "7"],
        ] {
          let result = try await scene.run(
            arguments + ["-R", "swiftlang/swift", "--queue", "--retries", "0"], server)
          result.expectFailure(75, saying: ["kept in the outbox"])
        }
      }
    }

    @Test(
      "options without an effect are refused, and unsupported options of gh are explained",
      arguments: [
        (["edit", "5", "--create-labels"], "only makes sense with --add-label"),
        (["create", "--web", "--create-labels"], "--create-labels, --editor"),
        (["create", "--web", "-e"], "--create-labels, --editor"),
        (["create", "-e", "--template", "bug.yml"], "leave out --template"),
        (["create", "-e"], "no terminal for the editor"),
        (["create", "-m", ""], "by its title or its number"),
        (["edit", "5", "-m", " "], "--remove-milestone"),
        (["comment", "5", "-e", "-b", "x"], "leave one of them out"),
        (["comment", "5", "-e", "--delete", "7"], "leave out --body, --editor"),
        (["comment", "--where", "is:open", "-e"], "give the text of a new comment"),
        (["create", "-p", "Roadmap"], "such as swiftlang/5"),
        (["create", "--project-status", "Todo"], "only makes sense with --project"),
        (["edit", "5", "--project-status", "Todo"], "only makes sense with --add-project"),
        (["edit", "5", "--add-project", "Roadmap"], "by its owner and its number"),
      ])
    func usage(arguments: [String], words: String) async throws {
      try await IssuesProgram.run(arguments + ["-R", "swiftlang/swift"])
        .expectFailure(64, saying: [words])
    }

    @Test("on a terminal, a change is queued without a network, and that is reported")
    func keptOnTerminal() async throws {
      let scene = try WriteScene()
      let result = try await scene.startOnTerminal(Self.comment + ["--retries", "0"], nil).result()
      #expect(result.status == .exited(75), "\(result.screen)")
      #expect(result.screen.contains("kept in the outbox, not sent yet"), "\(result.screen)")
      #expect(result.screen.contains("issues outbox send"))
    }

    @Test("a change of a queued issue is sent after it, by its temporary name")
    func pending() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let new = try await scene.run(
          ["create", "-t", "x", "-b", "y", "--queue", "-R", "swiftlang/swift"], server)
        let name = new.lines[0]
        let waiting = try await scene.run(["comment", name, "-b", "Later.", "--queue"], server)
        waiting.expectFailure(75, saying: ["kept in the outbox", "comment on \(name)"])
        #expect(scene.writes.isEmpty)
        let result = try await scene.run(["close", name], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText == "\(WriteScene.issueAddress)/21\n")
        #expect(scene.issue(21)?.isOpen == false)
        #expect(scene.writtenComments(on: 21) == ["Later."])
        let unknown = try await scene.run(["comment", "new-99", "-b", "x"], server)
        unknown.expectFailure(3, saying: ["no new-99"])
      }
    }

    @Test(
      "a refusal has the server's message, its own status, and the place of the text",
      arguments: [
        (LoopbackPermission.read, ["lock", "12"], Int32(4), "not accessible"),
        (.write, ["comment", "99", "-b", "x"], 3, "Not Found"),
        (.write, ["edit", "12", "-m", "x", "--type", "Nope"], 3, "no milestone"),
        (.write, ["edit", "12", "--type", "Nope"], 64, "Validation Failed"),
        (.write, ["edit", "12", "--add-label", "nope"], 3, "no label"),
        (.write, ["close", "999999"], 3, "Not Found"), (.admin, ["delete", "999999", "-y"], 3, ""),
        (.write, ["pin", "999999"], 3, ""), (.read, ["pin", "12"], 4, ""),
      ])
    func refused(
      permission: LoopbackPermission, arguments: [String], status: Int32, words: String
    ) async throws {
      let scene = try WriteScene { $0.permission = permission }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(arguments + ["-R", "swiftlang/swift"], server)
        result.expectFailure(status, saying: [words])
        #expect(words == "no milestone" || result.errorText.contains("issues outbox show 1"))
      }
    }

    @Test("a fourth pinned issue is refused, and later sends don't fail because of refused changes")
    func refusedForGood() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let repo = ["-R", "swiftlang/swift"]
        for number in 1...3 {
          let pinned = try await scene.run(["pin", "\(number)"] + repo, server, isPaced: false)
          #expect(pinned.status == .exited(0), "\(pinned.errorText)")
        }
        try await scene.run(["pin", "4"] + repo, server, isPaced: false)
          .expectFailure(64, saying: ["Maximum 3 pinned issues"])
        try await scene.run(["close", "999999", "-c", "x"] + repo, server)
          .expectFailure(3, saying: ["Not Found", "issues outbox drop 1"])
        // The closing waits for the comment, which is refused.
        #expect(try await scene.run(["outbox", "send"], server).status == .exited(0))
        let sync = try await scene.run(["sync", "swiftlang/swift"], server)
        #expect(sync.status == .exited(0), "\(sync.errorText)")
        try await scene.run(["outbox", "send", "1"], server)
          .expectFailure(1, saying: ["1 of 1 change isn't on the server"])
      }
    }

    @Test("a refusal of sample data mentions no change of the outbox")
    func refusedSample() async throws {
      let scene = try WriteScene()
      let result = try await scene.run(
        ["close", "999999", "-R", "swiftlang/swift", "--stub"], nil)
      #expect(result.status == .exited(3), "\(result.errorText)")
      #expect(!result.errorText.contains("outbox"))
    }

    @Test("a write with a lost response is found or reported as unknown, and made once")
    func answerLost() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        scene.github.strike(.answerLost)
        let result = try await scene.run(Self.comment, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.hasPrefix("\(WriteScene.issueAddress)/12#issuecomment-"))
        #expect(scene.writtenComments(on: 12) == ["Me too."])
      }
    }

    private static let story = "A long story.\n\(String(repeating: "x", count: 40_000))\nThe end."

    @Test(
      "on a full disk, nothing is sent, and the whole text is printed once",
      arguments: [
        ["create", "-t", "A title", "-b", story], ["comment", "12", "-b", story],
        ["comment", "12", "--edit", "430000008402", "-b", story],
        ["edit", "12", "-t", "A title", "-b", story], ["edit", "11", "12", "-b", story],
        ["close", "12", "-c", story], ["outbox", "edit", "1", "-b", story],
        ["comment", "--where", "is:open", "--limit", "3", "--yes", "-b", story],
        ["close", "--where", "is:open", "--limit", "3", "--yes", "-c", story],
      ], [0, 64])
    func fullDisk(arguments: [String], blocks: Int) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.run(Self.comment + ["--queue"], server)
        var environment = IssuesProgram.environment(scene.environment)
        environment["issues"] = try BuiltProducts.path(of: "issues")
        let isOnline = arguments[0] != "outbox"
        let connection = ["-R", "swiftlang/swift", "--api-url", server.url, "--no-cache"]
        // No file may grow beyond some half kilobytes, as on a full disk: the outbox can't be opened, or can't
        // store the text.
        let result = try await CommandRun.run(
          "/bin/sh",
          ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$issues\" \"$@\"", "sh"] + arguments
            + (isOnline ? connection : []),
          environment: environment)
        #expect(result.status == .exited(74), "\(result.errorText)")
        #expect(result.errorText.ranges(of: Self.story).count == 1, "\(result.errorText)")
        #expect(!arguments.contains("A title") || result.errorText.contains("A title\n"))
        #expect(result.errorText.contains(isOnline ? "nothing was sent" : "nothing was changed"))
        #expect(scene.writes.isEmpty)
        let kept = try await Outbox(path: scene.folder["issues/outbox.db"]).entries()
        #expect(kept.map(\.change) == [.comment(on: .number(12), body: "Me too.")])
      }
    }

    @Test("a hostile response doesn't control the terminal")
    func hostile() async throws {
      let scene = try WriteScene()
      scene.github.changeIssue(12, of: WriteScene.repository) {
        $0.title = "\u{1B}]0;owned\u{7}\u{202E}\u{1B}[2J"
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for arguments in [["close", "12"], ["close", "12", "--json", "title"]] {
          let result = try await scene.startOnTerminal(
            arguments + ["-R", "swiftlang/swift"], server
          ).result()
          #expect(result.status == .exited(0))
          for line in result.screen.split(separator: "\n") {
            #expect(HostileText.dangers(in: String(line)).isEmpty, "\(result.screen)")
          }
        }
        scene.github.strike(.otherIssue)
        let other = try await scene.run(Self.comment, server)
        #expect(other.outputText.hasPrefix("\(WriteScene.issueAddress)/12#"), "\(other.errorText)")
        #expect(scene.writtenComments(on: 12) == ["Me too."])
      }
    }

    @Test("the mirror has a write at once")
    func mirrored() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let synced = try await scene.run(["sync", "swiftlang/swift", "--comments"], server)
        #expect(synced.status == .exited(0), "\(synced.errorText)")
        _ = try await scene.run(["edit", "12", "-t", "Fresh", "-R", "swiftlang/swift"], server)
        _ = try await scene.run(Self.comment, server)
        let view = try await scene.run(
          ["view", "swiftlang/swift", "12", "--offline", "--comments"], server)
        #expect(view.outputText.contains("title:\tFresh"), "\(view.outputText)\(view.errorText)")
        #expect(view.outputText.contains("Me too."))
      }
    }

    @Test("another user's change of the same text is a conflict, and isn't overwritten")
    func conflict() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.run(["sync", "swiftlang/swift"], server)
        scene.github.changeIssue(12, of: WriteScene.repository) { $0.title = "Theirs" }
        let result = try await scene.run(
          ["edit", "12", "-t", "Mine", "-R", "swiftlang/swift"], server)
        result.expectFailure(9, saying: ["someone else changed", "--mine"])
        #expect(scene.issue(12)?.title == "Theirs")
      }
    }

    @Test("--web opens GitHub's page with the given values")
    func web() async throws {
      let scene = try WriteScene()
      let result = try await CommandRun.run(
        "issues",
        ["create", "-R", "a/b", "--web", "-t", "It & that?", "-b", "ü\n", "-l", "bug,x y"],
        environment: IssuesProgram.environment(scene.environment))
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(
        result.outputText
          == "https://github.com/a/b/issues/new?title=It%20%26%20that%3F&body=%C3%BC%0A&labels=bug%2Cx%20y\n"
      )
    }
  }
}
