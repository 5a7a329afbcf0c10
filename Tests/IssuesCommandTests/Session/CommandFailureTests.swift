import CurlTransport
import IssueTracker
import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("The advice of a failure")
struct CommandFailureTests {
  private func advice(
    _ status: Int, _ source: TokenSource?, _ url: String, code: NetworkError.Code = .statusCode,
    remaining: Int = 60
  ) throws -> String {
    var response = TargetResponse(request: TargetRequest(url: url), status: .init(code: status))
    if let name = HTTPField.Name("x-ratelimit-remaining") {
      response.headers[name] = "\(remaining)"
    }
    let failure = CommandFailure(
      NetworkError(code, "what happened", response: response), of: "a/b",
      on: try GitHubServer(apiURL: url), tokenSource: source)
    let lines = failure.message.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == "what happened")
    return lines.last.map(String.init) ?? ""
  }

  @Test("a failure names the server instead of the request's line, on a screen in one line")
  func voice() throws {
    let response = TargetResponse(
      request: TargetRequest(url: "https://api.github.com/repos/a/b"), status: .notFound,
      body: Data(#"{"message":"Not Found"}"#.utf8))
    let error = NetworkError(
      .statusCode, "\(response.request) answered with status 404: Not Found", response: response)
    let failure = CommandFailure(error, of: "a/b", on: .github, tokenSource: .gh)
    let happened = "github.com didn't find a/b (404 Not Found)"
    let advice = "Check the name “a/b”, and that the token from gh has access to it."
    #expect(failure.message == "\(happened)\n\(advice)")
    #expect(failure.sentences == "\(happened). \(advice)")
  }

  @Test("an inaccessible repository in a search is not found, and other refusals are wrong usage")
  func unsearchable() {
    let response = TargetResponse(
      request: TargetRequest(url: "https://api.github.com/search/issues"),
      status: .init(code: 422))
    for (said, status) in [
      (
        "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.",
        ExitStatus.notFound
      ), ("The search is longer than 256 characters.", .usage),
    ] {
      let error = NetworkError(
        .statusCode, "answered with status 422: Validation Failed: \(said)", response: response)
      #expect(CommandFailure(error, of: "a/b", on: .github, tokenSource: nil).status == status)
    }
  }

  @Test(
    "a certificate failure advises the variable that is in effect",
    arguments: [
      ([:], "SSL_CERT_FILE"), (["SSL_CERT_FILE": "/a"], "SSL_CERT_FILE"),
      (["CURL_CA_BUNDLE": ""], "SSL_CERT_FILE"), (["CURL_CA_BUNDLE": "/a"], "CURL_CA_BUNDLE"),
    ] as [([String: String], String)])
  func certificates(environment: [String: String], expected: String) throws {
    let variable = CertificateStore.variable(in: environment)
    #expect(variable == expected)
    let failure = CommandFailure(
      .transport(TransportFailure(.certificate, code: 60), "not trusted"), of: "a/b", on: .github,
      tokenSource: nil, certificateVariable: variable)
    #expect(
      failure.message
        == "not trusted\nIf you trust the server, set \(expected) to the certificate of its authority."
    )
  }

  private static let github = "https://api.github.com"
  private static let enterprise = "https://git.example.com/api/v3"
  private static let loopback = "http://127.0.0.1:8080"

  @Test(
    "a refused token's source is named",
    arguments: [
      (401, .variable("GITHUB_TOKEN"), "Set GITHUB_TOKEN to a valid access token for github.com."),
      (403, .variable("GITHUB_TOKEN"), "The token in GITHUB_TOKEN has no access to a/b."),
      (
        404, .variable("GITHUB_TOKEN"),
        "Check the name “a/b”, and that the token in GITHUB_TOKEN has access to it."
      ),
      (401, .gh, "Log in again with 'gh auth login'."),
      (403, .gh, "The token from gh has no access to a/b."),
      (404, .gh, "Check the name “a/b”, and that the token from gh has access to it."),
    ] as [(Int, TokenSource, String)])
  func sources(status: Int, source: TokenSource, expected: String) throws {
    #expect(try advice(status, source, Self.github) == expected)
  }

  @Test(
    "without a token, a failure names the ways to provide one",
    arguments: [401, 403, 404])
  func without(status: Int) throws {
    let atGitHub = try advice(status, nil, Self.github)
    #expect(atGitHub.contains("et GH_TOKEN to "))
    #expect(atGitHub.contains(" or log in with 'gh auth login'."))
    let enterprise = try advice(status, nil, Self.enterprise)
    #expect(enterprise.contains("et GH_ENTERPRISE_TOKEN to "))
    #expect(enterprise.contains(" or log in with 'gh auth login --hostname git.example.com'."))
    let loopback = try advice(status, nil, Self.loopback)
    #expect(loopback.contains("et GH_ENTERPRISE_TOKEN to "))
    #expect(!loopback.contains("gh auth login"))
  }

  @Test("a rate limit's advice mentions a token only if none was sent")
  func limit() throws {
    let without = try advice(403, nil, Self.github, code: .rateLimited, remaining: 0)
    #expect(
      without
        == "Try again in a few minutes, wait with --wait 10m, or set GH_TOKEN or log in with "
        + "'gh auth login': with a token the limit is higher.")
    #expect(
      try advice(403, .gh, Self.github, code: .rateLimited, remaining: 0)
        == "Try again in a few minutes, or wait with --wait 10m.")
  }

  @Test("a secondary rate limit's advice doesn't mention a token")
  func secondaryLimit() throws {
    #expect(
      try advice(403, nil, Self.github, code: .rateLimited)
        == "Try again in a few minutes, or wait with --wait 10m.")
  }
}
