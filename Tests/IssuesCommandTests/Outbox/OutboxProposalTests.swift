import IssueOutbox
import IssueTracker
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Proposals in the outbox", .timeLimit(.minutes(5)))
  struct OutboxProposalTests {
    private let scene: OutboxScene
    private let name: RepositoryName

    init() throws {
      scene = try OutboxScene()
      name = try #require(RepositoryName("swiftlang/swift"))
    }

    private func propose(_ change: Change, on server: LoopbackServer) async throws {
      _ = try await scene.outbox().propose(
        Intention(change, in: name, on: try GitHubServer(apiURL: server.url)), by: "helper")
    }

    @Test("a proposal is listed with its proposer, and sent only when it is approved")
    func approve() async throws {
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await propose(.comment(on: .number(5), body: "I looked into it."), on: server)
        let list = try await scene.run(["outbox"])
        #expect(list.cells.map { $0[1] } == ["proposed"])
        #expect(list.cells.map { $0[6] } == ["proposed by helper"])
        let page = try await scene.run(["outbox", "show", "1"])
        #expect(page.outputText.contains("reason:\tproposed by helper\n"))
        #expect(page.outputText.contains("next:\tissues outbox approve, edit or drop 1\n"))
        let json = try await scene.run(["outbox", "--json", "state,proposed_by"])
        #expect(json.outputText == "[\n{\"state\":\"proposed\",\"proposed_by\":\"helper\"}\n]\n")

        #expect(try await scene.run(["outbox", "send"], server).status == .exited(0))
        try await scene.run(["outbox", "send", "1"], server).expectFailure(
          64, saying: ["1 is proposed by helper", "issues outbox approve 1"])
        try await scene.run(["outbox", "retry", "1"], server)
          .expectFailure(64, saying: ["approve it first"])
        try await scene.run(["outbox", "approve", "1"], server).expectFailure(64, saying: ["--yes"])
        #expect(scene.writtenComments(on: 5).isEmpty)

        let approved = try await scene.run(["outbox", "approve", "1", "--yes"], server)
        #expect(approved.status == .exited(0), "\(approved.errorText)")
        #expect(approved.cells.map { $0[1] } == ["sent"])
        #expect(scene.writtenComments(on: 5) == ["I looked into it."])
        let sent = try await scene.run(["outbox", "show", "1"])
        #expect(sent.outputText.contains("proposed by:\thelper\n"))
        try await scene.run(["outbox", "approve", "1", "--yes"], server)
          .expectFailure(64, saying: ["isn't a proposal"])
      }
    }

    @Test("on a terminal, approve shows the whole proposal before it asks")
    func question() async throws {
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await propose(.comment(on: .number(5), body: "Line one\nLine two"), on: server)
        let run = try scene.start(
          ["outbox", "approve", "1"], server, connection: OutboxScene.terminal)
        _ = try await run.waitFor("Send this as your own change? [y/N]")
        run.write("n\n")
        let result = try await run.result()
        #expect(result.status == .exited(2), "\(result.screen)")
        #expect(result.screen.contains("Line two"))
        #expect(try await scene.states() == [.proposed])
        #expect(scene.github.receipts.isEmpty)
      }
    }

    @Test("an edited proposal stays one, and a sync sends neither it nor what needs it")
    func others() async throws {
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await propose(.createIssue(NewIssue(title: "New")), on: server)
        try await scene.queue(["comment", "new-1", "--body", "On it."], server)
        let edited = try await scene.run(["outbox", "edit", "1", "--title", "Newer"])
        #expect(edited.outputText.contains("issues outbox approve 1"), "\(edited.errorText)")
        let sync = try await scene.run(["sync", "swiftlang/swift"], server)
        #expect(sync.status == .exited(0), "\(sync.errorText)")
        #expect(try await scene.states() == [.proposed, .queued])
        let both = try await scene.run(["outbox", "approve", "1", "--yes"], server)
        #expect(both.status == .exited(0), "\(both.errorText)")
        #expect(try scene.issue(13).title == "Newer")
      }
    }
  }
}
