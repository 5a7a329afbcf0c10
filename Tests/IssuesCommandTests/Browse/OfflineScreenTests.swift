import TestSupport
import Testing

/// The screen on the mirror, as a person meets it.
extension CommandTests {
  @Suite(
    "The screen with a mirror", .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct OfflineScreenTests {
    /// 300 open issues, of which every tenth or so has a subject.
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 300, pullRequests: 0, closed: 0, newest: 1_700_000_000))

    /// The rows of issues on a screen, without the selection's marker and the state's glyph.
    private static func rows(_ screen: String) -> [Substring] {
      screen.split(separator: "\n").map { $0.drop { "▌● ".contains($0) } }
        .filter { $0.hasPrefix("#") }
    }

    @Test(
      "the screen lists, filters and shows mirrored issues without a request",
      arguments: PostgresServer.isInstalled ? [false, true] : [false])
    func offline(isTeams: Bool) async throws {
      let team = isTeams ? try await TeamScene([Self.repository]) : nil
      let scene = try team?.mirror ?? MirrorScene([Self.repository])
      let database = team?.environment ?? [:]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, ["swiftlang/swift", "--comments"], environment: database)
        let before = server.log.connectionCount
        // A token that would be refused where one is looked up.
        let environment = scene.environment.merging(database) { $1 }
          .merging(["GH_TOKEN": "no token"]) { $1 }
        let window = try await ScriptedScreenTests.window(environment: environment)
        window.type("$issues browse --offline --api-url \(server.url)")
        window.press("Enter")
        try await window.see("Mirrored repositories")
        window.type("swiftlang/swift")
        window.press("Enter")
        let list = try await window.see("a list that is loaded") {
          // Its last letter is painted last.
          $0.contains("#300") && $0.contains("row 1 of 300 ") && $0.hasSuffix("/ search")
        }
        window.press("f")
        try await window.see("filter: is:open")
        window.type("linker")
        try await window.see("what is typed") {
          let rows = Self.rows($0)
          return $0.contains("matching “is:open linker”") && $0.contains("filter: is:open linker")
            && !rows.isEmpty && rows.allSatisfy { $0.contains("Linker error") }
        }
        window.press("Escape")
        try await window.see("the list as it was") { $0 == list }
        window.press("Enter")
        try await window.see("the reader") { $0.contains("\n● #300 Open") && !$0.contains("#299") }
        window.press("q", "q")
        try await window.see("the prompt") { $0.hasSuffix("\n$") }
        #expect(server.log.connectionCount == before)
      }
    }

    @Test("the screen shows the mirror with a notice if the server can't be reached")
    func standIn() async throws {
      let scene = try MirrorScene([Self.repository])
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      try await scene.sync(server)
      await server.stop()
      let window = try await ScriptedScreenTests.window(environment: scene.environment)
      window.type("$issues browse swiftlang/swift --retries 0 --api-url \(server.url)")
      window.press("Enter")
      try await window.see("the mirror") {
        $0.contains("#300") && $0.contains("synced less than a minute ago")
      }
      window.press("End")
      try await window.see("all rows") { $0.contains("▌● #1 ") && $0.contains("row 300 of 300 ") }
      window.press("C-c")
      try await window.see("the prompt") { $0.hasSuffix("\n$") }
    }

    @Test(
      "a filter shows mirrored results and then the server's, and Tab completes it")
    func settling() async throws {
      let scene = try MirrorScene([Self.repository])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let added = scene.github.addIssue(to: Self.repository) { $0.title = "Linker of this day" }
        let window = try await ScriptedScreenTests.window(
          columns: 120, environment: scene.environment)
        window.type("$issues browse swiftlang/swift --api-url \(server.url)")
        window.press("Enter")
        try await window.see("the server's list") {
          $0.contains("#\(added) ") && $0.contains("Linker of this day")
        }
        window.press("f")
        try await window.see("filter: is:open")
        window.type("linker ")
        try await window.see("what the server finds") {
          let rows = Self.rows($0)
          return rows.contains { $0.contains("Linker of this day") }
            && rows.allSatisfy { $0.contains("Linker") }
        }
        window.type("labe")
        try await window.see("│ label:")
        window.press("Tab")
        try await window.see("filter: is:open linker label:")
        // The completions, then the filter.
        window.press("Escape")
        try await window.see("no completions") { !$0.contains("│ label:") }
        window.press("Escape")
        try await window.see("the whole list") { Self.rows($0).contains { !$0.contains("Linker") } }
        window.press("s")
        try await window.see("│ Most reactions first")
        window.press("Escape")
        try await window.see("no menu") { !$0.contains("│ Most reactions first") }
        window.press("q")
        try await window.see("the prompt") { $0.hasSuffix("\n$") }
        #expect(server.log.requests.contains { $0.path.hasSuffix("/search/issues") })
      }
    }

    @Test("--offline with sample data is refused")
    func usage() async throws {
      let result = try await IssuesProgram.run(["browse", "--offline", "--stub"])
      result.expectFailure(64, saying: ["--offline", "--stub"])
    }
  }
}
