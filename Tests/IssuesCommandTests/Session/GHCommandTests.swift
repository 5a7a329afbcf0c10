import IssueTracker
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("The token of gh", .timeLimit(.minutes(5)))
struct GHCommandTests {
  private func ask(
    _ gh: FakeGH, _ host: String = "github.com", environment: [String: String] = [:],
    clock: any Clock<Duration> = TestClock()
  ) async throws -> GHCommand.Answer {
    let environment = gh.environment.merging(environment) { $1 }
    return try await #require(GHCommand(environment: environment, clock: clock)).token(for: host)
  }

  @Test("gh is asked for the host's token without a shell")
  func arguments() async throws {
    let gh = try await FakeGH(#"printf '%s|' "$@" > "$here/arguments"; echo \#(FakeGH.token)"#)
    let answer = try await ask(gh, "git.example.com")
    #expect(answer == .token(try AccessToken(FakeGH.token)))
    #expect(gh.contents(of: "arguments") == "auth|token|--hostname|git.example.com|")
  }

  @Test(
    "gh gets the user's environment without the variables for tokens")
  func environment() async throws {
    let gh = try await FakeGH(#"env > "$here/environment"; echo \#(FakeGH.token)"#)
    _ = try await ask(
      gh,
      environment: [
        "HOME": "/home/ada", "GH_CONFIG_DIR": "/c", "CODESPACES": "true", "GH_TOKEN": "one",
        "GITHUB_TOKEN": "two", "GH_ENTERPRISE_TOKEN": "three", "GITHUB_ENTERPRISE_TOKEN": "four",
      ])
    let lines = try #require(gh.contents(of: "environment")).split(separator: "\n")
    for line in ["HOME=/home/ada", "GH_CONFIG_DIR=/c", "CODESPACES=true"] {
      #expect(lines.contains { $0 == line })
    }
    #expect(!lines.contains { $0.contains("TOKEN") })
  }

  @Test(
    "a line break at the end of gh's output is removed", arguments: ["", #"\n"#, #"\r\n"#])
  func newline(terminator: String) async throws {
    let gh = try await FakeGH(printing: FakeGH.token, terminator: terminator)
    #expect(try await ask(gh) == .token(try AccessToken(FakeGH.token)))
  }

  @Test(
    "a gh that fails gives no token, whatever it prints",
    arguments: [
      "exit 1", "echo \(FakeGH.token); exit 1", "echo no oauth token >&2; exit 4", "kill -TERM $$",
      "exec /nonexistent/program",
    ])
  func failing(script: String) async throws {
    let gh = try await FakeGH(script)
    #expect(try await ask(gh) == .none)
  }

  @Test(
    "gh output that can't be a token is refused, and never shown",
    arguments: [
      "printf ''", "echo", "echo 'sekrit sekrit'", #"printf 'sekrit\033[2J\n'"#,
      #"printf 'sekrit\nsekrit\n'"#, #"printf 'sekrit\n\n'"#, #"printf 'sekrit\000x'"#,
      #"printf 'sekrit\377\376\n'"#, #"printf 'sekr\303\251t\n'"#,
      "echo \"sekrit: You are not logged in. Type 'gh auth login'.\"",
      "head -c 65537 /dev/zero | tr '\\0' s", "head -c 1000000 /dev/zero | tr '\\0' s",
      "yes sekrit",
    ])
  func odd(script: String) async throws {
    let gh = try await FakeGH(script)
    let failure = await #expect(throws: CommandFailure.self) { try await ask(gh) }
    #expect(failure?.status == .badCredentials)
    #expect(failure?.message.contains("other than an access token") == true)
    #expect(failure?.message.contains("gh auth login") == true)
    #expect(failure?.message.contains("sek") == false)
    #expect(failure?.message.contains("sss") == false)
  }

  @Test("the standard error of gh is ignored")
  func standardError() async throws {
    let gh = try await FakeGH(
      "head -c 300000 /dev/zero >&2; echo \(FakeGH.token)")
    #expect(try await ask(gh) == .token(try AccessToken(FakeGH.token)))
  }

  @Test("a gh that hangs is killed and reaped after the timeout", arguments: [false, true])
  func hanging(closesOutput: Bool) async throws {
    let gh = try await FakeGH(
      """
      mkfifo "$here/never" && echo $$ > "$here/started"
      \(closesOutput ? "exec >&-" : "")
      read line < "$here/never"
      """)
    let started = Fifo(gh.path("started"))
    let clock = TestClock()
    async let answer = ask(gh, clock: clock)
    let identifier = try #require(pid_t(try await started.line()))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: GHCommand.timeout - .nanoseconds(1))
    #expect(kill(identifier, 0) == 0)
    clock.advance(by: .nanoseconds(1))
    #expect(try await answer == .timedOut)
    // Not even a zombie is left.
    #expect(kill(identifier, 0) == -1 && errno == ESRCH)
  }

  @Test("a child of a hanging gh that keeps its output open isn't waited for")
  func grandchild() async throws {
    let gh = try await FakeGH(
      """
      mkfifo "$here/never"
      cat "$here/never" &
      echo $$ > "$here/started"
      read line < "$here/never"
      """)
    let started = Fifo(gh.path("started"))
    let clock = TestClock()
    async let answer = ask(gh, clock: clock)
    _ = try await started.line()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: GHCommand.timeout)
    #expect(try await answer == .timedOut)
    // Lets the remaining process read the end of the file, and exit.
    Fifo(gh.path("never"), makes: false).hangUp()
  }

  @Test("cancelling ends the wait for gh, and gh")
  func cancellation() async throws {
    let gh = try await FakeGH(
      """
      mkfifo "$here/never" && echo $$ > "$here/started"
      read line < "$here/never"
      """)
    let started = Fifo(gh.path("started"))
    let environment = gh.environment
    let task = Task {
      try await #require(GHCommand(environment: environment, clock: TestClock()))
        .token(for: "github.com")
    }
    let identifier = try #require(pid_t(try await started.line()))
    task.cancel()
    let failure = await #expect(throws: CommandFailure.self) { try await task.value }
    #expect(failure?.status == .cancelled)
    #expect(kill(identifier, 0) == -1 && errno == ESRCH)
  }

  @Test(
    "gh is asked for the host of the API's URL",
    arguments: [
      ("https://api.github.com", "github.com"), ("https://api.github.com/", "github.com"),
      ("https://api.github.com/x", "github.com"),
      ("https://api.octocorp.ghe.com", "octocorp.ghe.com"),
      ("https://git.example.com/api/v3", "git.example.com"),
      ("https://git.example.com/other", "git.example.com"),
      ("https://git.example.com:8443/api/v3", nil), ("https://api.github.com:8443", nil),
      ("http://127.0.0.1:8080", nil), ("https://127.0.0.1", nil), ("https://localhost", nil),
      ("https://api.localhost/api/v3", nil), ("http://[::1]:80", nil),
      // For these gh would give the token of github.com, and of octocorp.ghe.com.
      ("https://evil.github.com/api/v3", nil), ("https://a.b.github.com", nil),
      ("https://evil.octocorp.ghe.com", nil), ("https://api.evil.octocorp.ghe.com", nil),
      ("https://api.octocorp.ghe.com/api/v3", "octocorp.ghe.com"),
      ("https://notgithub.com/api/v3", "notgithub.com"),
    ] as [(String, String?)])
  func hosts(url: String, expected: String?) throws {
    #expect(GHCommand.host(of: try GitHubServer(apiURL: url)) == expected)
  }

  @Test("without gh, there is no command to ask")
  func absent() throws {
    #expect(GHCommand(environment: ["PATH": "/nonexistent"]) == nil)
    #expect(GHCommand(environment: [:]) == nil)
  }
}
