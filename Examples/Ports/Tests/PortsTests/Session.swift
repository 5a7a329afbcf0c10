import CurlTransport
import Foundation
import PortSupport
import Reactive
import ReactiveTesting
import Testing

/// A program under test: what is typed into it, what it prints, and the server that it asks.
struct Session {
  let server: ScriptedServer
  let url: String
  let transport = CurlTransport()
  /// The program's clock.
  let clock = TestClock()
  private let typing: AsyncStream<String>.Continuation
  private let printed: AsyncStream<String>

  /// Starts a program.
  ///
  /// - Parameter program: Makes the sequence of what the program prints.
  /// - Throws: The error of `program`, or of starting the server.
  init<Output: AsyncSequence & Sendable>(
    _ program: (_ input: AsyncStream<String>, _ session: Setup) throws -> Output
  ) async throws where Output.Element: CustomStringConvertible, Output.Failure == Never {
    server = try await ScriptedServer()
    url = await server.url
    let (input, typing) = AsyncStream.makeStream(of: String.self)
    let (printed, printing) = AsyncStream.makeStream(of: String.self)
    (self.typing, self.printed) = (typing, printed)
    let output = try program(input, Setup(url: url, transport: transport, clock: clock))
    let running = Task {
      for await line in output { printing.yield("\(line)") }
      printing.finish()
    }
    printing.onTermination = { _ in running.cancel() }
  }

  /// What a program needs.
  struct Setup {
    let url: String
    let transport: CurlTransport
    let clock: TestClock

    /// Probes with a request that the server must answer.
    func reachability(_ probe: @escaping @Sendable () async -> Bool) -> ProbingReachability {
      ProbingReachability(pauses: .seconds(1) ... .seconds(1), clock: clock, probe: probe)
    }
  }

  /// Types a line.
  func type(_ line: String) { typing.yield(line) }

  /// Waits for the next line; nil after the program's end.
  func line() async -> String? {
    for await line in printed { return line }
    return nil
  }

  /// Ends the input, and expects that the program prints nothing more.
  func end() async {
    typing.finish()
    #expect(await line() == nil)
  }

  /// Expects the next line.
  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
    #expect(await line() == text, sourceLocation: sourceLocation)
  }

  /// Reads lines until one comes, and returns those before it: a view that follows several sequences may show a change
  /// of one before that of another.
  @discardableResult
  func expect(
    eventually text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [String] {
    var passed: [String] = []
    while let line = await line() {
      if line == text { return passed }
      passed.append(line)
    }
    Issue.record("ended after \(passed)", sourceLocation: sourceLocation)
    return passed
  }

  /// Lets the server go, waits until the program says so, lets it come back, and answers the program's probe.
  func goOfflineAndBack(
    while action: () -> Void, says lines: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await goOfflineAndBack(
      while: action,
      until: { for line in lines { await expect(line, sourceLocation: sourceLocation) } },
      sourceLocation: sourceLocation)
  }

  /// The same for a program whose lines may vary.
  func goOfflineAndBack(
    while action: () -> Void, until isTold: () async -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    await server.goOffline()
    action()
    await isTold()
    try await server.goOnline()
    try await clock.nextDeadline(in: .seconds(1))
    clock.advance(by: .seconds(1))
    let probe = try await server.next()
    #expect(probe.target == "/rate_limit", sourceLocation: sourceLocation)
    try await probe.answer("{}")
  }
}

/// The end of the limit in these tests.
let limitEnd = Date(timeIntervalSince1970: 2_000_000_000)
