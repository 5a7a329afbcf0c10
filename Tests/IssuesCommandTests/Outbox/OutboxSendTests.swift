import IssueOutbox
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues outbox send", .timeLimit(.minutes(5)))
  struct OutboxSendTests {
    @Test("queued changes are sent in order and once, and a comment follows its new issue")
    func send() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["create", "-t", "It crashes", "-b", "Here."], server)
        try await scene.queue(["comment", "new-1", "--body", "Since 6.2."], server)
        try await scene.queue(["edit", "5", "--add-label", "bug"], server)
        #expect(scene.github.receipts.isEmpty)
        let result = try await scene.run(["outbox", "send"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.cells.map { Array($0[0...1]) } == [["1", "sent"], ["2", "sent"], ["3", "sent"]])
        let page = "https://github.com/swiftlang/swift/issues"
        #expect(result.cells[0][7] == "\(page)/13")
        #expect(result.cells[1][7].hasPrefix("\(page)/13#issuecomment-"))
        #expect(result.cells[2][7] == "\(page)/5")
        #expect(try scene.issue(13).title == "It crashes")
        #expect(scene.writtenComments(on: 13) == ["Since 6.2."])
        #expect(try scene.issue(5).labels.map(\.name).contains("bug"))
        #expect(scene.github.receipts.count == 3)

        let again = try await scene.run(["outbox", "send"], server)
        #expect(again.status == .exited(0))
        #expect(again.outputText.isEmpty)
        #expect(scene.github.receipts.count == 3)
        #expect(try await scene.run(["outbox"]).outputText.isEmpty)
        #expect(try await scene.run(["outbox", "--all"]).lines.count == 3)
      }
    }

    @Test("on a terminal, send prints a sentence for each change, and sends only the given ids")
    func sentences() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["comment", "4", "--body", "One."], server)
        try await scene.queue(["comment", "5", "--body", "Two."], server)
        let result = try await scene.run(
          ["outbox", "send", "2"], server, connection: OutboxScene.terminal)
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(result.screen.hasPrefix("✓ Commented on swiftlang/swift#5: https://github.com/"))
        #expect(scene.writtenComments(on: 5) == ["Two."])
        #expect(scene.writtenComments(on: 4).isEmpty)
        let json = try await scene.run(["outbox", "send", "--json", "id,state,url"], server)
        #expect(
          json.outputText.hasPrefix(#"[\#n{"id":1,"state":"sent","url":"https://github.com/"#))
        #expect(scene.writtenComments(on: 4) == ["One."])
      }
    }

    @Test("without a network, changes stay queued with status 75, and a later run sends them")
    func networkAway() async throws {
      let scene = try OutboxScene()
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      try await scene.queue(["comment", "4", "--body", "One."], server)
      await server.stop()
      let result = try await scene.run(["outbox", "send", "--retries", "0"], server)
      #expect(result.status == .exited(75), "\(result.errorText)")
      #expect(result.cells.map { $0[1] } == ["queued"])
      #expect(result.errorText.contains("1 of 1 change isn't on the server: 1 queued"))
      #expect(result.errorText.contains("'issues outbox send' continues"))
      #expect(!result.errorText.contains(IssuesProgram.token))
      #expect(try await scene.states() == [.queued])
      let page = try await scene.run(["outbox", "show", "1"])
      #expect(page.outputText.contains("sent:\ttried once; it changed nothing on the server\n"))
    }

    @Test("a refused change waits with the server's message, and 'retry' sends it again")
    func refused() async throws {
      let scene = try OutboxScene {
        $0.permissions = [IssuesProgram.token: .read]
        $0.tokenOwners = ["ghp_other": "eve"]
      }
      // Its author may close it without any permission.
      let number = try #require(
        scene.github.issues(of: OutboxScene.repository).first { $0.author != "octocat" }?.number)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["close", "\(number)"], server)
        let result = try await scene.run(["outbox", "send"], server)
        #expect(result.status == .exited(1), "\(result.errorText)")
        #expect(result.cells.map { $0[1] } == ["refused"])
        #expect(result.cells[0][6].contains("Resource not accessible"))
        let page = try await scene.run(["outbox", "show", "1"])
        #expect(page.outputText.contains("sent:\tonce\n"))
        #expect(page.outputText.contains("next:\tissues outbox retry or drop 1\n"))
        // A user with another token may.
        let again = try await scene.run(
          ["outbox", "retry", "1"], server, environment: ["GH_ENTERPRISE_TOKEN": "ghp_other"])
        #expect(again.status == .exited(75), "\(again.errorText)")
        #expect(try scene.issue(number).isOpen)
        let asMe = try await scene.run(
          ["outbox", "send", "--as-me"], server, environment: ["GH_ENTERPRISE_TOKEN": "ghp_other"])
        #expect(asMe.status == .exited(0), "\(asMe.errorText)")
        #expect(try !scene.issue(number).isOpen)
      }
    }

    @Test("a change whose response was lost is found on the server, and isn't sent twice")
    func found() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["comment", "5", "--body", "Once."], server)
        scene.github.strike(.answerLost)
        let result = try await scene.run(["outbox", "send"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.cells.map { $0[1] } == ["sent"])
        #expect(scene.writtenComments(on: 5) == ["Once."])
      }
    }

    @Test("the next run looks again for a change whose response was lost")
    func foundLater() async throws {
      let scene = try OutboxScene {
        var faults = LoopbackWriteFaults()
        faults.delay = 1_000
        $0.writeFaults = faults
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["comment", "5", "--body", "Once."], server)
        scene.github.strike(.commitDelayed)
        #expect(try await scene.run(["outbox", "send"], server).status == .exited(9))
        try await scene.queue(["react", "5", "heart"], server)
        scene.github.settle()
        let found = try await scene.run(["outbox", "send", "1"], server)
        #expect(found.status == .exited(0), "\(found.errorText)")
        #expect(try await scene.run(["outbox", "send"], server).status == .exited(0))
        #expect(scene.writtenComments(on: 5) == ["Once."])
      }
    }

    @Test("a change of a moved issue names the new address, and 'retarget' sends it there")
    func moved() async throws {
      let elsewhere = LoopbackRepository(
        id: 7, owner: "swiftlang", name: "other",
        issues: SyntheticIssues(count: 2, pullRequests: 0, closed: 0))
      let scene = try OutboxScene {
        $0.repositories.append(elsewhere)
        $0.movedWriteStatus = 404
        $0.permission = .write
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let number = try #require(
          scene.github.transferIssue(5, of: OutboxScene.repository, to: elsewhere))
        let refused = try await scene.run(
          ["comment", "5", "--body", "Mine.", "-R", "swiftlang/swift"], server)
        refused.expectFailure(
          3,
          saying: [
            "the issue was moved to https://github.com/swiftlang/other/issues/\(number)",
            "issues outbox retarget 1",
          ])
        let page = try await scene.run(["outbox", "show", "1"])
        #expect(page.outputText.contains("next:\tissues outbox retarget 1, or drop 1\n"))
        let sent = try await scene.run(["outbox", "retarget", "1"], server)
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        #expect(scene.github.comments(on: number, of: elsewhere).last?.body == "Mine.")
        try await scene.queue(["comment", "7", "--body", "Here."], server)
        try await scene.run(["outbox", "retarget", "2"], server)
          .expectFailure(64, saying: ["swiftlang/swift#7 hasn't moved", "--to"])
        let named = try await scene.run(["outbox", "retarget", "2", "--to", "8"], server)
        #expect(named.status == .exited(0), "\(named.errorText)")
        #expect(scene.writtenComments(on: 8) == ["Here."])
      }
    }

    @Test("a change that isn't found waits for the user to say if it was sent")
    func unknown() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["create", "-t", "Late", "-b", ""], server)
        try await scene.queue(["comment", "5", "--body", "Lost."], server)
        // Both requests are gone; the server never sees them.
        scene.github.strike(.requestLost, times: 2)
        let result = try await scene.run(["outbox", "send"], server)
        #expect(result.status == .exited(9), "\(result.errorText)")
        #expect(result.cells.map { $0[1] } == ["unknown", "unknown"], "\(result.outputText)")
        #expect(try await scene.run(["outbox", "send"], server).status == .exited(9))
        #expect(scene.writtenComments(on: 5).isEmpty)

        try await scene.run(["outbox", "resolve", "1", "--sent"])
          .expectFailure(64, saying: ["--sent NUMBER"])
        try await scene.run(["outbox", "resolve", "1", "--sent", "9999"], server)
          .expectFailure(
            64, saying: ["swiftlang/swift has no #9999: nothing was recorded", "--yes"])
        try await scene.run(["outbox", "resolve", "2", "--sent"], server)
          .expectFailure(64, saying: ["the server doesn't show it: nothing was recorded"])
        let asked = try scene.start(
          ["outbox", "resolve", "1", "--sent", "12"], server, connection: OutboxScene.terminal)
        try await asked.waitFor("Record that it was sent anyway? [y/N] ")
        asked.write("n\n")
        #expect(try await asked.result().status == .exited(2))
        #expect(try await scene.states() == [.unknown, .unknown])
        let sent = try await scene.run(["outbox", "resolve", "1", "--sent", "12", "--yes"])
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        #expect(sent.outputText == "Noted: Created swiftlang/swift#12.\n")
        try await scene.run(["outbox", "retry", "2"], server)
          .expectFailure(64, saying: ["--yes"])
        let again = try await scene.run(["outbox", "resolve", "2", "--not-sent"], server)
        #expect(again.status == .exited(0), "\(again.errorText)")
        #expect(scene.writtenComments(on: 5) == ["Lost."])
        #expect(try await scene.states() == [.sent, .sent])
      }
    }

    @Test("a --sent claim is checked with the server, and accepted when offline")
    func word() async throws {
      let scene = try OutboxScene()
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      for title in ["Late", "Later"] {
        try await scene.queue(["create", "-t", title, "-b", "Here."], server)
      }
      scene.github.strike(.requestLost, times: 2)
      #expect(try await scene.run(["outbox", "send"], server).status == .exited(9))
      // A user posts the first one by hand.
      let others = try ScratchFolder()
      let posted = try await scene.run(
        ["create", "-t", "Late", "-b", "Here.", "-R", "swiftlang/swift"], server,
        environment: ["XDG_DATA_HOME": others.path])
      #expect(posted.status == .exited(0), "\(posted.errorText)")
      let first = try await scene.run(["outbox", "resolve", "1", "--sent", "13"], server)
      #expect(first.status == .exited(0), "\(first.errorText)")
      #expect(first.outputText == "Noted: Created swiftlang/swift#13.\n")
      await server.stop()
      let second = try await scene.run(
        ["outbox", "resolve", "2", "--sent", "14", "--retries", "0"], server)
      #expect(second.status == .exited(0), "\(second.errorText)")
      #expect(second.errorText == "The server can't be reached, so this wasn't checked.\n")
    }

    @Test("a refusal for an unknown label names two remedies, and both work")
    func unknownLabel() async throws {
      let scene = try OutboxScene { $0.permission = .write }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let refused = try await scene.run(
          ["edit", "5", "--add-label", "bgu", "-R", "swiftlang/swift"], server)
        refused.expectFailure(
          3, saying: ["has no label “bgu”", "issues outbox retry 1 --create-labels"])
        let page = try await scene.run(["outbox", "show", "1"])
        #expect(
          page.outputText.contains(
            "next:\tissues outbox retry 1 --create-labels, or edit or drop 1\n"))
        try await scene.queue(["create", "-t", "New", "-b", "", "--label", "fresh"], server)
        #expect(try await scene.run(["outbox", "send"], server).status == .exited(1))
        let created = try await scene.run(
          ["outbox", "retry", "2", "--create-labels"], server)
        #expect(created.status == .exited(0), "\(created.errorText)")
        #expect(try scene.issue(13).labels.map(\.name) == ["fresh"])
        let edited = try await scene.run(
          ["outbox", "edit", "1", "--add-label", "bug", "--remove-label", "bgu"])
        #expect(edited.status == .exited(0), "\(edited.errorText)")
        let sent = try await scene.run(["outbox", "send"], server)
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        #expect(try scene.issue(5).labels.map(\.name).contains("bug"))
        // The temporary name goes on to mean the issue.
        let view = try await scene.run(["view", "new-2", "--json", "number"], server)
        #expect(view.outputText == "{\"number\":13}\n", "\(view.errorText)")
        #expect(view.errorText.contains("new-2 is"), "\(view.errorText)")
        #expect(view.errorText.contains("swiftlang/swift#13 now."))
        try await scene.run(["outbox", "retry", "1", "--create-labels"], server)
          .expectFailure(64, saying: ["was sent"])
      }
    }

    @Test("a refused change without a text mentions no text to keep or edit")
    func nothingWritten() async throws {
      let scene = try OutboxScene { $0.permission = .read }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(["lock", "5", "-R", "swiftlang/swift"], server)
        result.expectFailure(4, saying: ["The change is kept: issues outbox show 1"])
        #expect(!result.errorText.contains("Your text"))
      }
    }

    @Test("values that the server leaves out are reported, with their own status")
    func leftOut() async throws {
      let scene = try OutboxScene { $0.permission = .read }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["create", "-t", "Labelled", "-b", "", "--label", "bug"], server)
        let result = try await scene.run(
          ["outbox", "send"], server, connection: OutboxScene.terminal)
        #expect(result.status == .exited(8), "\(result.screen)")
        #expect(result.screen.contains("✓ Created swiftlang/swift#13"))
        #expect(result.screen.contains("labels: asked for bug; got none"))
      }
    }

    @Test("Ctrl-C while a change waits reports what is kept, and how to drop it")
    func interruptedChange() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        scene.github.strike(.requestLost)
        let run = try scene.start(
          ["comment", "5", "-b", "Once.", "-R", "swiftlang/swift"], server,
          connection: OutboxScene.terminal)
        try await run.waitFor("The response was lost")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        let words = result.outputText.split(whereSeparator: \.isNewline).joined(separator: " ")
        #expect(
          words.contains(
            "Stopped. Kept in the outbox, perhaps sent, its response was lost: 1 (comment on "))
        #expect(words.contains("'issues outbox drop 1' drops it."))
        #expect(try await scene.run(["outbox", "drop", "1", "--yes"]).status == .exited(0))
        #expect(scene.writtenComments(on: 5).isEmpty)
      }
    }

    @Test("Ctrl-C during a send keeps the rest, and the next run sends it")
    func interrupted() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for number in 3...6 {
          try await scene.queue(["comment", "\(number)", "--body", "Comment \(number)."], server)
        }
        let run = try scene.start(
          ["outbox", "send"], server, connection: OutboxScene.terminal)
        try await run.waitFor("✓ Commented on swiftlang/swift#3")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        #expect(
          result.outputText.contains(
            " of 4 changes stay in the outbox: 'issues outbox send "))
        let rest = try await scene.run(["outbox", "send"], server)
        #expect(rest.status == .exited(0), "\(rest.errorText)")
        for number in 3...6 {
          #expect(scene.writtenComments(on: number) == ["Comment \(number)."])
        }
      }
    }

    @Test("send --api-url sends to that server only, and a variable's token goes to no other")
    func otherServer() async throws {
      let scene = try OutboxScene()
      let other = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.queue(["comment", "5", "--body", "Here."], server)
        try await withLoopbackServer(answering: other.github.handler) { stranger in
          let result = try await scene.run(["outbox", "send"], stranger)
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.outputText.isEmpty)
          try await scene.run(["outbox", "send", "1"], stranger)
            .expectFailure(64, saying: ["--api-url names another server"])
        }
        #expect(scene.github.receipts.isEmpty)
      }
    }
  }

  @Suite("issues outbox resolve", .timeLimit(.minutes(5)))
  struct OutboxConflictTests {
    /// Makes a conflict about the title of #5, which another user changed after it was queued.
    private func conflict(_ scene: OutboxScene, _ server: LoopbackServer) async throws {
      try await scene.queue(["edit", "5", "--title", "Mine"], server)
      // The other user has another outbox.
      let others = try ScratchFolder()
      let theirs = try await scene.run(
        ["edit", "5", "--title", "Theirs", "-R", "swiftlang/swift"], server,
        environment: ["XDG_DATA_HOME": others.path])
      #expect(theirs.status == .exited(0), "\(theirs.errorText)")
      let sent = try await scene.run(["outbox", "send", "1"], server)
      #expect(sent.status == .exited(9), "\(sent.errorText)")
      #expect(try await scene.states().first == .conflict)
      #expect(try scene.issue(5).title == "Theirs")
    }

    @Test("a title with another user's change is shown in both versions, and isn't overwritten")
    func show() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let old = try scene.issue(5).title
        try await conflict(scene, server)
        let page = try await scene.run(["outbox", "show", "1"])
        #expect(
          page.outputText.contains(
            "Title, as you saw it (-) and as you want it (+)\n- \(old)\n+ Mine\n"),
          "\(page.outputText)")
        #expect(
          page.outputText.contains(
            "as the server has it now (+)\n- \(old)\n+ Theirs\n"))
        #expect(page.outputText.contains("--mine, --theirs or --edit"))
        let json = try await scene.run(
          ["outbox", "show", "1", "--json", "conflict", "--jq", ".conflict.theirs"])
        #expect(json.outputText == "Theirs\n")
        try await scene.run(["outbox", "edit", "1", "--title", "x"])
          .expectFailure(64, saying: ["resolve 1 --mine"])
      }
    }

    @Test(
      "resolve --mine replaces the other text, and --theirs keeps it",
      arguments: ["--mine", "--theirs"])
    func choose(option: String) async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await conflict(scene, server)
        let result = try await scene.run(
          ["outbox", "resolve", "1", option], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(try scene.issue(5).title == (option == "--mine" ? "Mine" : "Theirs"))
        #expect(try await scene.run(["outbox"]).outputText.isEmpty)
      }
    }

    @Test("resolve --edit opens both texts in the editor, and refuses leftover conflict markers")
    func edit() async throws {
      let scene = try OutboxScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await conflict(scene, server)
        try scene.folder.write(
          Data("#!/bin/sh\ncp \"$1\" \"$SEEN\"\nsed -i 1d \"$1\"\n".utf8), to: "careless")
        let seen = scene.folder["seen"]
        let careless = try await scene.run(
          ["outbox", "resolve", "1", "--edit"], server,
          environment: ["GIT_EDITOR": "sh \(scene.folder["careless"])", "SEEN": seen],
          connection: OutboxScene.terminal)
        #expect(careless.status == .exited(64), "\(careless.screen)")
        #expect(careless.screen.contains("the conflict markers are still in it"))
        let shown = try String(contentsOfFile: seen, encoding: .utf8)
        #expect(shown == "<<<<<<< yours\nMine\n=======\nTheirs\n>>>>>>> the server's")
        try scene.folder.write(Data("#!/bin/sh\necho Both > \"$1\"\n".utf8), to: "careful")
        let careful = try scene.start(
          ["outbox", "resolve", "1", "--edit"], server,
          environment: ["GIT_EDITOR": "sh \(scene.folder["careful"])"],
          connection: OutboxScene.terminal)
        // The careless text was kept, and is offered first.
        try await careful.waitFor("Go on with it?")
        careful.write("d\n")
        let result = try await careful.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(try scene.issue(5).title == "Both")
      }
    }
  }
}
