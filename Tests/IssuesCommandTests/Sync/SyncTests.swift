import ConcurrencyPrimitives
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues sync", .timeLimit(.minutes(5)))
  struct SyncTests {
    @Test("the first sync stores everything, and the second sends one request")
    func twice() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let first = try await scene.sync(server)
        #expect(first.errorText.isEmpty)
        let cells = try #require(first.lines.first).split(separator: "\t")
        #expect(
          cells.dropLast() == [
            "\(server.host)/swiftlang/swift", "250 new", "0 updated", "0 removed",
            "0 new comments", "0 updated comments", "0 removed comments", "0 timelines",
          ])
        #expect(cells.last == "\(server.log.requestCount) requests")
        try await scene.expectComplete(server)

        let before = server.log.requestCount
        let second = try await scene.sync(server)
        #expect(server.log.requestCount == before + 1)
        #expect(second.lines.first?.hasSuffix("\t1 requests") == true, "\(second.outputText)")
        #expect(second.lines.first?.contains("\t0 new\t0 updated\t0 removed\t") == true)
      }
    }

    @Test(
      "--jobs is the maximum number of simultaneous requests, and is reached",
      arguments: [2, 12, 24])
    func jobs(count: Int) async throws {
      let repository = LoopbackRepository.swift(
        issues: SyntheticIssues(count: 5_000, mostComments: 0, newest: 1_700_000_000))
      let scene = try MirrorScene([repository])
      let arrived = Watched(0)
      try await withLoopbackServer { request in
        // No page is sent before the maximum of requests has arrived.
        if request.isPageOfIssues, request.queryValue("sort") == "updated" {
          arrived.update { $0 += 1 }
          await arrived.wait { $0 >= count }
        }
        return await scene.github.handler(request)
      } perform: { server in
        try await scene.sync(server, ["swiftlang/swift", "--jobs", "\(count)"])
        #expect(server.log.peakInFlight == count)
        try await scene.expectComplete(server)
      }
    }

    @Test("a sync stores and counts only changed and new issues")
    func changes() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let now = Int(Date().timeIntervalSince1970)
        for number in [3, 120] {
          scene.github.changeIssue(number, of: MirrorScene.repository) { issue in
            issue.title = "changed"
            issue.updatedAt = now
          }
        }
        scene.github.addIssue(to: MirrorScene.repository) { issue in
          issue.createdAt = now
          issue.updatedAt = now
        }
        let result = try await scene.sync(server, ["swiftlang/swift", "--json"])
        #expect(result.outputText.hasPrefix("[\n{"))
        #expect(result.outputText.hasSuffix("}\n]\n"))
        for part in [#""new":1"#, #""updated":2"#, #""full_name":"swiftlang\/swift""#] {
          #expect(
            result.outputText.contains(part)
              || result.outputText.contains(part.replacing("\\", with: "")), "\(result.outputText)")
        }
        try await scene.expectComplete(server)
      }
    }

    @Test("a renamed repository keeps its mirror")
    func renamed() async throws {
      let scene = try MirrorScene()
      let compiler = LoopbackRepository(
        id: MirrorScene.repository.id, owner: "swiftlang", name: "compiler",
        formerNames: ["swiftlang/swift"], issues: MirrorScene.repository.issues)
      let renamed = LoopbackGitHub(repositories: [compiler])
      let now = Int(Date().timeIntervalSince1970)
      renamed.changeIssue(7, of: compiler) { $0.updatedAt = now }
      let isRenamed = Watched(false)
      try await withLoopbackServer { request in
        await (isRenamed.current ? renamed : scene.github).handler(request)
      } perform: { server in
        try await scene.sync(server)
        isRenamed.update { $0 = true }
        let second = try await scene.sync(server)
        #expect(second.outputText.hasPrefix("\(server.host)/swiftlang/compiler\t0 new\t"))
        let list = try await scene.run(["mirror", "--json", "full_name,issues"])
        #expect(list.lines.count == 3, "\(list.outputText)")
        #expect(list.outputText.contains("swiftlang/compiler"))
        // An unchanged issue keeps its old addresses: the server doesn't send it again.
        let issue = try await scene.run([
          "view", "swiftlang/compiler", "7", "--json", "url", "--offline", "--api-url", server.url,
        ])
        #expect(issue.outputText.contains("/repos/swiftlang/compiler/issues/7"))
        let names = ["swiftlang/compiler", "SwiftLang/Swift"].map { [$0, "--offline", "--all"] }
        let present = try await scene.run(names[0] + ["--api-url", server.url])
        let former = try await scene.run(names[1] + ["--api-url", server.url])
        #expect(present.status == .exited(0))
        #expect(!present.lines.isEmpty)
        #expect(former.lines == present.lines)
      }
    }

    @Test("several repositories are synced at once, and a failed one determines the status")
    func several() async throws {
      let other = LoopbackRepository(
        id: 7, owner: "octo", name: "cat", issues: SyntheticIssues(count: 5, newest: 1_700_000_000))
      let scene = try MirrorScene([MirrorScene.repository, other])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run([
          "sync", "swiftlang/swift", "no/such", "octo/cat", "OCTO/cat", "--api-url", server.url,
        ])
        #expect(result.status == .exited(3))
        let names = result.lines.map { $0.prefix { $0 != "\t" } }
        // Whichever is done first is reported first.
        #expect(
          names.sorted() == ["\(server.host)/octo/cat", "\(server.host)/swiftlang/swift"])
        #expect(result.errorLines.first?.hasPrefix("issues: ") == true)
        #expect(result.errorText.contains("no/such"))
        #expect(result.errorLines.last == "issues: 1 of 3 repositories could not be synced")
        try await scene.expectComplete(server, repository: "octo/cat")
      }
    }

    @Test("without a name, all mirrored repositories are synced, and listed on a terminal")
    func mirrored() async throws {
      let other = LoopbackRepository(
        id: 7, owner: "octo", name: "cat", issues: SyntheticIssues(count: 5, newest: 1_700_000_000))
      let scene = try MirrorScene([MirrorScene.repository, other])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let nothing = try await scene.run(["sync", "--api-url", server.url])
        nothing.expectFailure(
          64, saying: ["nothing is mirrored yet", "not inside a git repository", "OWNER/REPO"])
        #expect(server.log.connectionCount == 0)

        try await scene.sync(server, ["swiftlang/swift", "octo/cat"])
        let result = try await scene.sync(server, [])
        #expect(result.lines.count == 2)
        #expect(result.errorText.isEmpty)
        let terminal = try await scene.run(
          ["sync", "--api-url", server.url], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 120, rows: 24))
        #expect(terminal.screen.contains("Syncing all mirrored repositories: "))
        let sentence = "\(server.host)/octo/cat: nothing has changed (1 request)."
        #expect(terminal.screen.contains(sentence), "\(terminal.screen)")

        // How a server of this machine is reached isn't known by its host.
        let requests = server.log.requestCount
        let unreachable = try await scene.run(["sync"])
        unreachable.expectFailure(64, saying: ["--api-url", "\(server.host)/octo/cat"])
        #expect(server.log.requestCount == requests)
        let stats = try await scene.run(
          ["stats", "\(server.host)/octo/cat"], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 120, rows: 60))
        #expect(stats.screen.contains("'issues sync octo/cat --api-url URL' updates it."))
      }
    }

    @Test("in a clone, sync uses the clone's repository")
    func clone() async throws {
      let scene = try MirrorScene()
      let clone = try ScratchFolder()
      let setup = try await CommandRun.run(
        "/bin/sh",
        ["-c", "git init -q && git remote add origin https://github.com/swiftlang/swift"],
        environment: IssuesProgram.environment, workingDirectory: clone.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await IssuesProgram.run(
          ["sync", "--api-url", server.url], environment: scene.environment,
          workingDirectory: clone.path)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.hasPrefix("\(server.host)/swiftlang/swift\t250 new\t"))
      }
    }

    @Test(
      "--mine syncs the user's repositories that have issues, and needs a token",
      arguments: ["--mine", "--all-mine"])
    func mine(option: String) async throws {
      let other = LoopbackRepository(
        id: 7, owner: "octo", name: "cat", issues: SyntheticIssues(count: 5, newest: 1_700_000_000))
      let scene = try MirrorScene([MirrorScene.repository, other])
      let own =
        #"[{"id":7,"full_name":"octo/cat"},{"id":8,"full_name":"octo/dog","has_issues":false}]"#
      scene.github.intercept(
        where: { $0.path == "/user/repos" }, response: { _, _ in .json(own) })
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let without = try await scene.run(["sync", option, "--api-url", server.url])
        without.expectFailure(4, saying: ["--mine", "token", "GH_ENTERPRISE_TOKEN"])
        #expect(server.log.requestCount == 0)
        let result = try await scene.sync(
          server, [option], environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
        #expect(result.lines.count == 1)
        #expect(result.outputText.hasPrefix("\(server.host)/octo/cat\t5 new\t"))
      }
    }

    @Test("comments are stored if they are requested")
    func comments() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.sync(server, ["swiftlang/swift", "--comments"])
        let new = try #require(result.outputText.firstMatch(of: /\t(\d+) new comments\t/)?.output.1)
        #expect(Int(new).map { $0 > 100 } == true, "\(result.outputText)")
        let again = try await scene.sync(server, ["swiftlang/swift", "--comments"])
        #expect(again.outputText.contains("\t0 new comments\t0 updated comments\t0 removed"))
      }
    }

    @Test("no file of the mirror contains a token")
    func token() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.sync(
          server, ["swiftlang/swift", "-vv"],
          environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
        #expect(!result.errorText.contains(IssuesProgram.token))
        #expect(
          server.log.requests.allSatisfy {
            $0.headers["Authorization"] == "Bearer \(IssuesProgram.token)"
          })
      }
      let files = scene.folder.files(in: "issues")
      #expect(files["mirror.db"] != nil)
      for (name, bytes) in files {
        let secret = Data(IssuesProgram.token.dropFirst(4).utf8)
        #expect(Data(bytes).firstRange(of: secret) == nil, "\(name)")
      }
    }

    @Test("wrong usage of issues sync is reported before any request")
    func usage() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (arguments, words) in [
          (["a/b", "--jobs", "0"], ["from 1 to 100"]), (["a/b", "--jobs", "101"], ["1 to 100"]),
          (["a/b", "--jobs", "x"], ["from 1 to 100"]), (["a/b", "--stub"], ["Sample data"]),
          (["a/b", "c"], ["not a repository"]), (["a*/b"], ["isn't a pattern", "OWNER/NAME"]),
          (["*"], ["isn't a pattern"]), (["a/b", "--org", "c d"], ["a login has up to 39"]),
          (["a/b", "--watch", "500ms"], ["from 1s to a day"]),
          (["a/b", "--watch", "1m", "--json"], ["use --jsonl"]),
          (["a/b", "--watch", "1m", "--fields", "new"], ["use --jsonl"]),
          (["a/b", "../c"], ["not a repository"]),
        ] {
          let result = try await scene.run(["sync", "--api-url", server.url] + arguments)
          result.expectFailure(64, saying: words)
        }
        #expect(server.log.connectionCount == 0)
        #expect(scene.folder.names.isEmpty)
      }
    }
  }
}
