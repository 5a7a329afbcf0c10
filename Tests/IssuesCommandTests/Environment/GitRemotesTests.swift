import TestSupport
import Testing

@testable import IssuesCommand

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Remotes of a clone", .timeLimit(.minutes(5)))
struct GitRemotesTests {
  @Test(
    "upstream comes before origin, and a sole remote will do",
    arguments: [
      ([("origin", "o")], ["o"]),
      ([("origin", "o"), ("upstream", "u")], ["u", "o"]),
      ([("fork", "f"), ("origin", "o")], ["o"]),
      ([("fork", "f")], ["f"]),
      ([("a.url.b", "f")], ["f"]),
      ([("origin", "first"), ("origin", "second")], ["first"]),
      ([("origin", "line\nbreak")], ["line\nbreak"]),
    ] as [([(String, String)], [String])])
  func order(remotes: [(String, String)], expected: [String]) throws {
    let text = remotes.map { "remote.\($0.0).url\n\($0.1)\0" }.joined()
    #expect(try GitRemotes.candidates(in: text) == expected)
  }

  @Test("several remotes without a usual name are ambiguous, none is an error of its own")
  func unusable() {
    #expect(throws: GitRemotes.Failure.ambiguous(["a", "b"])) {
      try GitRemotes.candidates(in: "remote.a.url\nx\0remote.b.url\ny\0")
    }
    for text in ["", "\0", "remote.origin.url\n\0", "remote.origin.url", "branch.x.url\ny\0"] {
      #expect(throws: GitRemotes.Failure.noRemote) { try GitRemotes.candidates(in: text) }
    }
  }

  @Test("the addresses are those of the configuration, without rewriting, in a subdirectory too")
  func repository() async throws {
    let scratch = try Repository()
    try await scratch.git("remote", "add", "origin", "https://github.com/me/fork.git")
    try await scratch.git("remote", "add", "upstream", "gh:apple/swift")
    try await scratch.git("config", "url.https://mirror.example/.insteadOf", "https://github.com/")
    let subdirectory = scratch.directory.path + "/a directory"
    try FileManager.default.createDirectory(
      atPath: subdirectory, withIntermediateDirectories: true)
    #expect(
      try await GitRemotes.urls(in: subdirectory, environment: scratch.environment)
        == ["gh:apple/swift", "https://github.com/me/fork.git"])
  }

  @Test("a repository without a remote says so")
  func noRemote() async throws {
    let scratch = try Repository()
    try await scratch.git("init", "--quiet")
    await #expect(throws: GitRemotes.Failure.noRemote) {
      try await GitRemotes.urls(in: scratch.directory.path, environment: scratch.environment)
    }
  }

  @Test("a directory that isn't in a repository says so")
  func notARepository() async throws {
    let directory = try ScratchFolder()
    let environment = Repository.environment(for: directory)
    await #expect(throws: GitRemotes.Failure.notARepository) {
      try await GitRemotes.urls(in: directory.path, environment: environment)
    }
  }

  @Test("without git nothing can be found out")
  func noGit() async throws {
    await #expect(throws: GitRemotes.Failure.gitUnavailable) {
      try await GitRemotes.urls(environment: [:], git: "no-such-git")
    }
  }
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
    let result = try await ChildProcess.output(
      of: ["git", "-C", directory.path] + arguments, environment: environment)
    try #require(result.termination == .exited(0))
  }
}
