import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("Refused writes", .timeLimit(.minutes(5)))
struct RefusedWriteTests {
  private static let creation = GitHub.createIssue(
    repositoryFullName: "o/r", issue: NewIssue(title: "t"))

  private func error(
    of answer: LoopbackResponse, to target: GitHub = creation
  ) async throws -> NetworkError {
    try await withLoopbackServer { _ in
      answer
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server, retry: RetryPolicy())
      let error = try #require(
        await #expect(throws: NetworkError.self) { try await provider.request(target) })
      #expect(server.log.requestCount == 1)
      return error
    }
  }

  @Test("the error of a refused write doesn't repeat the token")
  func token() async throws {
    let token = "ghp_0123456789abcdefghij"
    let answer = LoopbackResponse.json(
      #"{"message":"Validation Failed","errors":[{"value":["\#(token)"],"field":"assignees","#
        + #""code":"invalid"}]}"#, status: 422)
    try await withLoopbackServer { _ in
      answer
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server, token: AccessToken(token))
      let error = await #expect(throws: NetworkError.self) {
        try await provider.request(Self.creation)
      }
      #expect(error?.message.contains("these users can't be assigned here") == true)
      #expect(error?.message.contains(token) == false)
    }
  }

  @Test(
    "the error of a refused write suggests an action",
    arguments: [
      (401, #"{"message":"Bad credentials"}"#, [:], "use another one"),
      (
        403, #"{"message":"Resource not accessible by personal access token"}"#,
        ["X-Accepted-GitHub-Permissions": "issues=write"],
        "the token needs the permission issues=write"
      ),
      (
        403, #"{"message":"Resource protected by organization SAML enforcement."}"#,
        ["X-GitHub-SSO": "required; url=https://github.com/orgs/o/sso?authorization_request=A"],
        "within the hour: https://github.com/orgs/o/sso?authorization_request=A"
      ),
      (
        403, #"{"message":"Repository was archived so is read-only."}"#, [:],
        "the repository is archived: unarchive it first"
      ),
      (
        403, #"{"message":"Unable to create comment because issue is locked."}"#, [:],
        "only people with write access may comment on it"
      ),
      (404, #"{"message":"Not Found"}"#, [:], "the server doesn't say which"),
      (
        410, #"{"message":"Issues has been disabled in this repository."}"#, [:],
        "issues are turned off in the settings of the repository"
      ),
      (410, #"{"message":"This issue was deleted"}"#, [:], "it can't be changed any more"),
      (
        422,
        #"{"message":"Validation Failed","errors":[{"value":["nobody"],"field":"assignees","#
          + #""code":"invalid"}]}"#, [:], "these users can't be assigned here: nobody"
      ),
      (
        422,
        #"{"message":"Validation Failed","errors":[{"field":"milestone","code":"invalid"}]}"#, [:],
        "use the number of one of the repository's milestones"
      ),
      (
        422,
        #"{"message":"Validation Failed","errors":[{"field":"name","code":"already_exists"}]}"#,
        [:], "the name is taken: edit the existing one, or use another"
      ),
      (
        422,
        #"{"message":"Validation Failed","errors":[{"field":"title","code":"missing_field"}]}"#,
        [:], "give it a title"
      ),
      (
        422, #"{"message":"Validation Failed","errors":[{"field":"color","code":"invalid"}]}"#, [:],
        "use six hexadecimal digits for a color, such as d73a4a"
      ),
      (
        502, #"{"message":"Server Error"}"#, [:],
        "it may have been carried out: look before you send it again"
      ),
    ] as [(Int, String, [String: String], String)])
  func advice(
    status: Int, body: String, headers: [String: String], expected: String
  ) async throws {
    var answer = LoopbackResponse.json(body, status: status)
    for (name, value) in headers { answer.headers[name] = value }
    let error = try await error(of: answer)
    #expect(error.code == .statusCode)
    #expect(error.message.hasSuffix(expected), "\(error.message)")
    #expect(error.message.contains("answered with status \(status)"))
  }

  @Test("the error of a refused write has one line, and contains only https links")
  func hostile() async throws {
    for text in HostileText.samples {
      let value = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      let error = try await error(
        of: .json(
          #"{"message":"x","errors":[{"value":\#(value),"field":"assignees","code":"invalid"}]}"#,
          status: 422))
      #expect(
        error.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
    let error = try await error(
      of: .json("{}", status: 403, headers: ["X-GitHub-SSO": "required; url=javascript:alert(1)"]))
    #expect(!error.message.contains("javascript"))
  }

  @Test(
    "a content limit is waited for only if the response has a time",
    arguments: [nil, "0"] as [String?])
  func creationLimit(retryAfter: String?) async throws {
    let limit = LoopbackResponse.json(
      """
      {"message":"You have exceeded a secondary rate limit and have been temporarily blocked from content \
      creation. Please retry your request again later.",\
      "documentation_url":"https://docs.github.com/rest/overview/secondary-rate-limits"}
      """, status: 403
    ).with { $0.headers["Retry-After"] = retryAfter }
    try await withLoopbackServer(
      answering: RouteTable.sequence([limit, .json("{}", status: 201)])
    ) { server in
      var configuration = GitHub.Configuration(
        server: try GitHubServer(apiURL: server.url),
        rateLimits: RateLimitInterceptor(maximumWait: .forever),
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
      configuration.refusesForeignServers = false
      let provider = Provider.gitHub(configuration)
      if retryAfter == nil {
        let error = await #expect(throws: NetworkError.self) {
          try await provider.request(Self.creation)
        }
        #expect(error?.code == .rateLimited)
        #expect(error?.message.hasSuffix("so nothing was created now") == true)
        #expect(server.log.requestCount == 1)
      } else {
        #expect(try await provider.request(Self.creation).status == .created)
        #expect(server.log.requestCount == 2)
      }
    }
  }
}
