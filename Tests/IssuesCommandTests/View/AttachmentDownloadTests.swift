import IssueTracker
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("issues view --attachments", .timeLimit(.minutes(5)))
  struct AttachmentDownloadTests {
    private static let repo = ["-R", "swiftlang/swift"]
    private static let picture = PNG.image(width: 3, height: 2)

    @Test("the attachments of the text and the comments are downloaded, without the token")
    func download() async throws {
      let scene = try WriteScene()
      try scene.folder.write(Self.picture, to: "shot.png")
      let folder = scene.folder["files"]
      let view = ["view", "7", "--attachments", folder] + Self.repo
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for _ in 1...2 {
          let uploaded = try await scene.run(
            ["attach", scene.folder["shot.png"]] + Self.repo, server)
          #expect(uploaded.status == .exited(0), "\(uploaded.errorText)")
        }
        let urls = scene.github.uploads.map(\.url)
        scene.github.changeIssue(7, of: WriteScene.repository) {
          $0.body = """
            ![shot](\(urls[0])) <img src="\(urls[0])"> https://example.com/user-attachments/assets/1

            \(server.url)/user-attachments/assets/..
            """
        }
        let comment = try await scene.run(
          ["comment", "7", "-b", "Again:\n\n\(urls[1])."] + Self.repo, server)
        #expect(comment.status == .exited(0), "\(comment.errorText)")
        let result = try await scene.run(view, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains("> ![shot](\(urls[0]))"))
        #expect(!result.outputText.contains("Again:"))
        let names = urls.map { "\($0.split(separator: "/").last ?? "").png" }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
        #expect(try Data(contentsOf: URL(filePath: "\(folder)/\(names[1])")) == Self.picture)
        let requests = server.log.requests.filter {
          $0.method == "GET" && $0.path.hasPrefix("/user-attachments")
        }
        #expect(requests.count == 2)
        #expect(requests.allSatisfy { $0.headers["Authorization"] == nil })

        // Finished files aren't requested again.
        let again = try await scene.run(view + ["--comments", "--json", "number"], server)
        #expect(again.status == .exited(0), "\(again.errorText)")
        let count = server.log.requests.count { $0.path.hasPrefix("/user-attachments/assets/") }
        #expect(count == 2)
      }
    }

    @Test("a file that can't be downloaded is named, and the others are downloaded")
    func missing() async throws {
      let scene = try WriteScene()
      try scene.folder.write(Self.picture, to: "shot.png")
      let folder = scene.folder["files"]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.run(["attach", scene.folder["shot.png"]] + Self.repo, server)
        let url = try #require(scene.github.uploads.first?.url)
        let absent = "\(server.url)/user-attachments/files/12/%2e%2e%2fsecret.pdf"
        scene.github.changeIssue(7, of: WriteScene.repository) { $0.body = "\(absent) ![](\(url))" }
        let result = try await scene.run(
          ["view", "7", "--attachments", folder] + Self.repo, server)
        #expect(result.status == .exited(1))
        #expect(result.errorText.contains("\(absent) can't be downloaded: not found"))
        #expect(result.errorText.contains("1 of 2 attachments weren't downloaded"))
        #expect(result.outputText.contains("number:\t7"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
      }
    }

    @Test("an impossible combination is wrong usage")
    func usage() async throws {
      let scene = try WriteScene()
      try scene.folder.write(Data("x".utf8), to: "file")
      for (arguments, word) in [
        (["--offline"], "--attachments"), (["--web"], "--attachments"), ([], "isn't a folder"),
      ] {
        try await scene.run(
          ["view", "7", "--attachments", scene.folder["file"]] + arguments + Self.repo, nil
        ).expectFailure(64, saying: [word])
      }
    }

    @Test(
      "only addresses of the server's attachments are found",
      arguments: [
        ("https://github.com/user-attachments/assets/5b2c-1.", "5b2c-1"),
        ("(https://github.com/user-attachments/files/12/report.v2.pdf)", "12-report.v2.pdf"),
        ("https://github.com/user-attachments/files/12/%2e%2e%2fa.pdf", "12-.._a.pdf"),
        ("https://user-images.githubusercontent.com/1/2-x.png?jwt=1", "2-x.png"),
        ("https://user-images.githubusercontent.com/1/.profile", "profile"),
        ("http://github.com/user-attachments/assets/5b2c", nil),
        ("https://github.com/user-attachments/assets/", nil),
        ("https://github.com/user-attachments/assets/..", nil),
        ("https://github.com/user-attachments/assets/a/b", nil),
        ("https://github.com/apple/swift/assets/1/2", nil),
        ("https://github.com.example.com/user-attachments/assets/5b2c", nil),
      ] as [(String, String?)])
    func addresses(text: String, name: String?) {
      let found = AttachmentAddress.all(in: text, of: .github)
      #expect(found.map(AttachmentAddress.fileName) == (name.map { [$0] } ?? []))
    }

    @Test("a video's address is marked on a terminal, and an image has its alternative text")
    func shown() async throws {
      let scene = try WriteScene()
      let url = "https://github.com/user-attachments/assets/5b2c"
      scene.github.changeIssue(7, of: WriteScene.repository) {
        $0.body = "![A crash](\(url)1)\n\n\(url)2\n\nSee \(url)3"
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["view", "7"] + Self.repo, server, environment: ["GH_FORCE_TTY": "100", "NO_COLOR": "1"])
        #expect(result.outputText.contains("[image: A crash]"), "\(result.outputText)")
        #expect(result.outputText.contains("video: \(url)2"))
        #expect(result.outputText.contains("See \(url)3"))
      }
    }
  }
}
