import IssueOutbox
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CommandTests {
  @Suite("Writes that fail", .timeLimit(.minutes(5)))
  struct WriteFailureTests {
    private static let comment = ["comment", "12", "-b", "Me too.", "-R", "swiftlang/swift"]

    @Test("without a network a script fails and leaves nothing behind, and --queue keeps it")
    func networkAway() async throws {
      let scene = try WriteScene()
      let failed = try await scene.run(Self.comment + ["--retries", "0"], nil)
      failed.expectFailure(6, saying: ["no connection", "isn't kept to be sent", "--queue"])
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

    @Test("on a terminal a change is kept until there is a network, and says so")
    func keptOnTerminal() async throws {
      let scene = try WriteScene()
      let result = try await scene.startOnTerminal(Self.comment + ["--retries", "0"], nil).result()
      #expect(result.status == .exited(75), "\(result.screen)")
      #expect(result.screen.contains("kept in the outbox, not sent yet"), "\(result.screen)")
      #expect(result.screen.contains("issues outbox send"))
    }

    @Test("what is about an issue in the outbox goes after it, by its temporary name")
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
      "a refusal has the server's words, the status of its kind, and says where the text is",
      arguments: [
        (LoopbackPermission.read, ["lock", "12"], Int32(4), "not accessible"),
        (.write, ["comment", "99", "-b", "x"], 3, "Not Found"),
        (.write, ["edit", "12", "-m", "x", "--type", "Nope"], 3, "no milestone"),
        (.write, ["edit", "12", "--type", "Nope"], 1, "Validation Failed"),
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

    @Test("an answer that was lost is found, or nobody knows; the comment is there once")
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
      "a disk that is full: nothing is sent, and the text is written back whole, once",
      arguments: [
        ["create", "-t", "A title", "-b", story], ["comment", "12", "-b", story],
        ["comment", "12", "--edit", "430000008402", "-b", story],
        ["edit", "12", "-t", "A title", "-b", story], ["edit", "11", "12", "-b", story],
        ["close", "12", "-c", story], ["outbox", "edit", "1", "-b", story],
        ["comment", "--where", "is:open", "--limit", "3", "--yes", "-b", story],
        ["close", "--where", "is:open", "--limit", "3", "--yes", "-c", story],
      ], [0, 64])
    func diskFull(arguments: [String], blocks: Int) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.run(Self.comment + ["--queue"], server)
        var environment = IssuesProgram.environment(scene.environment)
        environment["issues"] = try BuiltProducts.path(of: "issues")
        let isOnline = arguments[0] != "outbox"
        let connection = ["-R", "swiftlang/swift", "--api-url", server.url, "--no-cache"]
        // No file may grow beyond some half kilobytes, as on a full disk: the outbox can't be opened, or what was
        // typed doesn't go into it.
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

    @Test("a hostile answer does nothing to the terminal")
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

    @Test("what was written is in the mirror at once")
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

    @Test("somebody else's change of the same text is a conflict, and isn't overwritten")
    func conflict() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.run(["sync", "swiftlang/swift"], server)
        scene.github.changeIssue(12, of: WriteScene.repository) { $0.title = "Theirs" }
        let result = try await scene.run(
          ["edit", "12", "-t", "Mine", "-R", "swiftlang/swift"], server)
        result.expectFailure(9, saying: ["somebody else changed", "--mine"])
        #expect(scene.issue(12)?.title == "Theirs")
      }
    }

    @Test("--web opens GitHub's page with what was given")
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
