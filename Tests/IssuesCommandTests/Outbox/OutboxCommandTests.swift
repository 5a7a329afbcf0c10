import IssueOutbox
import IssueTracker
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues outbox without a network", .timeLimit(.minutes(5)))
  struct OutboxCommandTests {
    private let scene: OutboxScene
    private let name: RepositoryName

    init() throws {
      scene = try OutboxScene()
      name = try #require(RepositoryName("octo/cat"))
    }

    /// Puts changes into the outbox: a new issue, a comment on it, and an edit of another one.
    private func fill() async throws {
      let intentions = [
        Change.createIssue(NewIssue(title: "It \u{1B}[31mcrashes", body: "Here.\nAlways.")),
        .comment(on: .pending(1), body: "Since 6.2."),
        .edit(
          .number(12),
          IssueChange(
            body: TextChange("one\nTWO\nthree", base: "one\ntwo\nthree"), addedLabels: ["bug"])),
      ].map { Intention($0, in: name, on: .github) }
      try await scene.outbox().add(intentions)
    }

    @Test(
      "the outbox prints a line for each change in a pipe, a table on a terminal, and JSON objects")
    func list() async throws {
      try await fill()
      for arguments in [["outbox"], ["outbox", "list"], ["outbox", "-R", "Octo/Cat"]] {
        let result = try await scene.run(arguments)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let cells = result.cells
        #expect(cells.map(\.count) == [8, 8, 8], "\(result.outputText)")
        #expect(cells.map { $0[0] } == ["1", "2", "3"])
        #expect(cells.map { $0[1] } == ["queued", "queued", "queued"])
        #expect(cells.map { $0[3] } == ["octo/cat", "octo/cat", "octo/cat"])
        #expect(cells.map { $0[4] } == ["new-1", "new-1", "#12"])
        #expect(cells[1][5] == "comment: Since 6.2.")
        #expect(cells[1][6] == "waits for 1")
        #expect(!result.outputText.contains("\u{1B}"))
      }
      #expect(try await scene.run(["outbox", "-R", "octo/dog"]).outputText.isEmpty)
      let table = try await scene.run(["outbox"], connection: OutboxScene.terminal)
      #expect(
        table.screen.contains(
          """
          3 changes

          ID  STATE   ISSUE           CHANGE
          """), "\(table.screen)")
      #expect(table.screen.contains("3  queued  octo/cat#12     text, +bug: one"))
      #expect(table.screen.contains("\n    waits for 1\n"))
      let json = try await scene.run(["outbox", "--json", "id,number,pending_issue,depends_on"])
      #expect(
        json.outputText == """
          [
          {"id":1,"number":null,"pending_issue":"new-1","depends_on":[]},
          {"id":2,"number":null,"pending_issue":"new-1","depends_on":[1]},
          {"id":3,"number":12,"pending_issue":null,"depends_on":[]}
          ]

          """)
      try await scene.run(["outbox", "--json", "nosuch"]).expectFailure(64, saying: ["nosuch"])
    }

    @Test("a long line of text is cut in the outbox's list, and whole on the change's page")
    func longLine() async throws {
      let scene = try OutboxScene()
      let text = String(repeating: "x", count: 70_000)
      try await scene.outbox().add([
        Intention(.comment(on: .number(5), body: text), in: name, on: .github)
      ])
      #expect(try await scene.run(["outbox"]).outputText.utf8.count < 500)
      #expect(try await scene.run(["outbox", "show", "1"]).outputText.contains(text))
    }

    @Test("an outbox that doesn't exist is empty, and isn't created")
    func empty() async throws {
      #expect(try await scene.run(["outbox"]).outputText.isEmpty)
      #expect(try await scene.run(["outbox", "--json"]).outputText == "[]\n")
      #expect(
        try await scene.run(["outbox"], connection: OutboxScene.terminal).screen
          == "The outbox is empty: every change is on its server.\n")
      try await scene.run(["outbox", "show", "7"])
        .expectFailure(3, saying: ["no change 7", "issues outbox --all"])
      #expect(try await scene.run(["outbox", "send"]).status == .exited(0))
    }

    @Test("'outbox show' prints a whole change, with its text compared to the original")
    func show() async throws {
      try await fill()
      let edit = try await scene.run(["outbox", "show", "3"])
      #expect(edit.status == .exited(0), "\(edit.errorText)")
      #expect(edit.outputText.contains("state:\tqueued\nissue:\tocto/cat#12\ndoes:\ttext, +bug\n"))
      #expect(
        edit.outputText.hasSuffix(
          "(-) and as you want it (+)\n  one\n- two\n+ TWO\n  three\n"), "\(edit.outputText)")
      let new = try await scene.run(["outbox", "show", "new-1"])
      #expect(new.outputText.hasSuffix("\nText\n  Here.\n  Always.\n"), "\(new.outputText)")
      #expect(!new.outputText.contains("\u{1B}"))
      let json = try await scene.run(
        ["outbox", "show", "3", "--json", "body,state", "--jq", ".body"])
      #expect(json.outputText == "one\nTWO\nthree\n")
      let colored = try await scene.run(["outbox", "show", "3", "--color", "always"])
      #expect(colored.outputText.contains("\u{1B}[31m- two\u{1B}[0m"))
      #expect(colored.outputText.contains("\u{1B}[32m+ TWO\u{1B}[0m"))
    }

    @Test("a dropped change takes its dependent changes along, and all can be restored")
    func drop() async throws {
      try await fill()
      try await scene.run(["outbox", "drop", "1"]).expectFailure(64, saying: ["--yes"])
      try await scene.run(["outbox", "drop", "3", "99", "--yes"]).expectFailure(3, saying: ["99"])
      #expect(try await scene.run(["outbox"]).lines.count == 3)

      let asked = try scene.start(["outbox", "drop", "1"], connection: OutboxScene.terminal)
      try await asked.waitFor("A copy is kept for 30 days. [y/N] ")
      asked.write("n\n")
      #expect(try await asked.result().status == .exited(2))
      #expect(try await scene.run(["outbox"]).lines.count == 3)

      let dropped = try await scene.run(["outbox", "drop", "new-1", "--yes"])
      #expect(dropped.status == .exited(0), "\(dropped.errorText)")
      #expect(dropped.lines.map { $0.hasSuffix("A copy is kept for 30 days.") } == [true, true])
      #expect(try await scene.run(["outbox"]).cells.map { $0[0] } == ["3"])
      let list = try await scene.run(["outbox", "--dropped"])
      #expect(list.cells.map { $0[1] } == ["dropped", "dropped"])
      #expect(
        try await scene.run(["outbox", "show", "2"]).outputText.contains("issues outbox restore 2"))
      try await scene.run(["outbox", "drop", "2", "--yes"])
        .expectFailure(64, saying: ["already dropped"])
      let restored = try await scene.run(["outbox", "restore", "1", "2"])
      #expect(restored.status == .exited(0), "\(restored.errorText)")
      #expect(try await scene.run(["outbox"]).cells.map { $0[0] } == ["1", "2", "3"])
    }

    @Test("restoring a dropped creation restores its dependent changes, and names the others")
    func restore() async throws {
      try await fill()
      try await scene.outbox().add([
        Intention(.comment(on: .pending(1), body: "Not this one."), in: name, on: .github),
        Intention(.comment(on: .number(12), body: "On its own."), in: name, on: .github),
      ])
      for arguments in [["drop", "4"], ["drop", "1"], ["drop", "3"]] {
        let result = try await scene.run(["outbox"] + arguments + ["--yes"])
        #expect(result.status == .exited(0), "\(result.errorText)")
      }
      // It comes after 3 on its issue, and doesn't need it.
      #expect(try await scene.run(["outbox"]).cells.map { $0[0] } == ["5"])
      let restored = try await scene.run(["outbox", "restore", "1"])
      #expect(restored.status == .exited(0), "\(restored.errorText)")
      #expect(restored.lines.map { String($0.prefix(11)) } == ["Restored 1,", "Restored 2,"])
      #expect(
        restored.errorText
          == "Still dropped: 4, comment on new-1. 'issues outbox restore 4' puts it back.\n")
      #expect(try await scene.run(["outbox"]).cells.map { $0[0] } == ["1", "2", "5"])
    }

    @Test("only changes with a text or labels can be edited")
    func onlyWhatWorks() async throws {
      try await scene.outbox().add([
        Intention(.close(.number(12), .completed), in: name, on: .github),
        Intention(.edit(.number(12), IssueChange(addedLabels: ["bgu"])), in: name, on: .github),
      ])
      try await scene.run(["outbox", "edit", "1", "--add-label", "bug"])
        .expectFailure(64, saying: ["1 has no labels to change"])
      try await scene.run(["outbox", "edit", "2", "--body", "x"])
        .expectFailure(64, saying: ["2 has no text to change"])
      try await scene.run(["outbox", "edit", "2"])
        .expectFailure(64, saying: ["2 has no text", "--add-label"])
      let edited = try await scene.run(
        ["outbox", "edit", "2", "--add-label", "bug,crash", "--remove-label", "bgu"])
      #expect(edited.status == .exited(0), "\(edited.errorText)")
      let change = try await scene.outbox().entry(2)?.change
      #expect(change == .edit(.number(12), IssueChange(addedLabels: ["bug", "crash"])))
    }

    @Test("'outbox edit' takes a text from the command line, or opens the editor on a terminal")
    func edit() async throws {
      try await fill()
      let changed = try await scene.run(["outbox", "edit", "2", "--body", "Since 6.3."])
      #expect(changed.status == .exited(0), "\(changed.errorText)")
      #expect(changed.outputText.contains("isn't sent yet: issues outbox send 2"))
      #expect(try await scene.outbox().entry(2)?.change.text == "Since 6.3.")
      try await scene.run(["outbox", "edit", "2", "--title", "No"])
        .expectFailure(64, saying: ["no title to change"])
      try await scene.run(["outbox", "edit", "2"]).expectFailure(64, saying: ["--body TEXT"])

      try scene.folder.write(
        Data("#!/bin/sh\nsed -i 's/Always/Never/; 1s/.*/It hangs/' \"$1\"\n".utf8), to: "editor")
      let editor = try await scene.run(
        ["outbox", "edit", "1"],
        environment: ["GIT_EDITOR": "sh \(scene.folder["editor"])"],
        connection: OutboxScene.terminal)
      #expect(editor.status == .exited(0), "\(editor.screen)")
      let change = try #require(try await scene.outbox().entry(1)?.change)
      #expect(change == .createIssue(NewIssue(title: "It hangs", body: "Here.\nNever.")))
      let unchanged = try await scene.run(
        ["outbox", "edit", "1"], environment: ["GIT_EDITOR": "true"],
        connection: OutboxScene.terminal)
      #expect(unchanged.status == .exited(2))
      #expect(unchanged.screen.contains("Nothing was changed."))
    }

    @Test("a command that a change's state forbids is refused, with an alternative")
    func wrongState() async throws {
      try await fill()
      try await scene.run(["outbox", "resolve", "3", "--mine"])
        .expectFailure(64, saying: ["3 is queued", "issues outbox show 3"])
      try await scene.run(["outbox", "resolve", "3", "--sent"])
        .expectFailure(64, saying: ["3 is queued"])
      try await scene.run(["outbox", "resolve", "3"]).expectFailure(64, saying: ["Specify one"])
      try await scene.run(["outbox", "resolve", "3", "--mine", "--theirs"])
        .expectFailure(64, saying: ["Specify one"])
      try await scene.run(["outbox", "resolve", "--sent", "3"])
        .expectFailure(64, saying: ["3 is queued"])
      try await scene.run(["outbox", "send", "--stub"]).expectFailure(64, saying: ["--stub"])
    }

    @Test("completion offers the ids of open changes, with descriptions")
    func completion() async throws {
      try await fill()
      let result = try await scene.run(["---complete", "--", "issues outbox show "])
      #expect(
        result.lines == [
          "1\tocto/cat new-1 new: It ^[[31mcrashes", "2\tocto/cat new-1 comment: Since 6.2.",
          "3\tocto/cat#12 text, +bug: one",
        ], "\(result.outputText) \(result.errorText)")
    }

    @Test("'view' shows an issue that isn't created yet by its temporary name")
    func viewNew() async throws {
      try await fill()
      let page = try await scene.run(["view", "new-1"], connection: OutboxScene.terminal)
      #expect(page.status == .exited(0), "\(page.screen)")
      #expect(page.screen.contains("crashes new-1\n"))
      // The login isn't known.
      #expect(page.screen.contains("you opened"), "\(page.screen)")
      #expect(!page.screen.contains("ghost"))
      #expect(page.screen.contains("Not sent yet: new, comment\n"))
      #expect(page.screen.contains("not sent yet: comment\n\nSince 6.2.\n"))
      let plain = try await scene.run(["view", "new-1"])
      #expect(plain.outputText.contains("number:\tnew-1\n"))
      #expect(plain.outputText.contains("author:\tyou\n"))
      #expect(plain.outputText.hasSuffix("--\n> Here.\n> Always.\n"))
      try await scene.run(["view", "new-1", "--json"])
        .expectFailure(64, saying: ["issues outbox show new-1 --json"])
      try await scene.run(["view", "new-3"]).expectFailure(3, saying: ["new-3"])
    }
  }
}
