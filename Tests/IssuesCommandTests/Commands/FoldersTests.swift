import TestSupport
import Testing

extension CommandTests {
  @Suite("XDG folders", .timeLimit(.minutes(5)))
  struct FoldersTests {
    @Test("the cache, history and mirror folders are created with their parent folders")
    func all() async throws {
      let scratch = try ScratchFolder()
      let environment = [
        "XDG_CACHE_HOME": scratch["1/2/cache"], "XDG_STATE_HOME": scratch["3/4/state"],
        "XDG_DATA_HOME": scratch["5/6/data"],
      ]
      let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 3))
      let github = LoopbackGitHub(repositories: [repository])
      try await withLoopbackServer(answering: github.handler) { server in
        for command in [["swiftlang/swift"], ["sync", "swiftlang/swift"]] {
          let result = try await IssuesProgram.run(
            command + ["--api-url", server.url], environment: environment)
          #expect(result.status == .exited(0), "\(result.errorText)")
        }
      }
      #expect(!scratch.names(in: "1/2/cache/issues").isEmpty)
      #expect(scratch.names(in: "3/4/state/issues") == ["rate-limits", "repositories"])
      #expect(scratch.names(in: "5/6/data/issues").contains("mirror.db"))
    }
  }
}
