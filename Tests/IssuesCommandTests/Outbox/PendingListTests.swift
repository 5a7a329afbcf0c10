import IssueOutbox
import TestSupport
import Testing

extension CommandTests {
  @Suite("Pending changes in lists and pages", .timeLimit(.minutes(5)))
  struct PendingListTests {
    /// Mirrors the repository with its comments, and queues changes: #5 closed and commented on, #6 labelled, one new.
    private func fill(_ scene: OutboxScene, _ server: LoopbackServer) async throws {
      let sync = try await scene.run(["sync", "swiftlang/swift", "--comments"], server)
      #expect(sync.status == .exited(0), "\(sync.errorText)")
      try await scene.queue(["close", "5", "-r", "not-planned"], server)
      try await scene.queue(["comment", "5", "--body", "Not for now."], server)
      try await scene.queue(
        ["edit", "6", "--add-label", "bug", "--title", "Retitled"], server)
      try await scene.queue(["create", "-t", "Brand new", "-b", "Here.", "--label", "bug"], server)
    }

    @Test("on a terminal, a list shows pending changes, online and offline, new issues first")
    func list() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await fill(scene, server)
        for place in [[], ["--offline"], ["--max-age", "1d"]] {
          let screen = try await scene.run(
            ["swiftlang/swift"] + place, server, connection: OutboxScene.terminal
          ).screen
          let lines = screen.split(separator: "\n").map(String.init)
          let header = try #require(lines.firstIndex { $0.contains("PENDING") }, "\(screen)")
          #expect(lines[header + 1].hasPrefix("new-4  Brand new"))
          #expect(lines[header + 1].hasSuffix("  new"))
          let closed = try #require(lines.first { $0.hasPrefix("#5 ") })
          #expect(closed.contains("close as not planned, "), "\(screen)")
          let edited = try #require(lines.first { $0.hasPrefix("#6 ") })
          #expect(edited.contains("Retitled"))
          #expect(edited.contains("title, +bug"))
          #expect(lines.count { $0.hasPrefix("#") } == 12)
        }
        // An issue that only gets its label by the change is listed too.
        let bugs = try await scene.run(
          ["swiftlang/swift", "--offline", "--label", "bug"], server,
          connection: OutboxScene.terminal
        ).screen
        #expect(bugs.contains("new-4  Brand new"))
        #expect(bugs.contains("#6     Retitled"), "\(bugs)")
        let closed = try await scene.run(
          ["swiftlang/swift", "--offline", "--state", "closed"], server,
          connection: OutboxScene.terminal
        ).screen
        #expect(closed.contains("\n#5 "), "\(closed)")
        #expect(!closed.contains("new-4"))
      }
    }

    @Test("pending changes don't alter pipes and JSON, unless 'pending' is requested")
    func programs() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let forms: [[String]] = [
          ["swiftlang/swift"], ["swiftlang/swift", "--json", "number,title,state"],
          ["swiftlang/swift", "--json"], ["view", "swiftlang/swift", "5", "--comments"],
          ["view", "swiftlang/swift", "5", "--json"],
        ]
        let before = try await results(of: forms, scene, server)
        try await fill(scene, server)
        #expect(try await results(of: forms, scene, server) == before)
        for place in [[], ["--offline"]] {
          let offline = try await results(of: forms.map { $0 + place }, scene, server)
          #expect(offline == before)
          let list = try await scene.run(
            [
              "swiftlang/swift", "--json", "number,pending", "--jq",
              ".[] | select(.pending != []) | .number",
            ]
              + place, server)
          #expect(list.outputText == "6\n5\n", "\(list.errorText)")
          let view = try await scene.run(
            ["view", "swiftlang/swift", "5", "--json", "number,pending"] + place, server)
          #expect(
            view.outputText == """
              {"number":5,"pending":[{"change":"close as not planned","id":1,"state":"queued"},\
              {"change":"comment: Not for now.","id":2,"state":"queued"}]}

              """, "\(view.errorText)")
        }
        let found = try await scene.run(
          [
            "search", "is:open", "sort:created-asc", "--json", "number,pending", "--jq",
            ".[4].pending[0].id",
          ],
          server)
        #expect(found.outputText == "1\n", "\(found.errorText)")
      }
    }

    private func results(
      of forms: [[String]], _ scene: OutboxScene, _ server: LoopbackServer
    ) async throws -> [String] {
      var texts: [String] = []
      for form in forms { texts.append(try await scene.run(form, server).outputText) }
      return texts
    }

    @Test("an issue's page includes its pending changes and comments, and marks them")
    func view() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await fill(scene, server)
        for place in [[], ["--offline"]] {
          let page = try await scene.run(
            ["view", "swiftlang/swift", "5", "--comments"] + place, server,
            connection: OutboxScene.terminal
          ).screen
          #expect(page.contains("\nClosed as not planned · "), "\(page)")
          #expect(page.contains("\nNot sent yet: close as not planned, comment\n"))
          #expect(page.contains("not sent yet: comment\n\nNot for now.\n\nView this issue"))
        }
        let search = try await scene.run(
          ["search", "is:open"], server, connection: OutboxScene.terminal
        ).screen
        #expect(search.contains("PENDING"))
        #expect(search.contains("Retitled"))
        #expect(search.contains("title, +bug"))
      }
    }

    @Test("'sync' sends pending changes first unless --no-send, and reports failures at the end")
    func sync() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let sync = ["sync", "swiftlang/swift"]
        #expect(try await scene.run(sync, server).status == .exited(0))
        try await scene.queue(["close", "5"], server)
        #expect(try await scene.run(sync + ["--no-send"], server).status == .exited(0))
        #expect(try scene.issue(5).isOpen)
        let sent = try await scene.run(sync, server, connection: OutboxScene.terminal)
        #expect(sent.status == .exited(0), "\(sent.screen)")
        #expect(sent.screen.contains("Sending from the outbox first: close swiftlang/swift#5\n"))
        #expect(sent.screen.contains("Sent 1 change to swiftlang/swift.\n"))
        #expect(try !scene.issue(5).isOpen)
        let mirrored = try await scene.run(
          ["view", "swiftlang/swift", "5", "--offline", "--json", "state", "--jq", ".state"], server
        )
        #expect(mirrored.outputText == "closed\n")

        try await scene.queue(["comment", "6", "--body", "x"], server)
        scene.github.strike(.unauthorized)
        let failed = try await scene.run(sync, server)
        #expect(failed.status == .exited(75), "\(failed.errorText)")
        #expect(failed.lines.count == 1, "the repository is synced all the same")
        #expect(failed.errorText.contains("1 of 1 change isn't on the server"))
        #expect(try await scene.run(sync, server).status == .exited(0))
        #expect(scene.writtenComments(on: 6) == ["x"])
      }
    }
  }
}
