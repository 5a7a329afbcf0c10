import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `issues browse` as a person meets it: in a terminal that is typed at and looked at, against a server that
/// takes its time.
extension CommandTests {
  @Suite(
    "The screen in a terminal",
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct ScriptedScreenTests {
    /// A window with a shell, in which the command is `$issues`.
    static func window(columns: Int = 80, rows: Int = 24) async throws -> TmuxSession {
      var environment = IssuesProgram.environment()
      environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
      // It would ask the terminal what to do about a crash, and take what is typed for the answer.
      environment["SWIFT_BACKTRACE"] = "enable=no"
      environment["issues"] = try BuiltProducts.path(of: "issues")
      return try await TmuxSession(columns: columns, rows: rows, environment: environment)
    }

    /// A made-up GitHub with 500 open issues, each answer a fifth of a second late.
    private static func github(latency: Duration = .milliseconds(200)) -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [
        .swift(issues: SyntheticIssues(count: 500, pullRequests: 0, closed: 0))
      ]
      configuration.latency = latency
      return LoopbackGitHub(configuration)
    }

    /// Opens the screen, with nothing typed yet.
    static func browse(_ window: TmuxSession, _ server: LoopbackServer) async throws {
      window.type("$issues browse --api-url \(server.url)")
      window.press("Enter")
      try await window.see("❯")
    }

    @Test("typed letter by letter, only the final text is asked for", .timeLimit(.minutes(5)))
    func typing() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let window = try await Self.window()
        try await Self.browse(window, server)
        window.type("apple/swift")
        try await window.see("#500")
        let paths = server.log.requests.map(\.path)
        for path in paths where !path.contains("/search/") {
          #expect(
            ["/repos/apple/swift", "/repositories/44838949", "/repos/swiftlang/swift/issues"]
              .contains { path.hasSuffix($0) }, "\(path)")
        }
        for request in server.log.requests where request.path.contains("/search/") {
          #expect(request.target.contains("swift") && request.target.contains("apple"))
        }
        #expect(paths.count { $0.hasSuffix("/issues") } == 1)
      }
    }

    @Test("scrolled to the end of 500 issues, each page is asked for once", .timeLimit(.minutes(5)))
    func paging() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let window = try await Self.window()
        try await Self.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        try await window.see("#500")
        // The end of what is loaded, again and again: each time the next page comes.
        for loaded in [200, 300, 400, 500] {
          window.press("End")
          try await window.see("\(loaded) loaded") { $0.contains("\(loaded) ") }
        }
        window.press("End")
        try await window.see("#1 ")
        let pages = server.log.requests.filter { $0.path.hasSuffix("/issues") }.map(\.target)
        #expect(pages.count == 5)
        #expect(Set(pages).count == 5)
      }
    }

    @Test("an issue is read, in windows narrow and wide", .timeLimit(.minutes(5)))
    func reading() async throws {
      try await withLoopbackServer(answering: Self.github(latency: .zero).handler) { server in
        let window = try await Self.window()
        try await Self.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        try await window.see("#500")
        window.press("j", "j", "Enter")
        // The list has that number too: the reader is there when the list isn't.
        try await window.see("the reader over the list") { screen in
          screen.contains("\n#498 Open ") && !screen.contains("#497")
        }
        window.resize(columns: 40, rows: 10)
        try await window.see("the reader in a window of 40") { screen in
          screen.split(separator: "\n").allSatisfy { $0.count <= 40 }
            && screen.contains("\n#498 Open ") && !screen.contains("#497")
        }
        window.resize(columns: 200, rows: 60)
        // Side by side.
        try await window.see("list and reader") {
          $0.contains("#490") && $0.contains("┃ #498 Open ")
        }
      }
    }

    @Test(
      "suspended, the shell has its terminal; continued, the screen is back",
      .timeLimit(.minutes(5)))
    func suspension() async throws {
      try await withLoopbackServer(answering: Self.github(latency: .zero).handler) { server in
        let window = try await Self.window()
        window.type("stty -a >before; echo beginning")
        window.press("Enter")
        try await window.see("\nbeginning")
        try await Self.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        // The last line is the last to be drawn.
        let shown = try await window.see("a list that is loaded") {
          $0.contains("#500") && ($0.split(separator: "\n").last?.contains("100 ") ?? false)
        }
        window.press("C-z")
        try await window.see("beginning")
        window.type("stty -a | diff before - && echo same")
        window.press("Enter")
        try await window.see("\nsame")
        window.type("fg")
        window.press("Enter")
        try await window.see("the screen again") { $0 == shown }
        window.press("C-c")
        try await window.see("\nsame")
      }
    }

    @Test(
      "whatever ends it, the terminal is as it was", .timeLimit(.minutes(5)),
      arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGILL])
    func killed(signal: CInt) async throws {
      try await withLoopbackServer(answering: Self.github(latency: .zero).handler) { server in
        let window = try await Self.window()
        window.type("ulimit -c 0; stty -a >before; echo beginning")
        window.press("Enter")
        try await window.see("\nbeginning")
        window.type("sh -c 'echo $$ >pid; exec $issues browse --api-url \(server.url)'")
        window.press("Enter")
        try await window.see("❯")
        window.type("apple/swift")
        window.press("Enter")
        try await window.see("#500")
        let line = try String(contentsOfFile: "\(window.folder)/pid", encoding: .utf8)
        let identifier = try #require(pid_t(line.filter(\.isNumber)))
        kill(identifier, signal)
        // The shell is back when its prompt is: what is typed before could be read by the screen.
        try await window.see("the prompt") { $0.hasSuffix("\n$") }
        window.type("echo ended $?; stty -a | diff before - && echo same")
        window.press("Enter")
        let screen = try await window.see("\nsame")
        #expect(screen.contains("\nended \(128 + signal)\n"), "\(screen)")
        #expect(screen.contains("\nbeginning\n"), "\(screen)")
        #expect(!screen.contains("#500") && !screen.contains("❯"), "\(screen)")
      }
    }
  }
}
