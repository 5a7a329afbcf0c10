import PlatformModules
import TestSupport
import TestTraits
import Testing

/// A token never leaves its origin. Every test looks for it, in several writings, in everything that was
/// printed, and in everything that any server but its own received.
///
/// The time limit counts the time in line too.
@Suite("The token doesn't leak", .tags(.heavy), .timeLimit(.minutes(5)))
struct TokenLeakTests {
  private static let turnstile = Turnstile(width: 4)
  private static let traces = SecretTraces(FaultCase.tokenCore)
  private static let tokens = [
    "GH_TOKEN": FaultCase.token, "GITHUB_TOKEN": FaultCase.token,
    "GH_ENTERPRISE_TOKEN": FaultCase.token, "GITHUB_ENTERPRISE_TOKEN": FaultCase.token,
  ]
  private static let verbosities = [[], ["-vv"]]

  /// Runs the command with the token in every variable, and checks its output.
  private static func run(
    _ arguments: [String], environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes, workingDirectory: String? = nil
  ) async throws -> CommandRun.Result {
    let result = try await turnstile.pass {
      try await IssuesProgram.run(
        arguments, environment: tokens.merging(environment) { $1 }, connection: connection,
        workingDirectory: workingDirectory)
    }
    expectNoTrace(in: result.output + result.error)
    return result
  }

  private static func expectNoTrace(
    in data: Data, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = traces.found(in: data)
    #expect(
      found.isEmpty, "\(String(decoding: data, as: UTF8.self))", sourceLocation: sourceLocation)
  }

  @Test("the token's own server gets it, so the other tests can find it")
  func control() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      let result = try await Self.run(["swiftlang/swift", "--api-url", server.url, "-vv"])
      #expect(result.status == .exited(0))
      #expect(result.errorText.lowercased().contains("> authorization: "))
      #expect(!Self.traces.found(in: server.log.received).isEmpty)
    }
  }

  @Test(
    "a redirect to another server doesn't get the token", arguments: [301, 302, 303, 307, 308],
    [true, false])
  func redirect(status: Int, isLate: Bool) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { other in
      let url = other.url
      let github = LoopbackGitHub()
      try await withLoopbackServer { request in
        // On a later page the connection and its token are well in use.
        isLate && request.queryValue("after") == nil
          ? await github.handler(request)
          : LoopbackResponse(status: status, headers: ["Location": "\(url)\(request.target)"])
      } perform: { server in
        for flags in Self.verbosities {
          _ = try await Self.run(["swiftlang/swift", "--all", "--api-url", server.url] + flags)
        }
        #expect(other.log.requestCount >= 2)
        #expect(!Self.traces.found(in: server.log.received).isEmpty)
        Self.expectNoTrace(in: other.log.received)
      }
    }
  }

  @Test(
    "a redirect to a host with a similar name doesn't get the token",
    arguments: [
      "http://127.0.0.1:%OWN%@127.0.0.1:%OTHER%/x", "//127.0.0.1:%OTHER%/x",
      #"\\127.0.0.1:%OTHER%/x"#,
      "http://127.0.0.1:%OTHER%#@127.0.0.1:%OWN%/x", "http:/\\127.0.0.1:%OTHER%/x",
      "http://localhost:%OTHER%/x", "http://127.1:%OTHER%/x",
      "http://127.0.0.1:%OTHER%?127.0.0.1:%OWN%",
    ])
  func lookalike(location: String) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { other in
      let port = "\(other.port)"
      try await withLoopbackServer { request in
        let own = String(
          request.origin.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst())
        return LoopbackResponse(
          status: 302,
          headers: [
            "Location": location.replacing("%OTHER%", with: port).replacing("%OWN%", with: own)
          ])
      } perform: { server in
        _ = try await Self.run(["swiftlang/swift", "--api-url", server.url, "-vv"])
        Self.expectNoTrace(in: other.log.received)
      }
    }
  }

  @Test(
    "a next page on another server isn't requested",
    arguments: [
      "http://127.0.0.1:%OTHER%/x", "//127.0.0.1:%OTHER%/x", "http://localhost:%OTHER%/x",
    ])
  func nextPage(link: String) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { other in
      let target = link.replacing("%OTHER%", with: "\(other.port)")
      let github = LoopbackGitHub()
      try await withLoopbackServer { request in
        await github.handler(request).with {
          if $0.headers["Link"] != nil { $0.headers["Link"] = "<\(target)>; rel=\"next\"" }
        }
      } perform: { server in
        for flags in Self.verbosities {
          let result = try await Self.run(
            ["swiftlang/swift", "--all", "--api-url", server.url] + flags)
          #expect(result.status == .exited(7))
        }
        #expect(other.log.connectionCount == 0)
      }
    }
  }

  @Test(
    "no fault reveals the token, at any verbosity",
    arguments: FaultCase.runnable.filter { $0.idle == nil })
  func faults(row: FaultCase) async throws {
    guard let run = row.runs.first else { return }
    try await row.withWorld(of: run) { world in
      _ = try await Self.run(
        world.options + ["-vv", "--retries", "0", "--wait", "0", "--", row.repository],
        environment: world.environment)
      Self.expectNoTrace(in: world.strangers())
    }
  }

  @Test("a terminal doesn't show the token", arguments: verbosities)
  func terminal(flags: [String]) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      let result = try await Self.run(
        ["swiftlang/swift", "--api-url", server.url] + flags,
        connection: .terminal(columns: 80, rows: 24))
      #expect(result.status == .exited(0))
    }
  }

  #if os(Linux)
    @Test("the list of processes doesn't show the token")
    func processes() async throws {
      try await withLoopbackServer { _ in
        .stall
      } perform: { server in
        let run = try IssuesProgram.start(
          ["swiftlang/swift", "--api-url", server.url], environment: Self.tokens, isProcess: true)
        try await server.log.waitForRequest()
        for file in ["cmdline", "comm", "stat", "status"] {
          let path = "/proc/\(run.processIdentifier)/\(file)"
          let data = try Data(contentsOf: URL(filePath: path))
          #expect(!data.isEmpty)
          Self.expectNoTrace(in: data)
        }
        run.send(signal: 9)
        _ = try await run.result()
      }
    }
  #endif

  @Test("neither git, the pager nor the browser gets the token")
  func children() async throws {
    let folder = try ScratchFolder()
    // Each writes its arguments and environment into a file of its name.
    let script = """
      #!/bin/sh
      { env; echo "$0 $*"; } > '\(folder.path)'/seen-"${0##*/}"
      case $0 in
      */git) printf 'remote.origin.url\\nhttps://github.com/swiftlang/swift\\0' ;;
      */pager) cat ;;
      esac
      """
    for name in ["git", "pager", "browser"] {
      let url = URL(filePath: "\(folder.path)/\(name)")
      try Data(script.utf8).write(to: url)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/\(name)")
    }
    let environment = [
      "PATH": "\(folder.path):/usr/bin:/bin", "PAGER": "\(folder.path)/pager",
      "BROWSER": "\(folder.path)/browser",
    ]
    let listed = try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      try await Self.run(
        ["--api-url", server.url], environment: environment,
        connection: .terminal(columns: 80, rows: 24))
    }
    #expect(listed.status == .exited(0), "\(listed.outputText)")
    let opened = try await Self.run(["swiftlang/swift", "--web"], environment: environment)
    #expect(opened.status == .exited(0), "\(opened.errorText)")
    for name in ["git", "pager", "browser"] {
      let seen = try Data(contentsOf: URL(filePath: "\(folder.path)/seen-\(name)"))
      #expect(String(decoding: seen, as: UTF8.self).contains("PATH=\(folder.path)"))
      Self.expectNoTrace(in: seen)
    }
  }

  @Test("no file contains the token")
  func files() async throws {
    let folder = try ScratchFolder()
    let environment = [
      "HOME": folder.path, "XDG_CACHE_HOME": "\(folder.path)/cache",
      "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_STATE_HOME": "\(folder.path)/state",
      "TMPDIR": folder.path,
    ]
    try Data("here".utf8).write(to: URL(filePath: "\(folder.path)/looked-at"))
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      for arguments in [
        ["swiftlang/swift", "--all"], ["swiftlang/swift", "--all"], ["user", "octocat"],
        ["repos", "octocat"], ["swiftlang/swift", "--json"], ["nobody/nothing"],
      ] {
        _ = try await Self.run(
          arguments + ["--api-url", server.url], environment: environment,
          workingDirectory: folder.path)
      }
    }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(paths.contains("looked-at"))
    for path in paths {
      Self.expectNoTrace(in: Data(path.utf8))
      // A folder has no contents.
      guard let data = try? Data(contentsOf: URL(filePath: "\(folder.path)/\(path)")) else {
        continue
      }
      Self.expectNoTrace(in: data)
    }
  }

  @Test("a crash report doesn't contain the token", arguments: [6, 11] as [Int32])
  func crash(signal: Int32) async throws {
    let folder = try ScratchFolder()
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let run = try IssuesProgram.start(
        ["swiftlang/swift", "-vv", "--api-url", server.url],
        environment: Self.tokens.merging(["SWIFT_BACKTRACE": "enable=yes,color=no"]) { $1 },
        workingDirectory: folder.path, isProcess: true)
      try await server.log.waitForRequest()
      run.send(signal: signal)
      // The last line of Swift's crash report. Without a reporter, the signal ends the
      // process; with one, a signal from outside leaves it running.
      _ = try? await run.waitFor("Backtrace took", on: .error)
      run.send(signal: 9)
      let result = try await run.result()
      guard case .signalled = result.status else {
        Issue.record("not ended by a signal: \(result.status)")
        return
      }
      Self.expectNoTrace(in: result.output + result.error)
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        Self.expectNoTrace(in: try Data(contentsOf: URL(filePath: "\(folder.path)/\(path)")))
      }
    }
  }
}
