import IssueOutbox
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("Attachments", .timeLimit(.minutes(5)))
  struct AttachTests {
    private static let repo = ["-R", "swiftlang/swift"]
    private static let picture = PNG.image(width: 3, height: 2)
    private static let video = Data("\0\0\0\u{18}ftypmp42".utf8)

    /// A scene with two pictures and a video.
    private static func scene(
      _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) throws -> WriteScene {
      let scene = try WriteScene(configure)
      try scene.folder.write(picture, to: "shot.png")
      try scene.folder.write(picture, to: "other.png")
      try scene.folder.write(video, to: "film.mp4")
      return scene
    }

    /// The names of the copies that the outbox keeps.
    private static func copies(_ scene: WriteScene) -> [String] {
      let path = scene.folder["issues/outbox.db.attachments"]
      return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Runs a subcommand that doesn't contact a server.
    private static func runLocally(
      _ arguments: [String], _ scene: WriteScene
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(arguments, environment: scene.environment)
    }

    @Test("files are appended to a comment, uploaded, and their copies are removed")
    func append() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          [
            "comment", "12", "-b", "Look:\n", "--attach", scene.folder["shot.png"] + "#A [crash]",
            "--attach", scene.folder["film.mp4"], "--attach", scene.folder["other.png"],
          ] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.isEmpty && result.lines.count == 1)
        let uploads = scene.github.uploads
        #expect(uploads.map(\.name) == ["shot.png", "film.mp4", "other.png"])
        #expect(uploads.map(\.bytes) == [Self.picture, Self.video, Self.picture])
        let urls = uploads.map(\.url)
        #expect(
          scene.writtenComments(on: 12) == [
            "Look:\n\n![A \\[crash\\]](\(urls[0]))\n\n\(urls[1])\n\n![other.png](\(urls[2]))"
          ])
        #expect(Self.copies(scene).isEmpty)
      }
    }

    @Test("a reference to the file is rewritten, except in code")
    func rewrite() async throws {
      let scene = try Self.scene()
      try scene.folder.write(Self.picture, to: "a b#1.png")
      let folder = scene.folder.path
      let text = """
        1. ![The crash](\(folder)/./shot.png "Title") and `![x](\(folder)/shot.png)`

        See ![film](\(folder)/film.mp4) here.

        ```
        ![x](\(folder)/shot.png)
        ```

            ![x](\(folder)/other.png)

        ![](<\(folder)/a b#1.png>) \\![x](\(folder)/shot.png)
        """
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          [
            "comment", "12", "-b", text, "--attach", "\(folder)/shot.png",
            "--attach", "\(folder)/film.mp4", "--attach", "\(folder)/a b#1.png",
          ] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let urls = scene.github.uploads.map(\.url)
        #expect(scene.github.uploads.map(\.name) == ["shot.png", "film.mp4", "a b#1.png"])
        try #require(urls.count == 3)
        #expect(
          scene.writtenComments(on: 12) == [
            """
            1. ![The crash](\(urls[0]) "Title") and `![x](\(folder)/shot.png)`

            See 

            \(urls[1])

            here.

            ```
            ![x](\(folder)/shot.png)
            ```

                ![x](\(folder)/other.png)

            ![](\(urls[2])) \\![x](\(folder)/shot.png)
            """
          ])
        // An alternative text on the command line wins.
        let second = try await scene.run(
          [
            "comment", "12", "-b", "![old](\(folder)/shot.png 'T')", "--attach",
            "\(folder)/shot.png#new",
          ] + Self.repo, server)
        #expect(second.status == .exited(0), "\(second.errorText)")
        #expect(
          scene.writtenComments(on: 12).last == "![new](\(scene.github.uploads[3].url) 'T')")
      }
    }

    @Test("a file alone is a comment, and is appended to an existing text")
    func alone() async throws {
      let scene = try Self.scene()
      scene.github.changeIssue(7, of: WriteScene.repository) { $0.body = "Old.\n" }
      let attach = ["--attach", scene.folder["shot.png"]]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        func run(_ arguments: [String]) async throws {
          let result = try await scene.run(arguments + attach + Self.repo, server)
          #expect(result.status == .exited(0), "\(result.errorText)")
        }
        func image(_ number: Int) -> String { "![shot.png](\(scene.github.uploads[number].url))" }
        try await run(["comment", "12"])
        #expect(scene.writtenComments(on: 12) == [image(0)])
        try await run(["comment", "12", "--edit-last"])
        #expect(scene.writtenComments(on: 12) == ["\(image(0))\n\n\(image(1))"])
        try await run(["comment", "12", "--edit-last", "-b", "New."])
        #expect(scene.writtenComments(on: 12) == ["New.\n\n\(image(2))"])
        try await run(["edit", "7"])
        #expect(scene.issue(7)?.body == "Old.\n\n\(image(3))")
        try await run(["create", "-t", "It crashes"])
        #expect(scene.issue(21)?.body == image(4))
        try await run(["edit", "7", "8", "-b", "Both."])
        #expect(scene.issue(7)?.body == "Both.\n\n\(image(5))")
        #expect(scene.issue(8)?.body == scene.issue(7)?.body)
        #expect(scene.github.uploads.count == 6)
      }
    }

    @Test("another person's change of the text is a conflict, and isn't overwritten")
    func conflict() async throws {
      let scene = try Self.scene()
      scene.github.changeIssue(7, of: WriteScene.repository) { $0.body = "Old." }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let queued = try await scene.run(
          ["edit", "7", "--attach", scene.folder["shot.png"], "--queue"] + Self.repo, server)
        #expect(queued.status == .exited(75), "\(queued.errorText)")
        #expect(scene.github.uploads.isEmpty)
        scene.github.changeIssue(7, of: WriteScene.repository) { $0.body = "Theirs." }
        let sent = try await scene.run(["outbox", "send"], server)
        #expect(sent.status == .exited(9), "\(sent.errorText)")
        #expect(scene.issue(7)?.body == "Theirs.")
      }
    }

    @Test("all issues of a search get the same upload")
    func bulk() async throws {
      let scene = try Self.scene()
      let arguments = ["comment", "--where", "is:open", "--limit", "3", "--yes"]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let preview = try await scene.run(
          arguments + ["--dry-run", "--attach", scene.folder["shot.png"]] + Self.repo, server)
        #expect(preview.status == .exited(0), "\(preview.errorText)")
        #expect(Self.copies(scene).isEmpty && scene.github.uploads.isEmpty)
        let result = try await scene.run(
          arguments + ["--attach", scene.folder["shot.png"]] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.count == 3)
        #expect(scene.github.uploads.count == 1)
        #expect(Self.copies(scene).isEmpty)
      }
    }

    @Test("an impossible combination is wrong usage, and nothing is sent or kept")
    func usage() async throws {
      let scene = try Self.scene()
      let shot = scene.folder["shot.png"]
      try scene.folder.write(Data("text".utf8), to: "notes.txt")
      try scene.folder.write(Data("text".utf8), to: "fake.png")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (arguments, words) in [
          (["create", "--web", "--attach", shot], ["--attach"]),
          (["create", "--web", "--attach-local"], ["--attach-local"]),
          (["comment", "12", "--delete-last", "--attach", shot], ["--attach"]),
          (["comment", "12", "--delete", "4", "--attach-local"], ["--attach"]),
          (["edit", "12", "--add-label", "bug", "--attach-local"], ["--attach-local", "text"]),
          (["edit", "--where", "is:open", "--yes", "--attach", shot], ["one issue"]),
          (["comment", "12", "--attach", "\(scene.folder["film.mp4"])#Film"], ["video"]),
          (["comment", "12", "--attach", ""], ["PATH"]),
          (
            ["comment", "12", "--attach", scene.folder["missing.png"]], ["missing.png", "No such"]
          ),
          (["comment", "12", "--attach", scene.folder["notes.txt"]], ["notes.txt", "png, jpg"]),
          (
            ["comment", "12", "--attach", scene.folder["fake.png"]],
            ["fake.png", "its content isn't"]
          ),
          (["attach", shot, scene.folder["fake.png"]], ["fake.png"]),
        ] {
          let result = try await scene.run(arguments + Self.repo, server)
          #expect(result.status == .exited(64), "\(arguments) \(result.errorText)")
          for word in words { #expect(result.errorText.contains(word), "\(result.errorText)") }
        }
        // The file is attached before the lookup of the issue fails.
        let absent = try await scene.run(["edit", "999", "--attach", shot] + Self.repo, server)
        absent.expectFailure(3, saying: ["999"])
        #expect(scene.writes.isEmpty && scene.github.uploads.isEmpty)
        #expect(Self.copies(scene).isEmpty)
      }
    }

    @Test("a server that doesn't store attachments is refused before anything is kept")
    func enterprise() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for arguments in [
          ["comment", "12", "--queue", "--attach", scene.folder["shot.png"]],
          ["create", "-t", "x", "-b", "y", "--attach-local"], ["attach", scene.folder["shot.png"]],
        ] {
          let result = try await IssuesProgram.run(
            arguments + Self.repo + ["--api-url", "\(server.url)/api/v3"],
            environment: scene.environment)
          result.expectFailure(64, saying: ["doesn't store attachments"])
        }
        #expect(server.log.requests.isEmpty)
        #expect(try await Self.runLocally(["outbox"], scene).outputText.isEmpty)
      }
    }

    @Test("without write access, the comment is kept and the reason says so")
    func noAccess() async throws {
      let scene = try Self.scene { $0.permission = .read }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["comment", "12", "--attach", scene.folder["shot.png"]] + Self.repo, server)
        result.expectFailure(
          4, saying: ["“shot.png” couldn't be uploaded", "requires write access", "outbox show 1"])
        #expect(Self.copies(scene).count == 1)
        try await scene.run(["attach", scene.folder["shot.png"]] + Self.repo, server)
          .expectFailure(4, saying: ["requires write access to swiftlang/swift"])
      }
    }

    @Test("without a network, a script's change is dropped, and no advice to restore it is given")
    func offline() async throws {
      let scene = try Self.scene()
      let result = try await scene.run(
        ["comment", "12", "--attach", scene.folder["shot.png"]] + Self.repo, nil)
      result.expectFailure(6, saying: ["--queue"])
      #expect(!result.errorText.contains("restore"))
      #expect(Self.copies(scene).isEmpty)
    }

    @Test("sample data accepts attachments without a network")
    func stub() async throws {
      let scene = try Self.scene()
      let shot = scene.folder["shot.png"]
      for arguments in [
        ["comment", "85968", "--attach", shot, "--json"], ["create", "-t", "x", "--attach", shot],
      ] {
        let result = try await IssuesProgram.run(
          arguments + ["-R", "apple/swift", "--stub"], environment: scene.environment)
        #expect(result.status == .exited(0), "\(result.errorText)")
      }
      let result = try await IssuesProgram.run(["attach", shot, "-R", "apple/swift", "--stub"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      let url = "https://github.com/user-attachments/assets/00000000-0000-4000-8000-000000000001"
      #expect(result.outputText == "\(url)\t![shot.png](\(url))\n")
    }

    // MARK: Local images in a text

    @Test("in a pipe, a local image is named, and only --attach-local uploads it")
    func localInPipe() async throws {
      let scene = try Self.scene()
      let folder = scene.folder.path
      let text = "![A](\(folder)/shot.png) `![B](\(folder)/other.png)` ![C](\(folder)/no.png)"
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let noted = try await scene.run(["comment", "12", "-b", text] + Self.repo, server)
        #expect(noted.status == .exited(0))
        #expect(
          noted.errorText
            == "The text refers to a local file, \(folder)/shot.png, and is sent without it: --attach-local would upload it.\n"
        )
        #expect(scene.writtenComments(on: 12) == [text])
        func runLocal(_ text: String) async throws -> CommandRun.Result {
          try await scene.run(
            ["comment", "12", "-F", "-", "--attach-local"] + Self.repo, server, input: text)
        }
        let wrong = try await runLocal(text)
        #expect(wrong.status == .exited(64))
        #expect(wrong.errorText.contains("“\(folder)/no.png”, which isn't a file"))
        #expect(scene.github.uploads.isEmpty && scene.writtenComments(on: 12).count == 1)
        let sent = try await runLocal(text.replacing("no.png", with: "no.txt"))
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        #expect(sent.errorText.isEmpty)
        let url = try #require(scene.github.uploads.first?.url)
        #expect(scene.github.uploads.count == 1)
        #expect(
          scene.writtenComments(on: 12).last
            == "![A](\(url)) `![B](\(folder)/other.png)` ![C](\(folder)/no.txt)")
      }
    }

    @Test(
      "on a terminal, the command asks before it uploads a local image", arguments: [true, false])
    func localOnTerminal(accepts: Bool) async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["comment", "12"] + Self.repo, server,
          editor: #"sh -c 'printf "![A](shot.png)\n\n![B](./film.mp4)" > "$1"' sh"#,
          workingDirectory: scene.folder.path)
        try await run.waitFor("shot.png (")
        try await run.waitFor("Upload them?")
        run.write(accepts ? "y\n" : "n\n")
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        let urls = scene.github.uploads.map(\.url)
        #expect(urls.count == (accepts ? 2 : 0))
        #expect(
          scene.writtenComments(on: 12) == [
            accepts ? "![A](\(urls[0]))\n\n\(urls[1])" : "![A](shot.png)\n\n![B](./film.mp4)"
          ])
      }
    }

    @Test("another person's reference to a path on this machine isn't followed")
    func strangersReference() async throws {
      let scene = try Self.scene()
      let theirs = "![x](\(scene.folder["other.png"]))"
      scene.github.changeIssue(7, of: WriteScene.repository) { $0.body = theirs }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["edit", "7", "--attach-local", "--attach", scene.folder["shot.png"]] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(scene.github.uploads.map(\.name) == ["shot.png"])
        #expect(scene.issue(7)?.body?.hasPrefix(theirs) == true)
      }
    }

    @Test("a question of a form for files accepts paths and links")
    func form() async throws {
      let form = """
        name: Bug report
        description: Something is broken
        body:
          - type: upload
            id: shots
            attributes: {label: Screenshots}
            validations: {required: true, accept: ".png,.mp4,.log"}
          - type: textarea
            id: notes
            attributes: {label: Notes}
        """
      let scene = try Self.scene {
        $0.repositories[0].files[".github/ISSUE_TEMPLATE/bug.yml"] = form
      }
      let folder = scene.folder
      try folder.write(Data("GIF89a".utf8), to: "a.gif")
      try folder.write(Data("text".utf8), to: "a.log")
      let create = ["create", "-T", "bug", "-t", "It crashes"]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (answer, words) in [
          (folder["a.gif"], ".png, .mp4, .log"), (folder["a.log"], "give a link"),
          (folder["missing.png"], "neither a file nor a link"),
        ] {
          try await scene.run(create + ["--field", "shots=\(answer)"] + Self.repo, server)
            .expectFailure(64, saying: ["“shots”", words])
        }
        let link = "[trace](https://example.com/t.log)"
        let result = try await scene.run(
          create + [
            "--field", "shots=\(folder["shot.png"])", "--field", "shots=\(folder["film.mp4"])",
            "--field", "shots=\(link)", "--field", "notes=![A](\(folder["other.png"]))",
          ] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.contains("other.png, and is sent without it"))
        let urls = scene.github.uploads.map(\.url)
        try #require(urls.count == 2)
        #expect(
          scene.issue(21)?.body == """
            ### Screenshots

            ![shot.png](\(urls[0]))

            \(urls[1])

            \(link)

            ### Notes

            ![A](\(folder["other.png"]))
            """)
      }
    }

    @Test("in the dialog of a form, several paths answer a question for files")
    func formDialog() async throws {
      let form = """
        name: Bug report
        description: Something is broken
        body:
          - type: upload
            id: shots
            attributes: {label: Screenshots}
            validations: {required: true, accept: ".png"}
        """
      let scene = try Self.scene {
        $0.repositories[0].files[".github/ISSUE_TEMPLATE/bug.yml"] = form
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "-T", "bug", "-t", "It crashes"] + Self.repo, server, editor: "true",
          workingDirectory: scene.folder.path)
        try await run.waitFor("Paths, separated by commas")
        run.write("film.mp4\n")
        try await run.waitFor("isn't one of .png")
        run.write("shot.png, other.png\n")
        try await run.waitFor("Send it?")
        run.write("s\n")
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        let urls = scene.github.uploads.map(\.url)
        try #require(urls.count == 2)
        #expect(
          scene.issue(21)?.body
            == "### Screenshots\n\n![shot.png](\(urls[0]))\n\n![other.png](\(urls[1]))")
      }
    }

    // MARK: issues attach

    @Test("'issues attach' uploads at once, and prints addresses and Markdown")
    func attach() async throws {
      let scene = try Self.scene()
      let files = [scene.folder["shot.png"], scene.folder["film.mp4"]]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let plain = try await scene.run(["attach"] + files + Self.repo, server)
        #expect(plain.status == .exited(0), "\(plain.errorText)")
        let urls = scene.github.uploads.map(\.url)
        try #require(urls.count == 2)
        #expect(
          plain.outputText == "\(urls[0])\t![shot.png](\(urls[0]))\n\(urls[1])\t\(urls[1])\n")
        let json = try await scene.run(
          ["attach", "--json", "name,url,markdown,content_type,size", files[0]] + Self.repo, server)
        let url = scene.github.uploads[2].url
        #expect(
          json.outputText == """
            [
            {"name":"shot.png","url":"\(url)","markdown":"![shot.png](\(url))","content_type":"image/png",\
            "size":\(Self.picture.count)}
            ]

            """, "\(json.errorText)")
        let terminal = try await scene.startOnTerminal(["attach", files[0]] + Self.repo, server)
          .result()
        #expect(terminal.screen.contains("✓ Uploaded shot.png: \(scene.github.uploads[3].url)"))
        #expect(terminal.screen.contains("\n  ![shot.png]("))
        try await scene.run(["attach"] + Self.repo, server).expectFailure(64, saying: ["FILE"])
      }
    }

    // MARK: The outbox

    @Test("'outbox show' lists the files, and 'outbox drop' says that they are removed")
    func outbox() async throws {
      let scene = try Self.scene()
      let shot = scene.folder["shot.png"]
      let size = ByteCount.text(Self.picture.count)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for number in ["12", "13"] {
          let queued = try await scene.run(
            ["comment", number, "-b", "Look.", "--attach", shot, "--queue"] + Self.repo, server)
          #expect(queued.status == .exited(75))
        }
        func show(_ id: String) async throws -> String {
          try await Self.runLocally(["outbox", "show", id], scene).outputText
        }
        #expect(try await show("1").contains("file:\tshot.png, \(size): waiting, as attachment:"))
        let json = try await Self.runLocally(
          ["outbox", "show", "1", "--json", "attachments", "-q", ".attachments[0].is_used"], scene)
        #expect(json.outputText == "true\n", "\(json.errorText)")
        let listed = try await Self.runLocally(
          ["outbox", "--json", "id,attachments", "-q", ".[1].attachments[0].name"], scene)
        #expect(listed.outputText == "shot.png\n", "\(listed.errorText)")

        let dropped = try await Self.runLocally(["outbox", "drop", "1", "--yes"], scene)
        #expect(dropped.outputText.hasSuffix("Removed shot.png: it can't be restored.\n"))
        #expect(Self.copies(scene).count == 1)
        #expect(try await show("1").contains("its copy was removed"))
        try await Self.runLocally(["outbox", "restore", "1"], scene).expectFailure(
          64, saying: ["shot.png"])

        let edited = try await Self.runLocally(["outbox", "edit", "2", "-b", "No file."], scene)
        #expect(edited.status == .exited(0), "\(edited.errorText)")
        #expect(try await show("2").contains("not uploaded, because the text doesn't refer to it"))
        let sent = try await scene.run(["outbox", "send"], server)
        #expect(sent.status == .exited(0), "\(sent.errorText)")
        #expect(scene.writtenComments(on: 13) == ["No file."])
        #expect(scene.github.uploads.isEmpty && Self.copies(scene).isEmpty)
      }
    }

    @Test("'outbox edit' explains the references to files, and keeps them")
    func outboxEdit() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let queued = try await scene.run(
          ["create", "-t", "It", "-b", "Old.", "--attach", scene.folder["shot.png"], "--queue"]
            + Self.repo, server)
        #expect(queued.status == .exited(75), "\(queued.errorText)")
        let seen = scene.folder["seen"]
        let edit = try IssuesProgram.start(
          ["outbox", "edit", "new-1"],
          environment: scene.environment.merging([
            "NO_COLOR": "1",
            "EDITOR": "sh -c 'cp \"$1\" \(seen); sed -i s/Old/New/ \"$1\"' sh",
          ]) { $1 }, connection: .terminal(columns: 200, rows: 40))
        let result = try await edit.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        let text = String(decoding: try Data(contentsOf: URL(filePath: seen)), as: UTF8.self)
        #expect(
          text.wholeMatch(
            of:
              /<!-- (attachment:[0-9a-f]{16}) stands for shot.png -->\nIt\n\nOld.\n\n!\[shot.png\]\((.*)\)\s*/
          )?.output.1.hasPrefix("attachment:") == true, "\(text)")
        #expect(try await scene.run(["outbox", "send"], server).status == .exited(0))
        let url = try #require(scene.github.uploads.first?.url)
        #expect(scene.issue(21)?.title == "It")
        #expect(scene.issue(21)?.body == "New.\n\n![shot.png](\(url))")
        let shown = try await Self.runLocally(["outbox", "show", "new-1"], scene).outputText
        #expect(shown.contains("file:\tshot.png, ") && shown.contains(": \(url)\n"), "\(shown)")
      }
    }
  }
}
