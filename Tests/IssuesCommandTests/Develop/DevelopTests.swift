import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("The branch of an issue", .timeLimit(.minutes(5)))
  struct DevelopTests {
    private static let repository = WriteScene.repository
    private static let repo = ["-R", "swiftlang/swift"]
    private static let address = "https://github.com/swiftlang/swift/tree"

    private func scene(title: String = "It crashes: on Linux!") throws -> WriteScene {
      let scene = try WriteScene()
      scene.github.changeIssue(12, of: Self.repository) { $0.title = title }
      return scene
    }

    private func branches(_ scene: WriteScene) -> [String] {
      scene.github.linkedBranches(of: 12, in: Self.repository)
    }

    /// The address of a branch's page on the server of the test.
    private func page(_ name: String, _ server: LoopbackServer) -> String {
      "\(server.url)/swiftlang/swift/tree/\(name)\n"
    }

    @Test("the branch is created once with GitHub's name, and then found")
    func once() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for isFound in [false, true] {
          let result = try await scene.run(["develop", "12"] + Self.repo, server)
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.outputText == page("12-it-crashes-on-linux", server))
          #expect(result.errorText.contains("already has the branch") == isFound)
        }
        #expect(branches(scene) == ["12-it-crashes-on-linux"])
      }
    }

    @Test("a hostile title makes a harmless name")
    func hostileTitle() async throws {
      let scene = try scene(title: "--x\u{1B}[31m ..@{1} $(id)\u{202E}.lock")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(["develop", "12"] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(branches(scene) == ["12-x-31m-1-id-lock"])
      }
    }

    @Test("a name and a base are used, and a chosen linked branch is found by its name")
    func options() async throws {
      let scene = try scene()
      scene.github.addBranch("release/6.2", to: Self.repository)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["develop", "12", "--name", "fix/#1", "--base", "release/6.2"] + Self.repo
        let made = try await scene.run(arguments + ["--json", "name,repository"], server)
        #expect(made.status == .exited(0), "\(made.errorText)")
        #expect(
          made.outputText == "[\n{\"name\":\"fix/#1\",\"repository\":\"swiftlang/swift\"}\n]\n")
        let found = try await scene.run(arguments, server)
        #expect(found.outputText == page("fix/%231", server))
        #expect(found.errorText.contains("--base isn't used"))
        let list = try await scene.run(["develop", "12", "--list"] + Self.repo, server)
        #expect(list.outputText == "fix/#1\t\(page("fix/%231", server))")
        #expect(branches(scene) == ["fix/#1"])
      }
    }

    @Test("a branch can be in another repository of the server")
    func otherRepository() async throws {
      let fork = LoopbackRepository(id: 7, owner: "ada", name: "swift")
      let scene = try WriteScene { $0.repositories.append(fork) }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["develop", "12", "-n", "x", "--json", "repository"] + Self.repo
        let result = try await scene.run(arguments + ["--branch-repo", "ada/swift"], server)
        #expect(
          result.outputText == "[\n{\"repository\":\"ada/swift\"}\n]\n", "\(result.errorText)")
      }
    }

    @Test("an existing branch that isn't linked, an unknown base and a missing issue are errors")
    func refusals() async throws {
      let scene = try scene()
      scene.github.addBranch("taken", to: Self.repository)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        func run(_ arguments: String...) async throws -> CommandRun.Result {
          try await scene.run(["develop"] + arguments + Self.repo, server)
        }
        try await run("12", "--name", "taken").expectFailure(64, saying: ["choose another name"])
        try await run("12", "--base", "none").expectFailure(3, saying: ["has no branch “none”"])
        try await run("99").expectFailure(3, saying: ["number of 99"])
        try await run("12", "--name=-x").expectFailure(
          64, saying: ["can't be the name of a branch"])
        try await run("12", "--list", "--checkout").expectFailure(64, saying: ["only lists"])
        #expect(branches(scene).isEmpty)
        let anonymous = try await scene.run(
          ["develop", "12"] + Self.repo, server, environment: ["GH_ENTERPRISE_TOKEN": ""])
        anonymous.expectFailure(4, saying: ["access token"])
      }
    }

    @Test("of several linked branches, the user chooses")
    func several() async throws {
      let scene = try scene()
      for name in ["one", "two"] { scene.github.linkBranch(name, to: 12, of: Self.repository) }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.run(["develop", "12"] + Self.repo, server)
          .expectFailure(64, saying: ["one, two", "--name"])
        let result = try await scene.run(["develop", "12", "-n", "two"] + Self.repo, server)
        #expect(result.outputText == page("two", server))
      }
    }

    @Test("after a lost response, the branch is looked up and not created again")
    func lostAnswer() async throws {
      let scene = try scene()
      scene.github.strike(.answerLost)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(["develop", "12"] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText == page("12-it-crashes-on-linux", server))
        #expect(branches(scene) == ["12-it-crashes-on-linux"])
        #expect(scene.github.receipts.count == 1)
      }
    }

    @Test("a branch that another client creates meanwhile isn't taken for the issue's own")
    func race() async throws {
      let scene = try scene()
      // The branch exists, but the lookup doesn't show it yet: the mutation's result is null.
      scene.github.addBranch("late", to: Self.repository)
      scene.github.intercept(times: 1) {
        String(decoding: $0.body, as: UTF8.self).contains("branch:ref(")
      } response: { _, _ in
        .json(
          """
          {"data":{"repository":{"id":"MDEwOlJlcG9zaXRvcnk44838949","nameWithOwner":"swiftlang/swift",\
          "defaultBranchRef":{"target":{"oid":"a"}},"branch":null}}}
          """)
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.run(["develop", "12", "-n", "late"] + Self.repo, server)
          .expectFailure(64, saying: ["already has a branch “late”"])
        #expect(branches(scene).isEmpty)
      }
    }

    @Test("sample data has branches, and creates them")
    func stub() async throws {
      let found = try await IssuesProgram.run([
        "develop", "vapor/vapor", "316", "--stub", "--list",
      ])
      #expect(found.outputText.hasPrefix("316-sample\t"), "\(found.errorText)")
      let made = try await IssuesProgram.run(
        ["develop", "apple/swift", "85968", "--stub", "--name", "x"])
      #expect(made.outputText == "https://github.com/apple/swift/tree/x\n", "\(made.errorText)")
    }

    // MARK: Checking out

    /// A clone whose remote has the address of the repository, and fetches from a folder.
    private func clone(
      of remote: String, branches: [String], in scene: WriteScene
    ) async throws -> String {
      let origin = scene.folder["origin"]
      let clone = scene.folder["clone"]
      let script = """
        set -e
        export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
        git init -q -b main "$1"
        git -C "$1" commit -q --allow-empty -m x
        git clone -q "$1" "$2"
        git -C "$2" remote set-url origin "$3"
        git -C "$2" config "url.$1.insteadOf" "$3"
        for name in \(branches.joined(separator: " ")); do git -C "$1" branch "$name"; done
        """
      let result = try await CommandRun(
        "/bin/sh", ["-c", script, "sh", origin, clone, remote], environment: gitEnvironment,
        connection: .pipes, input: "", workingDirectory: "/"
      ).result()
      #expect(result.status == .exited(0), "\(result.errorText)")
      return clone
    }

    private var gitEnvironment: [String: String] {
      [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
      ]
    }

    private func head(of clone: String) async throws -> String {
      try await CommandRun(
        "/bin/sh",
        ["-c", #"git -C "$1" rev-parse --abbrev-ref HEAD "@{upstream}""#, "sh", clone],
        environment: gitEnvironment, connection: .pipes, input: "", workingDirectory: "/"
      ).result().outputText
    }

    @Test("--checkout switches the clone to the branch, and repeats without harm")
    func checkout() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let clone = try await clone(
          of: "\(server.url)/swiftlang/swift.git", branches: ["12-it-crashes-on-linux"], in: scene)
        for _ in 1...2 {
          let result = try await scene.start(
            ["develop", "12", "--checkout"] + Self.repo, server, environment: gitEnvironment,
            workingDirectory: clone
          ).result()
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.outputText == page("12-it-crashes-on-linux", server))
        }
        let name = "12-it-crashes-on-linux"
        #expect(try await head(of: clone) == "\(name)\norigin/\(name)\n")
      }
    }

    @Test("if git fails or the clone is another repository's, the branch on the server is named")
    func failedCheckout() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (remote, words) in [
          ("\(server.url)/swiftlang/swift.git", "git can't fetch the branch"),
          ("\(server.url)/o/other.git", "isn't a clone of"),
        ] {
          let clone = try await clone(of: remote, branches: [], in: scene)
          let result = try await scene.start(
            ["develop", "12", "--checkout"] + Self.repo, server, environment: gitEnvironment,
            workingDirectory: clone
          ).result()
          #expect(result.status != .exited(0))
          #expect(result.errorText.contains(words), "\(result.errorText)")
          #expect(result.errorText.contains("The branch 12-it-crashes-on-linux is on the server"))
          #expect(try await head(of: clone).hasPrefix("main\n"))
          try FileManager.default.removeItem(atPath: scene.folder["origin"])
          try FileManager.default.removeItem(atPath: clone)
        }
      }
    }

    @Test("a branch whose name on the server is an option isn't passed to git")
    func hostileBranch() async throws {
      let scene = try scene()
      scene.github.linkBranch("--upload-pack=touch${IFS}x", to: 12, of: Self.repository)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let clone = try await clone(
          of: "\(server.url)/swiftlang/swift.git", branches: [], in: scene)
        let result = try await scene.start(
          ["develop", "12", "--checkout"] + Self.repo, server, environment: gitEnvironment,
          workingDirectory: clone
        ).result()
        #expect(result.errorText.contains("isn't valid for git"), "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: "\(clone)/x"))
      }
    }
  }
}
