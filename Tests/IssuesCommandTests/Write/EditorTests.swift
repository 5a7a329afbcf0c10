import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Writing in an editor", .timeLimit(.minutes(5)))
  struct EditorTests {
    private static let repo = ["-R", "swiftlang/swift"]

    @Test("create asks for a title, takes the text from the editor, and leaves no draft")
    func create() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create"] + Self.repo, server, editor: #"sh -c 'printf "One\n\nTwo\n\n" > "$1"' sh"#)
        try await run.waitFor("Title: ")
        run.write("It crashes\n")
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(result.screen.contains("✓ Created swiftlang/swift#21"), "\(result.screen)")
        #expect(scene.issue(21)?.title == "It crashes")
        #expect(scene.issue(21)?.body == "One\n\nTwo")
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("an empty text or title cancels")
    func empty() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let comment = try await scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server, editor: #"sh -c 'rm "$1"; : > "$1"' sh"#
        ).result()
        #expect(comment.status == .exited(2))
        #expect(comment.screen.contains("Nothing was sent."))
        #expect(!comment.screen.contains("--wait"))
        let run = try scene.startOnTerminal(["create"] + Self.repo, server, editor: "true")
        try await run.waitFor("Title: ")
        run.write("\n")
        #expect(try await run.result().status == .exited(2))
        #expect(scene.writes.isEmpty)
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("a text saved after the editor returned is used by --recover")
    func doesNotWait() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let first = try await scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server, editor: "true"
        ).result()
        #expect(first.status == .exited(2))
        #expect(first.screen.contains("'code --wait'"), "\(first.screen)")
        #expect(first.screen.contains("continue with the saved text: \(scene.folder.path)"))
        // As long as nothing is saved, there is nothing to offer.
        let second = try await scene.startOnTerminal(
          ["comment", "12", "--recover"] + Self.repo, server, editor: "true"
        ).result()
        #expect(second.screen.contains("there is no draft to continue"), "\(second.screen)")
        let name = try #require(try scene.drafts.keys.first { $0.hasSuffix(".md") })
        try scene.folder.write(Data("At last.\n".utf8), to: "issues/drafts/\(name)")
        let last = try scene.startOnTerminal(
          ["comment", "12", "--recover"] + Self.repo, server, editor: "true")
        try await last.answer(["Use the text as it is?": "y\n"])
        let third = try await last.result()
        #expect(third.status == .exited(0), "\(third.screen)")
        #expect(scene.writtenComments(on: 12) == ["At last."])
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test(
      "a draft that is a link, not a file, or too large isn't read",
      arguments: ["ln -sf /etc/passwd \"$1\"", "truncate -s 5M \"$1\"", "rm \"$1\"; mkfifo \"$1\""])
    func strangeDraft(command: String) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server, editor: "sh -c '\(command)' sh"
        ).result()
        #expect(result.status == .exited(1), "\(result.screen)")
        #expect(result.screen.contains("cannot read the draft"), "\(result.screen)")
        #expect(scene.writes.isEmpty)
      }
    }

    @Test(
      "the editor is the first of GIT_EDITOR, git's configuration, VISUAL and EDITOR",
      arguments: [
        (["GIT_EDITOR", "git", "VISUAL", "EDITOR"], "GIT_EDITOR"),
        (["git", "VISUAL", "EDITOR"], "git"), (["VISUAL", "EDITOR"], "VISUAL"),
        (["EDITOR"], "EDITOR"),
      ])
    func choice(named: [String], chosen: String) async throws {
      let scene = try WriteScene()
      func editor(_ name: String) -> String { #"sh -c 'printf \#(name) > "$1"' sh"# }
      var environment = named.filter { $0 != "git" }.reduce(into: [:]) { $0[$1] = editor($1) }
      if named.contains("git") {
        environment["GIT_CONFIG_COUNT"] = "1"
        environment["GIT_CONFIG_KEY_0"] = "core.editor"
        environment["GIT_CONFIG_VALUE_0"] = editor("git")
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server, environment: environment
        ).result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(scene.writtenComments(on: 12) == [chosen])
      }
    }

    @Test("the editor of the user's git configuration is used, and a clone's is not")
    func strangersClone() async throws {
      let scene = try WriteScene()
      func editor(_ name: String) -> String { #"sh -c 'printf \#(name) > "$1"' sh"# }
      let clone = scene.folder["clone"]
      for folder in ["objects", "refs"] {
        try FileManager.default.createDirectory(
          atPath: "\(clone)/.git/\(folder)", withIntermediateDirectories: true)
      }
      func configuration(_ name: String) -> Data {
        Data("[core]\n\teditor = \"\(editor(name).replacing("\"", with: "\\\""))\"\n".utf8)
      }
      try scene.folder.write(Data("ref: refs/heads/main\n".utf8), to: "clone/.git/HEAD")
      try scene.folder.write(configuration("stranger"), to: "clone/.git/config")
      try scene.folder.write(configuration("user"), to: "user")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for configuration in ["/dev/null", scene.folder["user"]] {
          let result = try await scene.startOnTerminal(
            ["comment", configuration == "/dev/null" ? "12" : "13"] + Self.repo, server,
            editor: editor("EDITOR"), environment: ["GIT_CONFIG_GLOBAL": configuration],
            workingDirectory: clone
          ).result()
          #expect(result.status == .exited(0), "\(result.screen)")
        }
        #expect(scene.writtenComments(on: 12) == ["EDITOR"])
        #expect(scene.writtenComments(on: 13) == ["user"])
      }
    }

    @Test("create -e opens an editor for title and text, and comment -e for its text")
    func editorFlag() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let created = try await scene.startOnTerminal(
          ["create", "-e", "-t", "It", "-b", "Old."] + Self.repo, server,
          editor: #"sh -c 'sed -i "s/^It$/It crashes/; s/^Old/New/" "$1"' sh"#
        ).result()
        #expect(created.status == .exited(0), "\(created.screen)")
        #expect(scene.issue(21)?.title == "It crashes")
        #expect(scene.issue(21)?.body == "New.")
        let untitled = try await scene.startOnTerminal(
          ["create", "-e"] + Self.repo, server, editor: #"sh -c 'printf "\n\nNo title" > "$1"' sh"#
        ).result()
        #expect(untitled.status == .exited(64))
        #expect(untitled.screen.contains("The text is kept: \(scene.folder.path)"))
        #expect(scene.issue(22) == nil)
        let comment = try await scene.startOnTerminal(
          ["comment", "12", "-e"] + Self.repo, server,
          editor: #"sh -c 'printf "Me too." > "$1"' sh"#
        ).result()
        #expect(comment.status == .exited(0), "\(comment.screen)")
        #expect(scene.writtenComments(on: 12) == ["Me too."])
      }
    }

    @Test("the editor gets no token, and edits a private file")
    func privacy() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server,
          editor: #"sh -c 'env > "$1"; stat -c mode=%a "$1" >> "$1"' sh"#
        ).result()
        #expect(result.status == .exited(0), "\(result.screen)")
        let text = try #require(scene.writtenComments(on: 12).first)
        #expect(text.contains("mode=600"))
        #expect(text.contains("HOME="))
        #expect(!text.contains(IssuesProgram.token))
      }
    }

    @Test(
      "a failed editor keeps the text, and the next run offers it", arguments: [true, false])
    func failure(recovers: Bool) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let failed = try await scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server,
          editor: #"sh -c 'printf "Half a tho" > "$1"; exit 3' sh"#
        ).result()
        #expect(failed.status == .exited(1))
        #expect(failed.screen.contains("status 3"), "\(failed.screen)")
        #expect(failed.screen.contains("The text is kept: \(scene.folder.path)"))
        #expect(try scene.drafts.values.contains("Half a tho"))
        #expect(scene.writes.isEmpty)
        let run = try scene.startOnTerminal(
          ["comment", "12"] + Self.repo + (recovers ? ["--recover"] : []), server,
          editor: #"sh -c 'printf ught >> "$1"' sh"#)
        if !recovers {
          try await run.waitFor("Go on with it?")
          run.write("y\n")
        }
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(scene.writtenComments(on: 12) == ["Half a thought"])
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("a declined draft is kept or deleted, as the user answers")
    func unwanted() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server, editor: #"sh -c 'printf old > "$1"; exit 3' sh"#
        ).result()
        for (answer, text) in [("n", "new"), ("d", "newer")] {
          let run = try scene.startOnTerminal(
            ["comment", "12"] + Self.repo, server, editor: "sh -c 'printf \(text) > \"$1\"' sh")
          try await run.waitFor("Go on with it?")
          run.write("\(answer)\n")
          let result = try await run.result()
          #expect(result.status == .exited(0), "\(result.screen)")
          #expect(try scene.drafts.values.contains("old") == (answer == "n"))
        }
        #expect(scene.writtenComments(on: 12) == ["new", "newer"])
        // A draft is for one issue only.
        let other = try await scene.run(["comment", "13", "--recover"] + Self.repo, server)
        other.expectFailure(64, saying: ["--body"])
      }
    }

    @Test(
      "a draft survives every signal that ends the program or its terminal",
      arguments: [9, 1])
    func killed(signal: Int32) async throws {
      let scene = try WriteScene()
      let started = scene.folder["started"]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "-t", "It crashes"] + Self.repo, server,
          editor: #"sh -c 'printf "My text" > "$1"; echo ready; exec cat' sh"#,
          environment: ["STARTED": started])
        try await run.waitFor("ready")
        // A second run doesn't touch a draft that is being edited.
        let second = try await scene.startOnTerminal(
          ["create", "-t", "Another"] + Self.repo, server,
          editor: #"sh -c 'printf "Other" > "$1"' sh"#
        ).result()
        #expect(second.status == .exited(0), "\(second.screen)")
        run.send(signal: signal)
        _ = try? await run.result()
        #expect(scene.issue(21)?.title == "Another")
        #expect(scene.issue(22) == nil)
        let again = try scene.startOnTerminal(
          ["create", "--recover"] + Self.repo, server, editor: "touch -d @0")
        let result = try await again.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(scene.issue(22)?.title == "It crashes")
        #expect(scene.issue(22)?.body == "My text")
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("Ctrl-C goes to the editor, and the terminal's settings are restored")
    func interrupted() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server,
          editor:
            #"sh -c 'trap "printf caught > \"$1\"; stty raw -echo; exit 0" INT; echo ready; while :; do read x; done' sh"#
        )
        try await run.waitFor("ready")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(scene.writtenComments(on: 12) == ["caught"])
        // A terminal in raw mode wouldn't begin lines at the left.
        #expect(result.outputText.contains("✓ Commented on swiftlang/swift#12"))
        #expect(result.outputText.hasSuffix("\r\n"))
      }
    }

    @Test("edit opens the current issue, with the title on the first line")
    func edit() async throws {
      let scene = try WriteScene()
      scene.github.changeIssue(12, of: WriteScene.repository) {
        ($0.title, $0.body) = ("Old title", "One\r\nTwo")
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.startOnTerminal(
          ["edit", "12"] + Self.repo, server, editor: "sed -i s/Old/New/"
        ).result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(scene.issue(12)?.title == "New title")
        // An unchanged text isn't sent.
        #expect(scene.issue(12)?.body == "One\r\nTwo")
        #expect(scene.github.receipts.last?.body.contains("body") == false)
        let nothing = try await scene.startOnTerminal(
          ["edit", "12"] + Self.repo, server, editor: "true"
        ).result()
        #expect(nothing.status == .exited(2))
        #expect(nothing.screen.contains("Nothing was changed."))
        let both = try await scene.startOnTerminal(
          ["edit", "12"] + Self.repo, server, editor: #"sh -c 'printf "A\n\nB\nC\n" > "$1"' sh"#
        ).result()
        #expect(both.status == .exited(0), "\(both.screen)")
        #expect(scene.issue(12)?.title == "A")
        #expect(scene.issue(12)?.body == "B\nC")
      }
    }

    @Test("another user's change made while the editor is open isn't overwritten")
    func conflict() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["edit", "12"] + Self.repo, server,
          editor: #"sh -c 'echo ready; read x; printf "Mine\n\nB\n" > "$1"' sh"#)
        try await run.waitFor("ready")
        scene.github.changeIssue(12, of: WriteScene.repository) { $0.title = "Theirs" }
        run.write("\n")
        let result = try await run.result()
        #expect(result.status == .exited(9), "\(result.screen)")
        #expect(result.screen.contains("someone else changed"))
        #expect(scene.issue(12)?.title == "Theirs")
      }
    }
  }
}
