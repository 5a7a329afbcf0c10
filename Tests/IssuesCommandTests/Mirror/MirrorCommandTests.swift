import IssueMirror
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues mirror", .timeLimit(.minutes(5)))
  struct MirrorCommandTests {
    private static let other = LoopbackRepository(
      id: 7, owner: "octo", name: "cat",
      issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0, newest: 1_700_000_000))

    private static func scene() throws -> MirrorScene {
      try MirrorScene([MirrorScene.repository, other])
    }

    @Test("issues mirror lists each mirror with its size and its age")
    func list() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, ["swiftlang/swift", "octo/cat"])
        let issues = scene.github.issues(of: MirrorScene.repository).filter { !$0.isPullRequest }
        let open = issues.count { $0.isOpen }
        for arguments in [["mirror"], ["mirror", "list"]] {
          let result = try await scene.run(arguments)
          #expect(result.status == .exited(0), "\(result.errorText)")
          let lines = result.lines.map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
          }
          #expect(lines.map(\.count) == [7, 7], "\(result.outputText)")
          let swift = try #require(lines.first { $0[0].hasSuffix("swiftlang/swift") })
          #expect(
            swift.prefix(5) == [
              "\(server.host)/swiftlang/swift", "\(open)", "\(issues.count)",
              "\(250 - issues.count)", "0",
            ])
          let time = try Date(String(swift[5]), strategy: .iso8601)
          #expect(abs(time.timeIntervalSinceNow) < 300)
        }
        let table = try await scene.run(
          ["mirror"], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 100, rows: 24))
        #expect(table.screen.contains("Mirror of 2 repositories, "))
        #expect(table.screen.contains("synced less than a minute ago"))
        let json = try await scene.run(["mirror", "list", "--json", "full_name,open,issues"])
        #expect(
          json.outputText.contains(#"{"full_name":"octo/cat","open":5,"issues":5}"#),
          "\(json.outputText)")
        let wrong = try await scene.run(["mirror", "list", "--json", "nosuch"])
        wrong.expectFailure(64, saying: ["no field 'nosuch'", "full_name"])
      }
    }

    @Test("issues mirror reports an unreadable entry with the reason, on a terminal and as JSON")
    func setAside() async throws {
      let scene = try MirrorScene([Self.other])
      scene.github.changeIssue(3, of: Self.other) {
        $0.labels = [SyntheticIssue.Label("broken", color: "ff0000")]
      }
      let answer = scene.github.handler
      try await withLoopbackServer { request in
        var response = await answer(request)
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Data(text.replacing(#""name":"broken","#, with: "").utf8)
        return response
      } perform: { server in
        try await scene.sync(server, ["octo/cat"])
        let table = try await scene.run(
          ["mirror"], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 100, rows: 24))
        #expect(
          table.screen.contains("\(server.host)/octo/cat lacks #3, which can't be read: "),
          "\(table.screen)")
        let json = try await scene.run(["mirror", "--json", "issues,set_aside"])
        #expect(json.outputText.contains(#""issues":4,"set_aside":[{"#), "\(json.outputText)")
        #expect(json.outputText.contains(#""number":3"#))
      }
    }

    @Test("a narrow terminal keeps the names of mirrors, and each column stays below its title")
    func narrow() async throws {
      let filled = try FilledMirror()
      try await filled.add("swiftlang/swift", items: [FilledMirror.Item(number: 1, title: "x")])
      let result = try await filled.run(
        ["mirror"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 40, rows: 24))
      #expect(
        result.screen.contains(
          """
          REPOSITORY                  OPEN  ISSUES
          swiftlang/swift                1       1
          """), "\(result.screen)")
    }

    @Test("the older of two mirrors with the same name is marked, and 'remove' removes both")
    func replaced() async throws {
      let filled = try FilledMirror()
      let item = FilledMirror.Item(number: 1, title: "x")
      try await filled.add("a/b", id: 1, items: [item, .init(number: 2, title: "y")])
      try await filled.add("a/b", id: 2, items: [item])
      try await filled.add("a/c", id: 3, items: [item])
      let screen = try await filled.run(
        ["mirror"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 100, rows: 24)
      ).screen
      let lines = screen.split(separator: "\n").filter { $0.hasPrefix("a/") }
      #expect(lines.count == 3)
      #expect(lines.map { $0.contains("replaced, synced ") } == [true, false, false], "\(screen)")
      let removed = try await filled.run(["mirror", "remove", "A/B", "--yes"])
      #expect(removed.status == .exited(0), "\(removed.errorText)")
      #expect(removed.lines.count == 2)
      #expect(try await filled.run(["mirror"]).lines.map { $0.hasPrefix("a/c\t") } == [true])
    }

    @Test("'remove' with an id removes only one of several mirrors with the same name")
    func removeByID() async throws {
      let filled = try FilledMirror()
      let item = FilledMirror.Item(number: 1, title: "x")
      try await filled.add("a/b", id: 1, items: [item, .init(number: 2, title: "y")])
      try await filled.add("a/b", id: 2, items: [item])
      let wrong = try await filled.run(["mirror", "remove", "a/b", "--id", "3", "--yes"])
      wrong.expectFailure(3, saying: ["the id 3", "--json full_name,id"])
      let ids = ["mirror", "--json", "full_name,id,issues"]
      #expect(try await filled.run(ids).lines.count == 4)
      let removed = try await filled.run(["mirror", "remove", "A/B", "--id", "1", "--yes"])
      #expect(removed.status == .exited(0), "\(removed.errorText)")
      #expect(removed.outputText == "Removed the mirror of a/b\n")
      #expect(
        try await filled.run(ids).outputText
          == "[\n{\"full_name\":\"a/b\",\"id\":2,\"issues\":1}\n]\n")
    }

    @Test(
      "'repair' restores missing and outdated issues, and removes deleted ones")
    func repair() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, ["swiftlang/swift"])
        try await scene.sync(server, ["octo/cat", "--comments"])
        let path = scene.folder["issues/mirror.db"]
        let mirror = try Mirror(path: path)
        for repository in try await mirror.repositories() {
          // One is lost, and one is as it was before a backup was restored.
          try await mirror.bury(
            3, .deleted, of: repository, at: Date(),
            asked: mirror.ticket(of: repository))
          var issue = try #require(try await mirror.issue(2, of: repository))
          issue.title = "What nobody has"
          issue.updatedAt = Date(timeIntervalSince1970: 1_750_000_000)
          let json = try GitHubJSON.encoder().encode([issue])
          try await mirror.store(
            FeedPage(json, of: .items), of: repository, sweep: nil, at: Date())
        }
        scene.github.deleteIssue(5, of: Self.other)
        let commented = try #require(
          scene.github.issues(of: Self.other).first {
            [1, 4].contains($0.number) && $0.comments > 0
          }?.number)
        // As when it is minimized: the time of its last change stays.
        scene.github.changeComment(0, on: commented, of: Self.other) { $0.body = "Minimized" }
        func hasComment() async throws -> Bool {
          let cat = try #require(
            try await mirror.repositories().first { $0.fullName == "octo/cat" })
          return try await mirror.comments(on: commented, of: cat).contains {
            $0.body == "Minimized"
          }
        }
        let connection = ["--api-url", server.url]
        let plain = try await scene.run(["sync", "octo/cat"] + connection)
        #expect(plain.outputText.contains("\t0 new\t0 updated\t0 removed\t"))
        #expect(try await !hasComment())
        let one = try await scene.run(["mirror", "repair", "octo/cat"] + connection)
        #expect(one.status == .exited(0), "\(one.errorText)")
        #expect(try await hasComment())
        #expect(one.outputText.contains("\t1 new\t1 updated\t1 removed\t"), "\(one.outputText)")
        try await scene.expectComplete(server, repository: "octo/cat")
        // Without a name all that are mirrored.
        let all = try await scene.run(["mirror", "repair"] + connection)
        #expect(all.status == .exited(0), "\(all.errorText)")
        #expect(all.lines.count == 2)
        try await scene.expectComplete(server)
        #expect(try await scene.run(["mirror", "check"]).status == .exited(0))
        try await scene.run(["mirror", "repair", "--stub"]).expectFailure(64, saying: ["Sample"])
        try await scene.run(["mirror", "repair", "a/b"] + connection)
          .expectFailure(3, saying: ["a/b"])
      }
    }

    @Test("'repair' keeps the mirror if the server contradicts itself, and reports the reason")
    func repairRefused() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let before = try await scene.everything(server)
        scene.github.intercept(where: \.isPageOfIssues) { _, _ in .json("[]") }
        scene.github.intercept(where: { $0.path.contains("/issues/") }) {
          GitHubError.notFound.response(now: $1)
        }
        let result = try await scene.run([
          "mirror", "repair", "swiftlang/swift", "--api-url", server.url,
        ])
        result.expectFailure(7, saying: ["the server counts", "the mirror stays as it is"])
        scene.github.stopIntercepting()
        #expect(try await scene.everything(server) == before)
      }
    }

    @Test("without mirrors, a terminal gets a message, and a pipe gets nothing")
    func empty() async throws {
      let scene = try Self.scene()
      let plain = try await scene.run(["mirror"])
      #expect(plain.status == .exited(0))
      #expect(plain.outputText.isEmpty && plain.errorText.isEmpty)
      #expect(try await scene.run(["mirror", "--json"]).outputText == "[]\n")
      let terminal = try await scene.run(
        ["mirror"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 100, rows: 24))
      #expect(terminal.screen == "Nothing is mirrored yet. Start with 'issues sync OWNER/REPO'.\n")
      let check = try await scene.run(["mirror", "check"])
      #expect(check.status == .exited(0))
      #expect(check.outputText == "There is no mirror yet.\n")
      #expect(scene.folder.names.isEmpty)
    }

    @Test("'mirror path' prints the path, with or without a mirror")
    func path() async throws {
      let scene = try Self.scene()
      let path = "\(scene.folder.path)/issues/mirror.db"
      #expect(try await scene.run(["mirror", "path"]).outputText == "\(path)\n")
      #expect(scene.folder.names.isEmpty)
      let home = try await IssuesProgram.run(
        ["mirror", "path"], environment: ["XDG_DATA_HOME": "", "HOME": "/h"])
      #expect(home.outputText == "/h/.local/share/issues/mirror.db\n")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.sync(server, ["octo/cat"])
      }
      #expect(scene.folder.permissions("issues/mirror.db") == 0o600)
      #expect(scene.folder.permissions("issues") == 0o700)
    }

    @Test("'remove' asks for confirmation on a terminal, and accepts only yes")
    func removeAsks() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, ["swiftlang/swift", "octo/cat"])
        let name = "\(server.host)/octo/cat"
        for (answer, status) in [("\r", 2), ("n\r", 2), ("\u{4}", 2), ("yes\r", 0)] {
          let run = try IssuesProgram.start(
            ["mirror", "remove", name],
            environment: scene.environment.merging(IssuesProgram.plainTerminal) { $1 },
            connection: .terminal(columns: 100, rows: 24))
          try await run.waitFor("Remove the mirror of \(name)? [y/N] ")
          run.write(answer)
          let result = try await run.result()
          #expect(result.status == .exited(Int32(status)), "\(result.outputText)")
          #expect(result.screen.contains("Removed the mirror of \(name)\n") == (status == 0))
        }
        #expect(try await scene.run(["mirror"]).lines.count == 1)
        try await scene.expectComplete(server)
        // It comes back whole.
        try await scene.sync(server, ["octo/cat"])
        try await scene.expectComplete(server, repository: "octo/cat")
      }
    }

    @Test("'remove' needs --yes without a terminal, and removes all or nothing")
    func removeInPipe() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, ["swiftlang/swift", "octo/cat"])
        let names = ["\(server.host)/octo/cat", "\(server.host)/OCTO/cat"]
        let unasked = try await scene.run(["mirror", "remove"] + names)
        unasked.expectFailure(64, saying: ["no terminal", "--yes"])
        let wrong = try await scene.run(["mirror", "remove", "--yes", names[0], "a/b"])
        wrong.expectFailure(
          3, saying: ["no mirror of a/b", "Mirrored: \(names[0]), \(server.host)/swiftlang/swift."])
        #expect(!wrong.errorText.contains("issues sync"))
        #expect(try await scene.run(["mirror"]).lines.count == 2)
        let removed = try await scene.run(["mirror", "remove", "--yes"] + names)
        #expect(removed.status == .exited(0), "\(removed.errorText)")
        #expect(removed.outputText == "Removed the mirror of \(names[0])\n")
        #expect(try await scene.run(["mirror"]).lines.count == 1)
        let none = try await scene.run(["mirror", "remove"])
        #expect(none.status == .exited(64))
      }
    }

    @Test("'check' accepts a sound mirror, and names the damage of others")
    func check() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let sound = try await scene.run(["mirror", "check"])
        #expect(sound.status == .exited(0), "\(sound.errorText)")
        #expect(sound.outputText.hasPrefix("The mirror is sound: "))
        let path = "issues/mirror.db"
        for name in ["-wal", "-shm"] { ScratchFolder.remove(scene.folder[path + name]) }
        var bytes = [UInt8](try #require(scene.folder.contents(path)))
        for index in stride(from: bytes.count / 2, to: bytes.count, by: 7) { bytes[index] ^= 0x5A }
        try scene.folder.write(Data(bytes), to: path)
        let damaged = try await scene.run(["mirror", "check"])
        #expect(damaged.status == .exited(1))
        #expect(damaged.errorText.contains(" the file"))
        #expect(damaged.errorText.contains(" sync "))
        try scene.folder.write(Data("no database at all, but long enough".utf8), to: path)
        let none = try await scene.run(["mirror", "check"])
        none.expectFailure(1, saying: [scene.folder[path]])
      }
    }
  }
}
