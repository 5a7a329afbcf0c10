import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("Child process", .timeLimit(.minutes(5)))
struct ChildProcessTests {
  private let environment = ["PATH": "/usr/bin:/bin", "GREETING": "hello"]

  private func output(of arguments: [String]) async throws -> ChildProcess.BoundedOutput {
    try await ChildProcess.output(
      of: arguments, environment: environment, limit: 1 << 16, timeout: .seconds(60),
      clock: ContinuousClock())
  }

  @Test("a child's arguments arrive unchanged, without a shell")
  func arguments() async throws {
    let hostile = ["a b", "$(touch /nowhere)", ";", "'", "", "*", "日本"]
    let expected = Array(hostile.map { $0 + "|" }.joined().utf8)
    let result = try await output(of: ["printf", "%s|"] + hostile)
    #expect(result == .finished(.exited(0), expected))
  }

  @Test("a child gets exactly the given environment")
  func environmentIsWhole() async throws {
    guard case .finished(.exited(0), let bytes) = try await output(of: ["env"]) else {
      Issue.record("env failed")
      return
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.sorted() == ["GREETING=hello", "PATH=/usr/bin:/bin"])
  }

  @Test("a child's exit status is reported", arguments: [0, 1, 3, 127] as [CInt])
  func exits(status: CInt) async throws {
    let child = try ChildProcess(["sh", "-c", "exit \(status)"], environment: environment)
    #expect(await child.wait() == .exited(status))
  }

  @Test("a child's death by a signal is reported as such")
  func killed() async throws {
    let child = try ChildProcess(["sh", "-c", "kill -TERM $$"], environment: environment)
    #expect(await child.wait() == .killed(signal: SIGTERM))
  }

  @Test("SIGPIPE, which this process ignores, ends a child as usual")
  func brokenPipe() async throws {
    OwnProcess.prepare()
    let child = try ChildProcess(["sh", "-c", "kill -PIPE $$"], environment: environment)
    #expect(await child.wait() == .killed(signal: SIGPIPE))
  }

  @Test("starting a missing program fails with its name")
  func missing() {
    let failure = #expect(throws: ChildProcess.StartFailure.self) {
      try ChildProcess(["no-such-program"], environment: environment)
    }
    #expect(failure?.description == "cannot run no-such-program: No such file or directory")
  }

  @Test("a child inherits its standard streams and no other descriptor")
  func descriptors() async throws {
    let pipe = try #require(Pipe())
    defer {
      close(pipe.readingEnd)
      close(pipe.writingEnd)
    }
    let isOpen = { (descriptor: CInt) in
      try await ChildProcess(
        ["test", "-e", "/dev/fd/\(descriptor)"], environment: environment,
        input: .descriptor(pipe.readingEnd)
      ).wait() == .exited(0)
    }
    #expect(try await isOpen(STDIN_FILENO))
    #expect(try await !isOpen(pipe.readingEnd))
    #expect(try await !isOpen(pipe.writingEnd))
  }
}
