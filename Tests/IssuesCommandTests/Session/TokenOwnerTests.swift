import ArgumentParser
import IssueTracker
import Testing

@testable import IssuesCommand

@Suite("The server of a token")
struct TokenOwnerTests {
  private func hasToken(
    _ arguments: [String], host: String?, environment: [String: String]
  ) async throws -> Bool {
    let options = try await AuthStatusCommand.asyncParse(arguments).connection
    let session = CommandSession(unheard: environment)
    let server = try session.server(host: host, apiURL: options.request.apiURL)
    return try await options.connection(to: server, session).tokenSource != nil
  }

  @Test(
    "a token for GitHub Enterprise goes to the host of GH_HOST only",
    arguments: [
      // A host from a clone's remote or a pasted address.
      ("git.example.com", [:], false),
      ("git.example.com", ["GH_HOST": "git.example.com"], true),
      ("GIT.example.com", ["GH_HOST": "git.example.COM"], true),
      ("git.example.com", ["GH_HOST": "other.example.com"], false),
      ("git.example.com:8443", ["GH_HOST": "git.example.com"], false),
      // The host of OWNER/REPO.
      (nil, ["GH_HOST": "git.example.com"], true),
    ] as [(String?, [String: String], Bool)])
  func enterprise(host: String?, environment: [String: String], expected: Bool) async throws {
    let environment = environment.merging(["GH_ENTERPRISE_TOKEN": "sekrit-sekrit"]) { $1 }
    #expect(try await hasToken([], host: host, environment: environment) == expected)
  }

  @Test("a token for github.com goes to github.com, whatever GH_HOST says")
  func github() async throws {
    let environment = ["GH_TOKEN": "sekrit-sekrit", "GH_HOST": "git.example.com"]
    #expect(try await hasToken([], host: "github.com", environment: environment))
    #expect(try await !hasToken([], host: nil, environment: environment))
  }

  @Test("--api-url names the server of the token")
  func explicit() async throws {
    let environment = ["GH_ENTERPRISE_TOKEN": "sekrit-sekrit"]
    let arguments = ["--api-url", "https://git.example.com/api/v3"]
    #expect(try await hasToken(arguments, host: "elsewhere.example", environment: environment))
    #expect(try await !hasToken(["--stub"] + arguments, host: nil, environment: environment))
  }
}
