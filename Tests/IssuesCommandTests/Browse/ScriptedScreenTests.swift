import PlatformModules
import TestSupport
import Testing

/// `issues browse` as a person meets it: in a terminal that is typed at and looked at, against a server that
/// takes its time.
extension CommandTests {
  @Suite(
    "The screen in a terminal",
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct ScriptedScreenTests {
    /// A window with a shell, in which the command is `$issues`.
    static func window(
      columns: Int = 80, rows: Int = 24, environment own: [String: String] = [:]
    ) async throws -> TmuxSession {
      var environment = IssuesProgram.environment(own)
      environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
      // It would ask the terminal what to do about a crash, and take what is typed for the answer.
      environment["SWIFT_BACKTRACE"] = "enable=no"
      environment["issues"] = try BuiltProducts.path(of: "issues")
      return try await TmuxSession(columns: columns, rows: rows, environment: environment)
    }

    /// A made-up GitHub with 500 open issues, each answer a fifth of a second late.
    ///
    /// All of them are a year old and some weeks, so that the screen is the same on every day.
    private static func github(latency: Duration = .milliseconds(200)) -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      let newest = Int(Date().timeIntervalSince1970) - 400 * 86_400
      configuration.repositories = [
        .swift(issues: SyntheticIssues(count: 500, pullRequests: 0, closed: 0, newest: newest))
      ]
      configuration.latency = latency
      return LoopbackGitHub(configuration)
    }

    /// Whether the first page is there and drawn: the last line is the last to be.
    private static func isLoaded(_ screen: String) -> Bool {
      // Its last letter is painted last.
      screen.contains("#500") && screen.contains("\nrow 1 of 100+ ") && screen.contains("c comment")
    }

    /// Whether the comments of #498 are there and drawn.
    private static func isRead(_ screen: String) -> Bool {
      screen.split(separator: "\n").last?.contains("comments") == true
        && screen.split(separator: "\n").last?.contains(" of ") == false
    }

    /// Whether the spinner turns.
    private static func isBusy(_ screen: String) -> Bool {
      screen.unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) }
    }

    private static func fits(_ screen: String, columns: Int, rows: Int) -> Bool {
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.count == rows && lines.allSatisfy { $0.count <= columns }
    }

    /// Opens the screen, with nothing typed yet.
    static func browse(_ window: TmuxSession, _ server: LoopbackServer) async throws {
      window.type("$issues browse --api-url \(server.url)")
      window.press("Enter")
      try await window.see("❯")
    }

    @Test(
      "typing a name letter by letter sends requests for the final name only",
      .timeLimit(.minutes(5)))
    func typing() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let window = try await Self.window()
        try await Self.browse(window, server)
        window.type("apple/swift")
        try await window.see("#500")
        let paths = server.log.requests.map(\.path)
        for path in paths where !path.contains("/search/") {
          #expect(
            [
              "/repos/apple/swift", "/repositories/44838949", "/repos/apple/swift/issues",
              "/repositories/44838949/issues",
            ].contains { path.hasSuffix($0) }, "\(path)")
        }
        for request in server.log.requests where request.path.contains("/search/") {
          #expect(request.target.contains("swift") && request.target.contains("apple"))
        }
        #expect(paths.count { $0.hasSuffix("/repositories/44838949/issues") } == 1)
      }
    }

    @Test("scrolling to the end of 500 issues requests each page once", .timeLimit(.minutes(5)))
    func paging() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let window = try await Self.window()
        try await Self.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        try await window.see("a list that is loaded") { Self.isLoaded($0) }
        window.press("End")
        try await window.see("the last row") {
          $0.contains("▌● #1 ") && $0.contains("row 500 of 500 ")
        }
        let pages = server.log.requests
          .filter { $0.path.hasSuffix("/repositories/44838949/issues") }.map(\.target)
        #expect(pages.count == 5)
        #expect(Set(pages).count == 5)
      }
    }

    @Test("an issue can be read in narrow and wide windows", .timeLimit(.minutes(5)))
    func reading() async throws {
      try await withLoopbackServer(answering: Self.github(latency: .zero).handler) { server in
        let window = try await Self.window()
        try await Self.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        try await window.see("#500")
        try await window.see("a list that is loaded", as: "screen-list-80x24.txt") {
          Self.isLoaded($0)
        }
        window.press("j", "j", "Enter")
        // The list has that number too: the reader is there when the list isn't.
        try await window.see("the reader over the list", as: "screen-reader-80x24.txt") {
          Self.isRead($0) && $0.contains("\n● #498 Open ") && !$0.contains("#497")
        }
        window.resize(columns: 40, rows: 10)
        try await window.see("the reader in a window of 40", as: "screen-reader-40x10.txt") {
          Self.isRead($0) && $0.contains("\n● #498 Open ") && Self.fits($0, columns: 40, rows: 10)
            && $0.contains("\ntask is cancelled")
        }
        window.resize(columns: 200, rows: 60)
        try await window.see("list and reader side by side", as: "screen-both-200x60.txt") {
          Self.isRead($0) && $0.contains("┃ ● #498 Open ") && !Self.isBusy($0)
            && Self.fits($0, columns: 200, rows: 60) && $0.contains("differently in debug")
        }
      }
    }

    @Test(
      "a suspended screen returns the terminal to the shell, and fg restores it",
      .timeLimit(.minutes(5)))
    func suspension() async throws {
      try await withLoopbackServer(answering: Self.github(latency: .zero).handler) { server in
        let window = try await Self.window()
        try await window.run("stty -a >before; echo beginning", printing: "beginning")
        try await Self.browse(window, server)
        window.type("apple/swift")
        window.press("Enter")
        let shown = try await window.see("a list that is loaded") { Self.isLoaded($0) }
        window.press("C-z")
        try await window.see("the prompt") { $0.contains("Stopped") && $0.hasSuffix("\n$") }
        try await window.run("stty -a | diff before - && echo same", printing: "same")
        window.type("fg")
        window.press("Enter")
        let again = try await window.see("the screen again") { Self.isLoaded($0) }
        #expect(again == shown)
        window.press("C-c")
        try await window.see("\nsame")
      }
    }

    @Test(
      "the terminal is restored after each fatal signal", .timeLimit(.minutes(5)),
      arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGILL])
    func killed(signal: CInt) async throws {
      try await withLoopbackServer(answering: Self.github(latency: .zero).handler) { server in
        let window = try await Self.window()
        let preparation = "ulimit -c 0; stty -a >before; echo beginning"
        try await window.run(preparation, printing: "beginning")
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
        let comparison = "echo ended $?; stty -a | diff before - && echo same"
        let screen = try await window.run(comparison, printing: "same")
        #expect(screen.contains("\nended \(128 + signal)\n"), "\(screen)")
        #expect(screen.contains("\nbeginning\n"), "\(screen)")
        #expect(!screen.contains("#500") && !screen.contains("❯"), "\(screen)")
      }
    }
  }
}
