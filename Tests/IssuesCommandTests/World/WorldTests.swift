import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("A run in its own world", .timeLimit(.minutes(5)))
  struct WorldTests {
    /// The variables of ``IssuesProgram``, and the process's own PATH.
    private static let environment = IssuesProgram.environment(
      ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])

    private static func run(
      _ arguments: [String], in directory: String = "/", isTerminal: Bool = false,
      environment: [String: String] = [:], input: String = ""
    ) async throws -> CommandRun.Result {
      try await CommandRun(input: input) { input, output, errors in
        let stream = { World.Stream(descriptor: $0, isTerminal: isTerminal) }
        return await Issues.run(
          arguments,
          in: World(
            environment: Self.environment.merging(environment) { $1 }, directory: directory,
            input: stream(input), output: stream(output), errors: stream(errors)))
      }.result()
    }

    @Test("the examples of the README that need no network run in one process")
    func examples() async throws {
      for (line, part) in [
        ("apple/swift --stub", "\tOPEN\t"), ("view apple/swift 85968 --stub", "Compiler crashes"),
        ("apple/swift --stub --json number,title", "\"number\""), ("--version", "0.1.0"),
        ("help list", "SYNOPSIS"), ("list --help", "USAGE"),
      ] {
        let result = try await Self.run(line.split(separator: " ").map(String.init))
        #expect(result.status == .exited(0), "\(line): \(result.errorText)")
        #expect(result.outputText.contains(part), "\(line): \(result.outputText)")
      }
    }

    @Test("children start in the folder of the run")
    func folder() async throws {
      let clone = try ScratchFolder()
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", "git init -q && git remote add origin https://github.com/right/one"],
        environment: IssuesProgram.environment, workingDirectory: clone.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      let result = try await Self.run(["open", "--print"], in: clone.path)
      #expect(result.outputText == "https://github.com/right/one/issues\n", "\(result.errorText)")
    }

    @Test("a question is asked and answered on the streams of the run", arguments: ["y", "n"])
    func question(answer: String) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let kept = try await scene.run(
          ["comment", "3", "-R", "swiftlang/swift", "-b", "text", "--queue"], server)
        #expect(kept.status == .exited(75), "\(kept.errorText)")
        let result = try await Self.run(
          ["outbox", "drop", "--all"], isTerminal: true,
          environment: scene.environment.merging(["TERM": "dumb"]) { $1 }, input: "\(answer)\n")
        #expect(result.errorText.contains("[y/N]"), "\(result.errorText)")
        #expect(result.outputText.contains("Dropped") == (answer == "y"), "\(result.outputText)")
      }
    }

    @Test("a usage error and its JSON go to standard error, with the same status")
    func usage() async throws {
      let sentence = try await Self.run(["list", "--bogus"])
      #expect(sentence.status == .exited(64))
      #expect(sentence.errorText.hasPrefix("issues: "), "\(sentence.errorText)")
      let json = try await Self.run(["list", "--bogus", "--json-errors"])
      #expect(json.status == .exited(64))
      #expect(json.errorText.hasPrefix("{"), "\(json.errorText)")
      #expect(json.outputText.isEmpty && sentence.outputText.isEmpty)
    }
  }
}
