import IssueTracker
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("The lookup of a token", .timeLimit(.minutes(5)))
struct TokenLookupTests {
  /// Leaves a file behind when it is run.
  private static let script = #"touch "$here/ran"; echo \#(FakeGH.token)"#

  private func find(
    _ gh: FakeGH?, url: String? = nil, host: String = "github.com",
    environment: [String: String] = [:], clock: any Clock<Duration> = TestClock()
  ) async throws -> TokenLookup.Finding {
    let server = try url.map { try GitHubServer(apiURL: $0) } ?? GitHubServer(host: host)
    return try await TokenLookup(
      server: server, isNamedByURL: url != nil,
      environment: (gh?.environment ?? [:]).merging(environment) { $1 }, clock: clock
    ).find()
  }

  @Test(
    "a variable takes precedence, and gh isn't run",
    arguments: [
      ("github.com", ["GH_TOKEN": "one-one-one"], "GH_TOKEN"),
      ("github.com", ["GITHUB_TOKEN": "one-one-one"], "GITHUB_TOKEN"),
      ("github.com", ["GH_TOKEN": "", "GITHUB_TOKEN": "one-one-one"], "GITHUB_TOKEN"),
      (
        "octocorp.ghe.com", ["GH_TOKEN": "one-one-one", "GH_HOST": "octocorp.ghe.com"], "GH_TOKEN"
      ),
      (
        "git.example.com",
        ["GH_ENTERPRISE_TOKEN": "one-one-one", "GH_HOST": "git.example.com"],
        "GH_ENTERPRISE_TOKEN"
      ),
    ] as [(String, [String: String], String)])
  func variable(host: String, environment: [String: String], name: String) async throws {
    let gh = try await FakeGH(Self.script)
    let found = try await find(gh, host: host, environment: environment)
    #expect(found.token?.secret == "one-one-one")
    #expect(found.source == .variable(name))
    #expect(found.note == nil)
    #expect(gh.contents(of: "ran") == nil)
  }

  @Test(
    "a tenant of ghe.com other than GH_HOST gets its token from gh, and none from a variable",
    arguments: [[:], ["GH_HOST": "other.ghe.com"], ["GH_HOST": "github.com"]])
  func tenant(environment: [String: String]) async throws {
    let environment = environment.merging(["GH_TOKEN": "one-one-one"]) { $1 }
    let alone = try await find(nil, host: "octocorp.ghe.com", environment: environment)
    #expect(alone.token == nil)
    #expect(alone.note?.contains("GH_HOST=octocorp.ghe.com") == true)
    let gh = try await FakeGH(Self.script)
    let found = try await find(gh, host: "octocorp.ghe.com", environment: environment)
    #expect(found.token?.secret == FakeGH.token)
    #expect(found.source == .gh)
    #expect(found.note == nil)
    let named = try await find(
      nil, url: "https://api.octocorp.ghe.com", environment: environment)
    #expect(named.token?.secret == "one-one-one")
  }

  @Test("an invalid token in a variable is an error, and gh isn't run")
  func malformed() async throws {
    let gh = try await FakeGH(Self.script)
    let failure = await #expect(throws: CommandFailure.self) {
      _ = try await find(gh, environment: ["GH_TOKEN": "a b"])
    }
    #expect(failure?.status == .badCredentials)
    #expect(failure?.message.contains("GH_TOKEN") == true)
    #expect(gh.contents(of: "ran") == nil)
  }

  @Test(
    "without a variable, gh is run",
    arguments: ["github.com", "octocorp.ghe.com", "git.example.com"])
  func fallback(host: String) async throws {
    let gh = try await FakeGH(Self.script)
    // Another server's variable isn't mentioned.
    let other = host == "git.example.com" ? "GH_TOKEN" : "GH_ENTERPRISE_TOKEN"
    let found = try await find(gh, host: host, environment: [other: "sekrit-sekrit"])
    #expect(found.token?.secret == FakeGH.token)
    #expect(found.source == .gh)
    #expect(found.note == nil)
  }

  @Test(
    "gh isn't run for a server on this machine",
    arguments: ["http://127.0.0.1:8080", "http://localhost", "https://127.0.0.1/api/v3"])
  func loopback(url: String) async throws {
    let gh = try await FakeGH(Self.script)
    let found = try await find(gh, url: url)
    #expect(found.token == nil && found.source == nil && found.note == nil)
    #expect(gh.contents(of: "ran") == nil)
  }

  @Test("gh doesn't send a token from a variable to a host from a clone's configuration")
  func detour() async throws {
    // As gh does: a variable's token is that of every host.
    let gh = try await FakeGH(
      #"for v in "$GH_ENTERPRISE_TOKEN" "$GITHUB_ENTERPRISE_TOKEN" "$GH_TOKEN" "$GITHUB_TOKEN"; do"#
        + #" [ -n "$v" ] && echo "$v" && exit; done; exit 1"#)
    let found = try await find(
      gh, host: "evil.example",
      environment: [
        "GH_ENTERPRISE_TOKEN": "sekrit-sekrit", "GITHUB_TOKEN": "sekrit-sekrit",
        "CODESPACES": "true",
      ])
    #expect(found.token == nil && found.source == nil)
    #expect(found.note?.contains("set GH_HOST=evil.example") == true)
  }

  @Test("a host known to gh gets its own token, if the variable belongs to another host")
  func known() async throws {
    let gh = try await FakeGH(Self.script)
    let found = try await find(
      gh, host: "git.example.com", environment: ["GH_ENTERPRISE_TOKEN": "sekrit-sekrit"])
    #expect(found.token?.secret == FakeGH.token)
    #expect(found.note == nil)
  }

  @Test("without gh or a login, there is no token and no message")
  func silence() async throws {
    for gh in [try await FakeGH("echo not logged in >&2; exit 1"), nil] {
      let found = try await find(gh)
      #expect(found.token == nil && found.source == nil && found.note == nil)
    }
  }

  @Test("a timeout of gh leaves the request without a token, and is reported in a line")
  func timeout() async throws {
    let gh = try await FakeGH(#"mkfifo "$here/never"; read line < "$here/never""#)
    let clock = TestClock()
    async let finding = find(gh, clock: clock)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: GHCommand.timeout)
    let found = try await finding
    #expect(found.token == nil && found.source == nil)
    #expect(found.note == "gh didn't return a token within 5 seconds: continuing without one.")
  }
}
