import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Listing inside a clone without a repository name", .timeLimit(.minutes(5)))
  struct CloneTests {
    /// Makes a repository by a script and runs `issues` in its folder `at`.
    private static func run(
      _ script: String, at folder: String = ".", environment: [String: String] = [:],
      on server: LoopbackServer
    ) async throws -> CommandRun.Result {
      let scratch = try ScratchFolder()
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", "set -e; git init -q; mkdir -p a/b; \(script)"],
        environment: IssuesProgram.environment, workingDirectory: scratch.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      return try await IssuesProgram.run(
        ["--limit", "1", "--api-url", server.url], environment: environment,
        workingDirectory: "\(scratch.path)/\(folder)")
    }

    @Test(
      "the remote's repository is listed",
      arguments: [
        "git remote add origin https://github.com/right/one",
        "git remote add origin https://github.com/right/one.git",
        "git remote add origin https://\(IssuesProgram.token)@github.com/right/one.git",
        "git remote add origin git@github.com:right/one.git",
        "git remote add origin ssh://git@github.com:22/right/one.git",
        "git remote add origin ssh://git@ssh.github.com:443/right/one.git",
        "git remote add origin git://github.com/right/one",
        "git remote add only https://github.com/right/one",
        "git remote add origin https://x.y/fork/one; git remote add upstream https://x.y/right/one",
        "git remote add upstream https://x.y/right/one; git remote add origin https://x.y/fork/one",
        "git remote add upstream /a/path; git remote add origin https://github.com/right/one",
        "git remote add a https://x.y/a/a; git remote add origin git@x.y:right/one",
        "git config url.ssh://git@mirror.example/m/.insteadOf https://github.com/right/; "
          + "git remote add origin https://github.com/right/one",
        "git config url.https://github.com/.insteadOf gh:; git remote add origin gh:right/one",
        "git config url.git@github.com:.insteadOf github:; "
          + "git remote add origin github:right/one.git",
        "git config url.https://github.com/.insteadOf gh:; "
          + "git config --add url.https://github.com/right/.insteadOf gh:r/; "
          + "git remote add origin gh:r/one",
        "git config url.https://github.com/.insteadOf https://short.example/; "
          + "git remote add origin https://short.example/right/one",
        "git remote add origin https://github.com/fork/one; git remote add o git@x.y:right/one; "
          + "git config remote.o.gh-resolved base",
        "git remote add origin https://github.com/fork/one; "
          + "git config remote.origin.gh-resolved right/one",
        "git remote add origin https://gitlab.com/fork/one; "
          + "git remote add mirror https://github.com/right/one",
        "git remote add upstream git@bitbucket.org:fork/one; "
          + "git remote add origin https://github.com/right/one",
        "git remote add upstream https://git.example.org/fork/one; "
          + "git remote add origin https://github.com/right/one",
        "git remote add a https://github.com/right/one; git remote add b git@github.com:Right/One",
      ])
    func remote(script: String) async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.anyRepository = SyntheticIssues(count: 3, pullRequests: 0, closed: 0)
      try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
        for folder in [".", "a/b"] {
          let result = try await Self.run(script, at: folder, on: server)
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.lines.count == 1)
          #expect(!(result.outputText + result.errorText).contains(IssuesProgram.token))
        }
        #expect(
          Set(server.log.requests.map(\.path)) == ["/repos/right/one", "/repos/right/one/issues"])
      }
    }

    @Test(
      "a git program in the clone isn't run, whatever PATH contains", arguments: ["", ".", "bin"])
    func gitInClone(folder: String) async throws {
      let scratch = try ScratchFolder()
      let script = """
        set -e; mkdir bin; printf '#!/bin/sh\\ntouch ran\\n' > git; chmod +x git; cp git bin
        "$(command -v git)" init -q; rm -f ran
        """
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", script], environment: IssuesProgram.environment,
        workingDirectory: scratch.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      let result = try await IssuesProgram.run(
        ["--stub"], environment: ["PATH": "\(folder):/usr/bin:/bin"], workingDirectory: scratch.path
      )
      #expect(result.errorText.contains("no remote"), "\(result.errorText)")
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
      #expect(names.contains("git") && !names.contains("ran"))
    }

    @Test(
      "a clone without a usable remote asks for the repository's name",
      arguments: [
        (":", "no remote"),
        ("git remote add a https://x.y/a/a; git remote add b https://x.y/b/b", "several remotes"),
        ("git remote add origin /a/path", "does not name a repository"),
        ("git remote add origin git@gitlab.com:a/b", "on gitlab.com, which has neither GitHub nor"),
        ("git remote add origin ../relative", "does not name a repository"),
        ("git remote add origin https://github.com/a/..", "does not name a repository"),
        ("rm -rf .git", "not inside a git repository"),
        ("echo '[' > .git/config", "not inside a git repository"),
      ])
    func nothing(script: String, words: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await Self.run(script, on: server)
        result.expectFailure(64, saying: [words, "Name the repository: OWNER/REPO"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("a missing git is reported")
    func noGit() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await Self.run(":", environment: ["PATH": "/nonexistent"], on: server)
        result.expectFailure(64, saying: ["git could not be run", "repository: OWNER/REPO"])
      }
    }
  }
}
