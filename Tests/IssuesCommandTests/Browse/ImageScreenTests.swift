import PlatformModules
import TestSupport
import Testing

/// The real program on a terminal that answers as kitty does.
extension CommandTests {
  @Suite("Images on the screen", .timeLimit(.minutes(5)))
  struct ImageScreenTests {
    private let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder()
    }

    /// Starts the screen with an issue that has an image.
    private func browse(
      _ server: LoopbackServer, images: Bool, _ options: [String] = []
    ) throws -> CommandRun {
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      try Data("images = \(images)\n".utf8).write(to: URL(filePath: scratch["issues/config.toml"]))
      return try IssuesProgram.start(
        ["browse", "swiftlang/swift", "--api-url", server.url] + options,
        environment: [
          "TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_CONFIG_HOME": scratch.path,
          "GH_ENTERPRISE_TOKEN": IssuesProgram.token,
        ],
        connection: .terminal(columns: 80, rows: 24))
    }

    private static func withImage(
      _ body: (LoopbackServer) async throws -> Void
    ) async throws {
      let recipe = SyntheticIssues(count: 1, pullRequests: 0, closed: 0)
      let repository = LoopbackRepository.swift(issues: recipe)
      let github = LoopbackGitHub(repositories: [repository])
      github.intercept(
        where: { $0.path == "/a.png" },
        response: { _, _ in
          LoopbackResponse(body: PNG.image(width: 80, height: 40))
        })
      try await withLoopbackServer(answering: github.handler) { server in
        github.changeIssue(1, of: repository) { issue in
          issue.comments = 0
          issue.body = "![A shot](\(server.url)/a.png)"
        }
        try await body(server)
      }
    }

    private static let question = "a=q,t=d,f=24;AAAA"
    private static let answer = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;22c"

    /// Reads the issue on a terminal that answers, up to a text, and leaves. Returns what the terminal got, and the
    /// requests for the image.
    private func read(
      images: Bool, _ options: [String] = [], after question: String? = nil,
      answering answer: String, upTo end: String
    ) async throws -> (output: String, requests: [LoopbackRequest]) {
      var requests: [LoopbackRequest] = []
      var output = ""
      try await Self.withImage { server in
        let run = try browse(server, images: images, options)
        if let question { try await run.waitFor(question) }
        run.write(answer)
        try await run.waitFor("row 1 of ")
        run.write("\r")
        try await run.waitFor(end)
        run.write("qqq")
        let result = try await run.result()
        #expect(result.status == .exited(0))
        output = result.outputText
        requests = server.log.requests.filter { $0.path == "/a.png" }
      }
      return (output, requests)
    }

    @Test("an image is requested without the token, sent to the terminal, and deleted at the end")
    func shown() async throws {
      let (output, requests) = try await read(
        images: true, after: Self.question, answering: Self.answer, upTo: "\u{1B}_Ga=p,")
      let payload = PNG.image(width: 80, height: 40).base64EncodedString()
      #expect(output.contains(",m=0,q=2;\(payload)\u{1B}\\"))
      #expect(output.contains("c=8,r=2,C=1,q=2"))
      #expect(output.contains("\u{1B}_Ga=d,d=A,q=2\u{1B}\\"))
      #expect(requests.count == 1)
      #expect(requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test(
      "no image is requested or sent with images off or with --plain",
      arguments: [(false, []), (true, ["--plain"])])
    func off(images: Bool, options: [String]) async throws {
      let (output, requests) = try await read(
        images: images, options, answering: Self.answer, upTo: "A shot")
      #expect(!output.contains("\u{1B}_G"))
      #expect(requests.isEmpty)
    }

    @Test("a terminal without image support gets text, and no image is requested")
    func unanswered() async throws {
      let (output, requests) = try await read(
        images: true, after: Self.question, answering: "\u{1B}[?62;22c", upTo: "A shot")
      #expect(!output.contains("\u{1B}_Ga="))
      #expect(requests.isEmpty)
    }
  }
}
