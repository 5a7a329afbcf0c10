import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("A clone's remotes", .timeLimit(.minutes(5)))
struct GitRemotesTests {
  @Test(
    "upstream comes before github and origin, and those precede the other remotes",
    arguments: [
      ([("origin", "o")], ["o"]),
      ([("origin", "o"), ("upstream", "u")], ["u", "o"]),
      ([("origin", "o"), ("Upstream", "u"), ("github", "g")], ["u", "g", "o"]),
      ([("fork", "f"), ("origin", "o")], ["o", "f"]),
      ([("b", "1"), ("a", "2")], ["1", "2"]),
      ([("fork", "f")], ["f"]),
      ([("a.url.b", "f")], ["f"]),
      ([("origin", "first"), ("origin", "second")], ["first"]),
      ([("origin", "line\nbreak")], ["line\nbreak"]),
    ] as [([(String, String)], [String])])
  func order(remotes: [(String, String)], expected: [String]) throws {
    let text = remotes.map { "remote.\($0.0).url\n\($0.1)\0" }.joined()
    #expect(try GitRemotes.remotes(in: text).map(\.url) == expected)
  }

  @Test("the remote chosen by 'gh repo set-default' comes first")
  func chosen() throws {
    let text = "remote.upstream.url\nu\0remote.b.gh-resolved\nbase\0remote.b.url\nx\0"
    let remotes = try GitRemotes.remotes(in: text)
    #expect(remotes.map(\.name) == ["b", "upstream"])
    #expect(remotes.map(\.choice) == ["base", nil])
  }

  @Test("missing remotes have their own error")
  func unusable() {
    for text in ["", "\0", "remote.origin.url\n\0", "remote.origin.url", "branch.x.url\ny\0"] {
      #expect(throws: GitRemotes.Failure.noRemote) { try GitRemotes.remotes(in: text) }
    }
  }

  @Test("remote addresses come from the configuration unchanged, even in a subdirectory")
  func repository() async throws {
    let scratch = try Repository()
    try await scratch.git("remote", "add", "origin", "https://github.com/me/fork.git")
    try await scratch.git("remote", "add", "upstream", "gh:apple/swift")
    try await scratch.git("config", "url.https://mirror.example/.insteadOf", "https://github.com/")
    let subdirectory = scratch.directory.path + "/a directory"
    try FileManager.default.createDirectory(
      atPath: subdirectory, withIntermediateDirectories: true)
    #expect(
      try await GitRemotes.all(in: subdirectory, environment: scratch.environment).map(\.url)
        == ["gh:apple/swift", "https://github.com/me/fork.git"])
  }

  @Test("a repository without a remote is reported")
  func noRemote() async throws {
    let scratch = try Repository()
    try await scratch.git("init", "--quiet")
    await #expect(throws: GitRemotes.Failure.noRemote) {
      try await GitRemotes.all(in: scratch.directory.path, environment: scratch.environment)
    }
  }

  @Test("a directory outside a repository is reported")
  func notARepository() async throws {
    let directory = try ScratchFolder()
    let environment = Repository.environment(for: directory)
    await #expect(throws: GitRemotes.Failure.notARepository) {
      try await GitRemotes.all(in: directory.path, environment: environment)
    }
  }

  @Test("a missing git has its own error")
  func noGit() async throws {
    await #expect(throws: GitRemotes.Failure.gitUnavailable) {
      try await GitRemotes.all(environment: [:], git: "no-such-git")
    }
  }

  @Test("a hanging git is killed after five seconds")
  func hangs() async throws {
    let git = try await FakeProgram("git", Self.hanging)
    let started = Fifo(git.path("started"))
    let (environment, clock) = (git.environment, TestClock())
    let asking = Task { try await GitRemotes.all(environment: environment, clock: clock) }
    let identifier = try #require(pid_t(try await started.line()))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5) - .nanoseconds(1))
    #expect(kill(identifier, 0) == 0)
    clock.advance(by: .nanoseconds(1))
    await #expect(throws: GitRemotes.Failure.gitTimedOut) { try await asking.value }
    #expect(kill(identifier, 0) == -1 && errno == ESRCH)
  }

  @Test("a hanging git is killed when the command is canceled")
  func cancelled() async throws {
    let git = try await FakeProgram("git", Self.hanging)
    let started = Fifo(git.path("started"))
    let environment = git.environment
    let asking = Task { try await GitRemotes.repository(environment: environment) }
    let identifier = try #require(pid_t(try await started.line()))
    asking.cancel()
    await #expect(throws: GitRemotes.Failure.cancelled) { try await asking.value }
    #expect(kill(identifier, 0) == -1 && errno == ESRCH)
  }

  /// Writes its process id, and waits for input that never comes.
  private static let hanging = """
    mkfifo "$here/never" && echo $$ > "$here/started"
    read line < "$here/never"
    """
}

/// A git repository of its own for one test, out of reach of the user's configuration.
private struct Repository {
  let directory: ScratchFolder
  let environment: [String: String]

  init() throws {
    directory = try ScratchFolder()
    environment = Self.environment(for: directory)
  }

  static func environment(for directory: ScratchFolder) -> [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": directory.path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_CEILING_DIRECTORIES": ScratchFolder.parent,
    ]
  }

  func git(_ arguments: String...) async throws {
    if !FileManager.default.fileExists(atPath: directory.path + "/.git") {
      try await run(["init", "--quiet"])
    }
    try await run(arguments)
  }

  private func run(_ arguments: [String]) async throws {
    let child = try ChildProcess(
      ["git", "-C", directory.path] + arguments, environment: environment, input: .null,
      output: .null, error: .null)
    try #require(await child.wait() == .exited(0))
  }
}
