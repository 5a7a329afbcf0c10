import IssueOutbox
import PlatformModules
import TestSupport
import Testing

/// Issues changed on the screen, as a person does it.
extension CommandTests {
  @Suite(
    "Changes made on the screen", .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct ActingScreenTests {
    private static func window(
      _ scene: WriteScene, _ server: LoopbackServer, _ options: String = "",
      limit: String = "", environment: [String: String] = [:]
    ) async throws -> TmuxSession {
      let window = try await ScriptedScreenTests.window(
        environment: scene.environment.merging(environment) { $1 })
      window.type(
        "sh -c '\(limit)echo $$ >pid; exec $issues browse swiftlang/swift --api-url \(server.url) "
          + "\(options)'; echo ended $?")
      window.press("Enter")
      try await window.see("a list that is loaded") { $0.contains("row 1 of 20 ") }
      return window
    }

    private static func outbox(_ scene: WriteScene) throws -> Outbox {
      try Outbox(path: scene.folder["issues/outbox.db"])
    }

    @Test("closing an issue is queued, and leaving the screen sends it immediately")
    func close() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(scene, server)
        window.press("j", "x")
        try await window.see("Close #19")
        window.press("Enter")
        try await window.see("the row and the way back") {
          $0.contains("[close]") && $0.contains("u undoes")
        }
        #expect(scene.writes.isEmpty)
        window.press("q")
        try await window.see("ended 0")
        #expect(scene.issue(19)?.isOpen == false)
        #expect(scene.writes.count == 1)
      }
    }

    @Test("an undone change is never sent, even when the screen closes")
    func undo() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(scene, server)
        window.press("x", "Enter")
        try await window.see("u undoes")
        window.press("u")
        try await window.see("Undone: close #20 as completed")
        window.press("q")
        try await window.see("ended 0")
        #expect(scene.writes.isEmpty)
        #expect(try await Self.outbox(scene).entries().isEmpty)
      }
    }

    @Test("a change is in the outbox after the screen is killed")
    func killed() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(scene, server)
        window.press("x", "Enter")
        try await window.see("u undoes")
        let line = try String(contentsOfFile: "\(window.folder)/pid", encoding: .utf8)
        kill(try #require(pid_t(line.filter(\.isNumber))), SIGKILL)
        try await window.see("ended 137")
        #expect(scene.writes.isEmpty)
        let entries = try await Self.outbox(scene).entries()
        #expect(entries.map(\.change) == [.close(.number(20), .completed)])
        #expect(entries.map(\.state) == [.queued])
        let sent = try await scene.run(["outbox", "send"], server)
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        #expect(scene.issue(20)?.isOpen == false)
      }
    }

    @Test("a comment is written in the editor, and then the screen returns to the list")
    func comment() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(
          scene, server,
          environment: ["EDITOR": #"sh -c 'printf "From the screen." > "$1"; echo editing' sh"#])
        window.press("c")
        try await window.see("the list again") {
          $0.contains("[comment]") && $0.contains("Waiting: comment on #20 (u undoes)")
        }
        #expect(try scene.drafts.isEmpty)
        window.press("q")
        try await window.see("ended 0")
        #expect(scene.writtenComments(on: 20) == ["From the screen."])
      }
    }

    @Test("a file that is dropped on an issue is attached to a comment, once its writer agrees")
    func drop() async throws {
      let scene = try WriteScene()
      let picture = PNG.image(width: 3, height: 2)
      try scene.folder.write(picture, to: "a shot.png")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(
          scene, server,
          environment: [
            "EDITOR":
              #"sh -c 'path=$(head -n 1 "$1"); printf "%s\n\nIt looks bad.\n" "$path" > "$1"' sh"#
          ])
        window.paste("'\(scene.folder["a shot.png"])'")
        try await window.see("Upload it?")
        window.press("y", "Enter")
        try await window.see("the list again") {
          $0.contains("[comment]") && $0.contains("Waiting: comment on #20 (u undoes)")
        }
        window.press("q")
        try await window.see("ended 0")
        let upload = try #require(scene.github.uploads.first)
        #expect(upload.bytes == picture && scene.github.uploads.count == 1)
        #expect(
          scene.writtenComments(on: 20) == ["![a shot.png](\(upload.url))\n\nIt looks bad."])
      }
    }

    @Test("the editor's first line becomes the title of a new issue")
    func create() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(
          scene, server,
          environment: ["EDITOR": #"sh -c 'printf "It crashes\n\nAlways." > "$1"' sh"#])
        window.press("n")
        try await window.see("the new row") { $0.contains("new-1") && $0.contains("It crashes") }
        window.press("q")
        try await window.see("ended 0")
        #expect(scene.issue(21)?.title == "It crashes")
        #expect(scene.issue(21)?.body == "Always.")
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("the screen closes only after a change sent from the outbox page is done")
    func sentAgain() async throws {
      let scene = try WriteScene()
      let (asked, gate) = (Gate(), Gate())
      let held: LoopbackServer.Handler = { request in
        if request.method == "PATCH" {
          asked.open()
          await gate.wait()
        }
        return await scene.github.handler(request)
      }
      try await withLoopbackServer(answering: held) { server in
        let queued = try await scene.run(
          ["close", "19", "--queue", "-R", "swiftlang/swift"], server)
        #expect(queued.status == .exited(75), "\(queued.errorText)")
        let window = try await Self.window(scene, server)
        window.press("O")
        try await window.see("Close #19")
        window.press("r")
        await asked.wait()
        window.press("q", "q")
        // The shell's picture is back.
        try await window.see("exec $issues")
        gate.open()
        try await window.see("ended 0")
        #expect(try await Self.outbox(scene).entries().map(\.state) == [.sent])
        #expect(scene.issue(19)?.isOpen == false)
      }
    }

    @Test("a comment that doesn't fit in the outbox stays in its draft, and the draft is named")
    func fullDisk() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        // No file may grow beyond 104 KiB: the draft fits, the outbox with it doesn't.
        let window = try await Self.window(
          scene, server, limit: "trap \"\" XFSZ; ulimit -f 208; ",
          environment: ["EDITOR": #"sh -c 'head -c 60000 /dev/zero | tr "\0" x > "$1"' sh"#])
        window.press("c")
        try await window.see("The text is kept: \(scene.folder.path)")
        #expect(try scene.drafts.values.contains { $0.utf8.count == 60_000 })
        window.press("q")
        try await window.see("ended 0")
        #expect(scene.writes.isEmpty)
      }
    }

    @Test("with --offline, writing a new issue doesn't send a request")
    func createOffline() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let synced = try await scene.run(["sync", "swiftlang/swift"], server)
        #expect(synced.status == .exited(0), "\(synced.errorText)")
        let before = server.log.connectionCount
        let window = try await Self.window(
          scene, server, "--offline",
          environment: ["EDITOR": #"sh -c 'printf "It crashes" > "$1"' sh"#])
        window.press("n")
        try await window.see("the new row") { $0.contains("new-1") && $0.contains("It crashes") }
        window.press("q")
        try await window.see("ended 0")
        #expect(server.log.connectionCount == before)
      }
    }

    @Test("a failing editor leaves the draft, and the draft is named")
    func failedEditor() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(
          scene, server, environment: ["EDITOR": #"sh -c 'printf Half > "$1"; exit 3' sh"#])
        window.press("c")
        try await window.see("status 3")
        #expect(try scene.drafts.values.contains("Half"))
        window.press("q")
        try await window.see("ended 0")
        #expect(scene.writes.isEmpty)
      }
    }

    @Test("without a token, the screen immediately says how to sign in")
    func noToken() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let window = try await Self.window(scene, server, environment: ["GH_ENTERPRISE_TOKEN": ""])
        window.press("x")
        try await window.see("what is missing") {
          $0.contains("Changes need an access token") && $0.contains("GH_ENTERPRISE_TOKEN")
        }
        window.press("C-c")
        try await window.see("ended 0")
      }
    }
  }
}
