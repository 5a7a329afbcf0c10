import Foundation
import HTTPTargets
import Testing

@testable import GitHubAPI

@Suite("Rate limits")
struct RateLimitTests {
  /// The server's clock is ten minutes behind the local one.
  private static let now = Date(timeIntervalSince1970: 784_111_577 + 600)
  private static let serverDate = "Sun, 06 Nov 1994 08:46:17 GMT"
  private static let secondary = #"{"message": "You have exceeded a secondary rate limit."}"#

  /// The error for a response.
  private func error(
    _ status: Int, _ fields: [String: String], _ body: String, date: String? = serverDate
  ) throws -> NetworkError {
    var headers = HTTPFields()
    for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
    headers[.date] = date
    let response = TargetResponse(
      request: TargetRequest(url: "https://api.github.com/x"), status: .init(code: status),
      headers: headers, body: Data(body.utf8))
    let result = GitHubErrors(now: { Self.now }).process(
      .failure(
        NetworkError(.statusCode, "GET x answered with status \(status)", response: response)),
      target: GitHub.userProfile(username: "a"))
    guard case .failure(let error) = result else { throw NetworkError(.decoding, "no failure") }
    #expect(error.response?.body == response.body)
    return error
  }

  @Test(
    "Retry-After counts from the response, in seconds or as a date by the server's clock",
    arguments: [
      ("0", 0), ("8", 8), ("86400", 86_400), ("99999999999", 86_400),
      ("99999999999999999999999", 86_400), ("-3", nil), ("+3", nil),
      ("Sun, 06 Nov 1994 08:47:17 GMT", 60), ("Sun, 06 Nov 1994 08:46:17 GMT", 0),
      ("Sun, 06 Nov 1994 08:40:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
      ("soon", nil), ("", nil), ("1e300", nil),
    ] as [(String, Double?)])
  func retryAfter(value: String, seconds: Double?) throws {
    for status in [403, 429] {
      let error = try error(status, ["Retry-After": value, "x-ratelimit-remaining": "9"], "")
      #expect(error.code == .rateLimited)
      #expect(error.retryDate == seconds.map { Self.now.addingTimeInterval($0) })
    }
  }

  @Test(
    "the end of a quota is an epoch time by the server's clock",
    arguments: [
      ("784111637", 60), ("784111577", 0), ("0", 0), ("-1", 0), ("99999999999999", 86_400),
      ("inf", nil), ("nan", nil), ("1e300", nil), ("", nil), ("{{now}}", nil),
    ] as [(String, Double?)])
  func reset(value: String, seconds: Double?) throws {
    // 08:46:17 is 784111577.
    for status in [403, 429] {
      let error = try error(
        status, ["x-ratelimit-remaining": "0", "x-ratelimit-reset": value], "{}")
      #expect(error.code == .rateLimited)
      #expect(error.retryDate == seconds.map { Self.now.addingTimeInterval($0) })
      #expect(error.message.contains("is used up"))
    }
  }

  @Test("a response without a date is timed by the local clock")
  func withoutDate() throws {
    let reset = "\(Int(Self.now.timeIntervalSince1970) + 90)"
    let error = try error(
      403, ["x-ratelimit-remaining": "0", "x-ratelimit-reset": reset], "", date: nil)
    #expect(error.retryDate == Self.now.addingTimeInterval(90))
    #expect(error.message.contains("until 1994-11-06T08:57:47Z"))
  }

  @Test("the numbers of a quota are bounded to prevent overflow")
  func hugeNumbers() throws {
    var headers = HTTPFields()
    for name in [HTTPField.Name.rateLimitLimit, .rateLimitRemaining, .rateLimitReset] {
      headers[name] = "\(Int.max)"
    }
    let request = TargetRequest(url: "https://api.github.com/x")
    let reply = TransportReply(
      status: .ok, headers: headers, body: ResponseBody(Data(), maximumSize: 0))
    let quota = try #require(QuotaAnswer(reply, to: request, now: Self.now).quota)
    #expect(quota.limit == 1 << 40 && quota.remaining == 1 << 40 && quota.reset == 1 << 40)
    let response = TargetResponse(request: request, status: .ok, headers: headers)
    let known = try #require(RateLimitAnswer(response, now: Self.now).quota)
    #expect(known.remaining == 1 << 40 && known.reset == 1 << 40)
  }

  @Test("impossible counts are omitted from entities")
  func hugeCounts() throws {
    let summary = #"{"total":9223372036854775807,"completed":-1}"#
    #expect(
      try GitHubJSON.decode(GitHub.SubIssuesSummary.self, from: Data(summary.utf8))
        == GitHub.SubIssuesSummary(total: 0, completed: 0))
    let milestone =
      #"{"title":"One","open_issues":9223372036854775807,"closed_issues":9223372036854775807}"#
    let decoded = try GitHubJSON.decode(GitHub.Milestone.self, from: Data(milestone.utf8))
    #expect(decoded.openIssuesCount == nil && decoded.closedIssuesCount == nil)
  }

  @Test("Retry-After takes precedence over the end of the quota")
  func both() throws {
    let error = try error(
      403,
      ["Retry-After": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "784115000"], "")
    #expect(error.retryDate == Self.now.addingTimeInterval(5))
  }

  @Test(
    "a limit can be recognized by its message or documentation URL alone",
    arguments: [
      secondary,
      #"{"message": "You have exceeded a SECONDARY RATE LIMIT"}"#,
      #"{"message": "x", "documentation_url": "https://docs.github.com/x#about-secondary-rate-limits"}"#,
      #"{"message": "x", "documentation_url": "https://developer.github.com/v3/#abuse-rate-limits"}"#,
      #"{"message": "You have triggered an abuse detection mechanism."}"#,
      #"{"message": "API rate limit exceeded for 127.0.0.1."}"#,
    ])
  func byText(body: String) throws {
    let error = try error(403, ["x-ratelimit-remaining": "21", "x-ratelimit-reset": "9"], body)
    #expect(error.code == .rateLimited)
    #expect(error.retryDate == nil)
  }

  @Test(
    "a 429 with any body is a limit", arguments: ["", "{}", "<html>", #"{"message": "no"}"#])
  func tooManyRequests(body: String) throws {
    #expect(try error(429, [:], body).code == .rateLimited)
  }

  @Test(
    "a 403 without the signs of a limit is a permission error",
    arguments: [
      "", "<html>", #"{"message": "Resource not accessible by personal access token"}"#,
      #"{"message": "Sorry. Your account was suspended for abuse of the terms."}"#,
      #"{"message": "Must have push access", "documentation_url": "https://docs.github.com/rest"}"#,
    ])
  func permission(body: String) throws {
    let error = try error(403, ["x-ratelimit-remaining": "1", "x-ratelimit-reset": "9"], body)
    #expect(error.code == .statusCode)
    #expect(error.retryDate == nil)
  }

  @Test(
    "a status other than 403 and 429 isn't a limit",
    arguments: [400, 401, 404, 410, 422, 451, 500, 502, 503])
  func otherStatus(status: Int) throws {
    let error = try error(
      status, ["Retry-After": "5", "x-ratelimit-remaining": "0"], Self.secondary)
    #expect(error.code == .statusCode)
    #expect(error.message.hasSuffix(": You have exceeded a secondary rate limit."))
  }
}
