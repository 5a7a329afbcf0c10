import TestSupport
import Testing

extension CommandTests {
  @Suite("The arguments of commands that change issues", .timeLimit(.minutes(5)))
  struct ArgumentFormTests {
    private static let address = "https://github.com/apple/swift/issues/85968"

    @Test(
      "each command accepts an issue in the same forms",
      arguments: [
        (["close"], []), (["reopen"], []), (["lock"], []), (["unlock"], []), (["pin"], []),
        (["unpin"], []), (["subscribe"], []), (["unsubscribe"], []),
        (["edit"], ["--add-assignee", "octocat"]), (["comment"], ["-b", "x"]),
        (["react"], ["heart"]), (["delete"], ["--yes"]),
      ])
    func forms(command: [String], rest: [String]) async throws {
      for issue in [
        ["apple/swift", "85968"], ["apple/swift#85968"], [Self.address],
        ["-R", "apple/swift", "85968"], ["-R", "apple/swift", "#85968"],
      ] {
        let result = try await IssuesProgram.run(command + issue + rest + ["--stub"])
        #expect(result.status == .exited(0), "\(issue): \(result.errorText)")
        #expect(result.lines.count == 1)
        #expect(result.outputText.contains("swift/issues/85968"), "\(issue)")
      }
    }

    @Test("'transfer' accepts an issue in the same forms, before the destination")
    func transfer() async throws {
      for issue in [["apple/swift", "85968"], ["apple/swift#85968"], [Self.address]] {
        let result = try await IssuesProgram.run(
          ["transfer"] + issue + ["apple/swift-nio", "--stub"])
        #expect(!result.errorText.contains("is not an issue"), "\(result.errorText)")
        #expect(result.status != .exited(64), "\(result.errorText)")
      }
      for wrong in [
        ["12", "foo"], ["apple/swift#12"], ["apple/swift", "12"], ["apple/swift"], [],
      ] {
        let result = try await IssuesProgram.run(["transfer"] + wrong + ["--stub"])
        #expect(result.status == .exited(64), "\(wrong): \(result.errorText)")
      }
    }

    @Test("'react' accepts several issues before the reaction, and reports a wrong reaction")
    func react() async throws {
      let both = try await IssuesProgram.run(
        ["react", "apple/swift", "85968", "85850", "+1", "--stub", "--json", "number"])
      #expect(
        both.outputText == "[\n{\"number\":85968},\n{\"number\":85850}\n]\n", "\(both.errorText)")
      let down = try await IssuesProgram.run(["react", "apple/swift", "85968", "-1", "--stub"])
      #expect(down.status == .exited(0), "\(down.errorText)")
      try await IssuesProgram.run(["react", "apple/swift", "85968", "--stub"])
        .expectFailure(64, saying: ["'85968' isn't a reaction", "heart"])
      try await IssuesProgram.run(["react", "heart", "--stub"]).expectFailure(
        64, saying: ["NUMBER"])
    }

    @Test("a repository in the wrong place, or alone, is explained")
    func order() async throws {
      try await IssuesProgram.run(["view", "12", "apple/swift", "--stub"])
        .expectFailure(64, saying: ["the repository comes before the number: apple/swift 12"])
      for arguments in [["close", "12", "apple/swift"], ["comment", "apple/swift", "-b", "x"]] {
        try await IssuesProgram.run(arguments + ["--stub"])
          .expectFailure(64, saying: ["apple/swift is a repository", "'apple/swift 12'"])
      }
      try await IssuesProgram.run(["comment", "apple/swift", "12", "13", "-b", "x", "--stub"])
        .expectFailure(64, saying: ["one issue", "--where"])
    }

    @Test("a missing issue is named, and sample data doesn't ask for a token")
    func missing() async throws {
      let view = try await IssuesProgram.run(["view", "apple/swift", "12", "--stub"])
      view.expectFailure(3, saying: ["the sample data has no apple/swift#12"])
      #expect(!view.errorText.contains("token"))
      try await IssuesProgram.run(["close", "apple/swift", "12", "--stub"])
        .expectFailure(3, saying: ["couldn't close apple/swift#12"])
      try await IssuesProgram.run(["pin", "apple/swift", "12", "--stub"])
        .expectFailure(
          3, saying: ["couldn't pin apple/swift#12", "Could not resolve to an Issue; it doesn't"])
    }
  }
}
