import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Lists of Forgejo and Gitea", .timeLimit(.minutes(5)))
  struct ForgeListTests {
    private static let forges = [LoopbackForge.forgejo, .gitea]

    /// The fields of the listed issues.
    private struct Issue: Decodable {
      struct Name: Decodable { var name: String }
      struct Person: Decodable, Equatable { var login: String }
      struct Title: Decodable { var title: String }
      var number: Int
      var labels: [Name]
      var assignees: [Person]?
      var user: Person
      var milestone: Title?
      var updatedAt: String

      private enum CodingKeys: String, CodingKey {
        case number, labels, assignees, user, milestone
        case updatedAt = "updated_at"
      }
    }

    private static func issues(
      _ options: String, _ forge: LoopbackForge,
      configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) async throws -> [Issue] {
      let server = try ForgeServer(forge, configure: configure)
      let result = try await server.run(
        "list O/R --json number,labels,assignees,user,milestone,updated_at \(options)")
      #expect(result.status == .exited(0), "\(result.errorText)")
      return try JSONDecoder().decode([Issue].self, from: result.output)
    }

    @Test("a filter lists only what it asks for", arguments: forges)
    func filters(forge: LoopbackForge) async throws {
      let all = try await Self.issues("--state all --all", forge)
      #expect(all.count == ForgeServer.issues.count)
      let labelled = try await Self.issues("--state all --label bug", forge)
      #expect(
        Set(labelled.map(\.number))
          == Set(all.filter { $0.labels.contains { $0.name == "bug" } }.map(\.number)))
      let assigned = try await Self.issues("--state all --assignee ada", forge)
      #expect(
        Set(assigned.map(\.number))
          == Set(all.filter { $0.assignees?.contains { $0.login == "ada" } == true }.map(\.number)))
      let author = all[0].user.login
      let written = try await Self.issues("--state all --author \(author)", forge)
      #expect(
        Set(written.map(\.number)) == Set(all.filter { $0.user.login == author }.map(\.number)))
      let planned = try await Self.issues("--state all --milestone 6.3", forge)
      #expect(
        Set(planned.map(\.number))
          == Set(all.filter { $0.milestone?.title == "6.3" }.map(\.number)))
    }

    @Test("a filter that the server lacks is applied to all pages", arguments: forges)
    func appliedHere(forge: LoopbackForge) async throws {
      let all = try await Self.issues("--state all --all", forge)
      let expected: [(options: String, numbers: [Int])] = [
        ("--assignee none", all.filter { $0.assignees ?? [] == [] }.map(\.number)),
        ("--assignee *", all.filter { $0.assignees ?? [] != [] }.map(\.number)),
        ("--milestone none", all.filter { $0.milestone == nil }.map(\.number)),
        ("--milestone *", all.filter { $0.milestone != nil }.map(\.number)),
      ]
      for (options, numbers) in expected {
        #expect(!numbers.isEmpty && numbers.count < all.count)
        let server = try ForgeServer(forge) { $0.maximumPage = 7 }
        let result = try await server.run("list O/R --state all --all --json number \(options)")
        #expect(result.errorText.contains("filtered here"), "\(result.errorText)")
        let listed = try JSONDecoder().decode([[String: Int]].self, from: result.output)
        #expect(listed.map { $0["number"] } == numbers)
      }
    }

    @Test(
      "what the server would ignore is an error",
      arguments: forges,
      [
        ("--label nothing", "the label “nothing”"), ("--milestone v1", "no milestone “v1”"),
        ("--author stranger", "the user stranger"), ("--type Bug", "types of issues"),
        ("--search no:assignee", "any or no assignee"),
      ])
    func refused(forge: LoopbackForge, question: (options: String, message: String)) async throws {
      let server = try ForgeServer(forge) { $0.missingUsers = ["stranger"] }
      let result = try await server.run("list O/R \(question.options)")
      #expect(result.status == .exited(64) || result.status == .exited(3))
      #expect(result.errorText.contains(question.message), "\(result.errorText)")
      #expect(result.output.isEmpty)
    }

    @Test("Forgejo sorts, and Gitea's missing order is an error")
    func orders() async throws {
      let sorted = try await Self.issues("--state all --sort updated", .forgejo)
      let times = sorted.map(\.updatedAt)
      #expect(times == times.sorted(by: >))
      let result = try await ForgeServer(.gitea).run("list O/R --sort updated")
      result.expectFailure(64, saying: ["Gitea doesn't have another order"])
    }

    @Test("pages are complete when the server lowers their size", arguments: forges)
    func pages(forge: LoopbackForge) async throws {
      let issues = try await Self.issues("--state all --all", forge) { $0.maximumPage = 3 }
      #expect(issues.count == ForgeServer.issues.count)
      let server = try ForgeServer(forge) { $0.maximumPage = 3 }
      let labels = try await server.run("label list -R O/R")
      #expect(labels.lines.count == SyntheticIssues.labels.count, "\(labels.errorText)")
    }

    @Test("a link to another host is followed on the own one", arguments: forges)
    func links(forge: LoopbackForge) async throws {
      let issues = try await Self.issues("--state all --all", forge) {
        $0.maximumPage = 5
        $0.linkOrigin = "http://127.0.0.2:1"
      }
      #expect(issues.count == ForgeServer.issues.count)
    }

    @Test("a server is asked for its kind without a token, and only once", arguments: forges)
    func kind(forge: LoopbackForge) async throws {
      let server = try ForgeServer(forge)
      try await withLoopbackServer(answering: server.github.handler) { loopback in
        for _ in 1...2 { _ = try await server.run("list O/R", on: loopback) }
        let requests = loopback.log.requests
        #expect(requests.filter { $0.path.hasSuffix("/version") }.count == 1)
        #expect(requests.first?.path.hasSuffix("/version") == true)
        #expect(requests.first?.headers["Authorization"] == nil)
        #expect(requests.last?.headers["Authorization"] != nil)
      }
    }

    @Test("--forge and the configuration say what a server is", arguments: forges)
    func named(forge: LoopbackForge) async throws {
      let server = try ForgeServer(forge) { $0.keepsReads = true }
      let folder = try ScratchFolder()
      try await withLoopbackServer(answering: server.github.handler) { loopback in
        let option = try await server.run(
          "list O/R --sort updated --forge forgejo", on: loopback)
        #expect(option.status == .exited(forge == .forgejo ? 0 : 64), "\(option.errorText)")
        let file = URL(filePath: folder.path).appending(path: "issues/config.toml")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try "[forges]\n\"127.0.0.1:\(loopback.port)\" = \"\(forge.rawValue)\"\n".write(
          to: file, atomically: true, encoding: .utf8)
        let list = try await server.run(
          "list O/R", on: loopback, ["XDG_CONFIG_HOME": folder.path])
        #expect(list.status == .exited(0), "\(list.errorText)")
        let wrong = try await server.run("list O/R --forge github", on: loopback)
        wrong.expectFailure(64, saying: ["isn't the address of GitHub's API"])
      }
      #expect(!server.github.receipts.contains { $0.target.hasSuffix("/version") })
    }

    @Test("a new issue whose file is refused is reported, and its text is kept", arguments: forges)
    func refusedFile(forge: LoopbackForge) async throws {
      let server = try ForgeServer(forge) { $0.attachmentSize = 4 }
      let result = try await server.run("create -R O/R -t Title -b Look --attach FILE")
      #expect(result.status != .exited(0))
      #expect(result.outputText.contains("/issues/"), "\(result.outputText)")
      #expect(result.errorText.contains("“picture.png” couldn't be uploaded"))
      let kept = try await server.run("outbox show 2")
      #expect(kept.outputText.contains("Look"), "\(kept.errorText)")
      let created = try #require(
        server.github.issues(of: .swift(issues: ForgeServer.recipe)).last)
      #expect(created.body == "Look\n\n![picture.png](#uploading)")
    }

    @Test("forms are found in the server's own folder", arguments: forges)
    func forms(forge: LoopbackForge) async throws {
      let folder = forge == .forgejo ? ".forgejo" : ".gitea"
      let form = """
        name: Crash
        about: It crashes
        labels: [bug]
        body:
          - type: input
            id: version
            attributes: {label: Version}
        """
      let server = try ForgeServer(forge) {
        $0.repositories[0].files = [
          "\(folder)/issue_template/crash.yaml": form,
          ".github/ISSUE_TEMPLATE/other.md": "---\nname: Other\nabout: Other\n---\nText",
        ]
      }
      let result = try await server.run(
        "create -R O/R -t Title --template Crash --field version=1.2 --json labels,body")
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText.contains("1.2"))
      #expect(result.outputText.contains("bug"))
    }

    @Test(
      "a token goes only to the server that it belongs to",
      arguments: [
        (["GITEA_INSTANCE_URL": "https://gitea.example"], false),
        (["GITEA_INSTANCE_URL": "SERVER"], true), ([:], true),
      ])
    func tokens(environment: [String: String], isSent: Bool) async throws {
      let server = try ForgeServer(.gitea) { $0.acceptedTokens = ["secret"] }
      let result = try await withLoopbackServer(answering: server.github.handler) { loopback in
        try await server.run(
          "mine", on: loopback,
          environment.mapValues { $0 == "SERVER" ? loopback.url : $0 }
            .merging(["GH_TOKEN": "other"]) { $1 })
      }
      if isSent {
        #expect(result.status == .exited(0), "\(result.errorText)")
      } else {
        #expect(result.status == .exited(4))
        #expect(result.errorText.contains("No token is sent"), "\(result.errorText)")
      }
    }

    @Test("a refused token isn't shown, although Forgejo repeats it")
    func refusedToken() async throws {
      let server = try ForgeServer(.forgejo) { $0.acceptedTokens = ["another"] }
      let result = try await server.run(
        "list O/R", environment: ["GITEA_TOKEN": "abcdef0123456789abcdef0123456789"])
      result.expectFailure(4, saying: [])
      #expect(!result.errorText.contains("abcdef0123456789"), "\(result.errorText)")
    }
  }
}
