import TestSupport
import Testing

extension CommandTests {
  @Suite("issues browse", .timeLimit(.minutes(5)))
  struct BrowseTests {
    @Test(
      "without a terminal, 'issues browse' suggests a command to use instead",
      arguments: [["browse"], ["browse", "apple/swift", "--stub"]])
    func refused(arguments: [String]) async throws {
      let result = try await IssuesProgram.run(arguments)
      result.expectFailure(64, saying: ["terminal", "issues list"])
    }

    @Test("'issues' alone in a pipe asks for a repository outside a clone")
    func bare() async throws {
      let result = try await IssuesProgram.run([])
      result.expectFailure(64, saying: ["Name the repository: OWNER/REPO"])
    }
  }
}
