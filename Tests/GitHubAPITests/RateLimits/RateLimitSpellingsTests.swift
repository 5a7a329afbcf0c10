import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@testable import GitHubAPI

/// A limit as recorded answers spell it: which it is, and for how long.
@Suite("Forms of a rate limit", .timeLimit(.minutes(5)))
struct RateLimitSpellingsTests {
  enum Meaning: Sendable, Equatable {
    case primary(seconds: Double?)
    case secondary(seconds: Double?)
    /// No limit at all.
    case permission
  }

  /// The shape of a recorded answer, written anew.
  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var fields: [String: String]
    var body: String
    var meaning: Meaning

    var testDescription: String { name }
  }

  private static let date = "Sun, 06 Nov 1994 08:46:17 GMT"
  private static let dateIn8 = "Sun, 06 Nov 1994 08:46:25 GMT"
  private static let reset = "\(ProbeTime.serverStart + 3)"
  private static let slowDown =
    #"{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}"#
  private static let push =
    #"{"message":"Must have push access","documentation_url":"https://developer.github.com/"}"#

  static let shapes: [Shape] = [
    Shape(
      name: "the text, with quota left and a header of its own", status: 403,
      fields: [
        "Date": date, "gh-limited-by": "search-elapsed-time-shared-grouped",
        "X-RateLimit-Remaining": "4000", "X-RateLimit-Reset": reset,
      ], body: slowDown, meaning: .secondary(seconds: nil)),
    Shape(
      name: "the text and the documentation's address", status: 403,
      fields: [
        "Date": date, "X-RateLimit-Remaining": "21", "X-RateLimit-Reset": reset,
        "X-RateLimit-Resource": "search",
      ],
      body: #"{"message":"Wait.","documentation_url":"https://docs.github.com/"#
        + #"rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}"#,
      meaning: .secondary(seconds: nil)),
    Shape(
      name: "Retry-After in seconds", status: 429, fields: ["Date": date, "Retry-After": "8"],
      body: slowDown, meaning: .secondary(seconds: 8)),
    Shape(
      name: "Retry-After as a date", status: 429, fields: ["Date": date, "Retry-After": dateIn8],
      body: slowDown, meaning: .secondary(seconds: 8)),
    Shape(
      name: "Retry-After as a date, without the server's own", status: 429,
      fields: ["Retry-After": dateIn8], body: slowDown, meaning: .secondary(seconds: 8)),
    Shape(
      name: "too many requests, and no time", status: 429,
      fields: ["Date": date, "gh-limited-by": "search-elapsed-time-shared-grouped"],
      body: slowDown, meaning: .secondary(seconds: nil)),
    Shape(
      name: "nothing left, and the text of a permission error", status: 403,
      fields: ["Date": date, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset],
      body: push, meaning: .primary(seconds: 3)),
    Shape(
      name: "nothing left, without a date", status: 403,
      fields: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset], body: push,
      meaning: .primary(seconds: 3)),
    Shape(
      name: "nothing left, and nothing said", status: 403,
      fields: [
        "Date": date, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset,
        "X-RateLimit-Resource": "core",
      ], body: "", meaning: .primary(seconds: 3)),
    Shape(
      name: "today's primary limit, by its text alone", status: 403, fields: ["Date": date],
      body: #"{"message":"API rate limit exceeded for user ID 1."}"#,
      meaning: .primary(seconds: nil)),
    Shape(
      name: "an old server's abuse limit", status: 403, fields: ["Date": date],
      body:
        #"{"message":"x","documentation_url":"https://h.example/v3#abuse-rate-limits"}"#,
      meaning: .secondary(seconds: nil)),
    Shape(
      name: "want of permission, with quota left", status: 403,
      fields: ["Date": date, "X-RateLimit-Remaining": "4927", "X-RateLimit-Reset": reset],
      body: push, meaning: .permission),
    Shape(
      name: "a token that isn't known, although nothing is left", status: 401,
      fields: ["Date": date, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset],
      body: #"{"message":"Bad credentials"}"#, meaning: .permission),
  ]

  @Test(
    "each form of a rate limit is recognized with its end, if given",
    arguments: RateLimitSpellingsTests.shapes)
  func written(shape: Shape) throws {
    var headers = HTTPFields()
    for (name, value) in shape.fields { headers[try #require(HTTPField.Name(name))] = value }
    let response = TargetResponse(
      request: TargetRequest(url: "https://api.github.com/x"), status: .init(code: shape.status),
      headers: headers, body: Data(shape.body.utf8))
    // The local clock is right where the server's can't be seen.
    let now =
      shape.fields["Date"] == nil
      ? Date(timeIntervalSince1970: Double(ProbeTime.serverStart)) : ProbeTime.start
    #expect(Self.meaning(of: response, now: now) == shape.meaning)
  }

  private static func meaning(of response: TargetResponse, now: Date) -> Meaning {
    guard let limit = RateLimit(response, GitHubErrorBody(response.body), now: now) else {
      return .permission
    }
    #expect(limit.retryDate == limit.delay.map(now.addingTimeInterval))
    return switch limit.kind {
    case .primary: .primary(seconds: limit.delay)
    case .secondary: .secondary(seconds: limit.delay)
    }
  }

  @Test(
    "recorded rate limits are recognized over the wire",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"),
    arguments: [
      ("err-403-429-secondary-set#1", .secondary(seconds: nil)),
      ("err-403-429-secondary-set#2", .secondary(seconds: nil)),
      ("err-403-429-secondary-set#3", .secondary(seconds: 8)),
      ("err-403-429-secondary-set#4", .secondary(seconds: 8)),
      ("err-403-429-secondary-set#5", .secondary(seconds: 8)),
      ("err-403-429-secondary-set#6", .secondary(seconds: nil)),
      ("err-403-primary-set#1", .primary(seconds: 3)),
      ("err-403-primary-set#2", .primary(seconds: 3)),
      ("err-403-primary-set#3", .primary(seconds: 1)),
      ("err-401-bad-credentials", .permission), ("err-401-otp", .permission),
      ("err-403-permission", .permission),
    ] as [(String, Meaning)])
  func recorded(name: String, meaning: Meaning) async throws {
    let file = name.contains("-set#") ? "errors-rate-limit-authoredited" : "errors-401-403"
    let recorded = try RecordedExchanges(file: "\(file).json").selecting { $0 == name }
    let exchange = try #require(recorded.exchanges.first)
    try await withLoopbackServer(answering: recorded.handler) { server in
      var probe = Probe(
        method: HTTPRequest.Method(exchange.method) ?? .get, at: server)
      probe.baseURL = server.url + RecordedExchanges.path(of: exchange)
      probe.path = ""
      let provider = Provider<Probe>(
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
      let start = Date()
      let error = try #require(
        await #expect(throws: NetworkError.self) { try await provider.request(probe) })
      let response = try #require(error.response)
      #expect(response.status.code == exchange.status)
      let found = Self.meaning(of: response, now: Date())
      guard response.headers[.date] == nil, let seconds = meaning.seconds else {
        #expect(found == meaning)
        return
      }
      // Measured against the local clock where the server's is missing. It answered after the start and
      // before now, and what it counts in are whole seconds.
      #expect(found.isPrimary == meaning.isPrimary)
      #expect(try #require(found.seconds) <= seconds)
      #expect(try #require(Self.meaning(of: response, now: start).seconds) > seconds - 1)
    }
  }
}

extension RateLimitSpellingsTests.Meaning {
  fileprivate var isPrimary: Bool {
    if case .primary = self { true } else { false }
  }

  fileprivate var seconds: Double? {
    switch self {
    case .primary(let seconds), .secondary(let seconds): seconds
    case .permission: nil
    }
  }
}
