import Foundation
import HTTPTargets
import TestSupport
import TestTraits
import Testing

@testable import GitHubAPI

@Suite("Fuzzed errors", .tags(.heavy), .timeLimit(.minutes(10)))
struct RateLimitFuzzTests {
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)

  private static let bodies = [
    #"{"message":"API rate limit exceeded for 127.0.0.1.","documentation_url":"https://docs.github.com/x"}"#,
    #"{"message":"x","documentation_url":"https://docs.github.com/x#about-secondary-rate-limits"}"#,
    #"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing"},"x"]}"#,
    #"{"error":"Not found","errors":{"message":"\ud83d\ude00"}}"#, "<html><body>no</body></html>",
    "",
  ]
  private static let values = [
    "0", "60", "-1", "Thu, 01 Jan 2026 00:01:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    "1767225660", "99999999999",
  ]
  private static let words = [
    "secondary rate limit", "abuse detection", "rate limit exceeded", "message", "error", "errors",
    "documentation_url", "\"", "{", "}", "[", "]", ":", ",", "GMT", "inf", "nan",
  ]

  /// The answers that GitHub was seen to give, where the recordings are here.
  private static let recorded: [[UInt8]] =
    (try? RecordedExchanges.files().flatMap { try RecordedExchanges(file: $0).exchanges })?
    .filter { $0.status >= 400 }.map { Array($0.body.utf8) } ?? []

  private static func response(using source: inout FuzzSource) throws -> TargetResponse {
    var headers = HTTPFields()
    for name in ["Retry-After", "x-ratelimit-remaining", "x-ratelimit-reset", "Date"] {
      guard source.once(in: 2) else { continue }
      let value =
        source.once(in: 2) ? source.pick(values) : source.mutation(of: values, upTo: 200)
      let field = try #require(HTTPField.Name(name))
      headers.append(HTTPField(name: field, lenientValue: Array(value.utf8)))
    }
    let corpus = bodies.map { Array($0.utf8) } + recorded
    let body =
      source.once(in: 4)
      ? source.bytes(upTo: 300) : source.mutation(of: corpus, words: words, upTo: 16_384)
    let status = source.once(in: 3) ? source.number(in: 300...599) : source.pick([403, 429])
    return TargetResponse(
      request: TargetRequest(url: "https://api.github.com/x"), status: .init(code: status),
      headers: headers, body: Data(body))
  }

  @Test("only a 403 or 429 is reported as a rate limit, with its end within a day")
  func limits() {
    let failure = FuzzTest("limits", iterations: 300).run { source in
      let response = try Self.response(using: &source)
      let error = NetworkError(.statusCode, "what happened", response: response)
      let plugin = GitHubErrors(now: { Self.now })
      let explained = plugin.process(.failure(error), target: GitHub.rateLimit)
      guard case .failure(let result) = explained else { throw Mismatch("no failure") }
      let shown = "\(response.status) \(response.headers) \(response.text())"
      try check([.statusCode, .rateLimited].contains(result.code), shown)
      let isLimit = result.code == .rateLimited
      try check(!isLimit || [403, 429].contains(response.status.code), shown)
      try check(isLimit || response.status.code != 429, shown)
      if let date = result.retryDate {
        try check(isLimit, shown)
        try check((0...86_400).contains(date.timeIntervalSince(Self.now)), "\(date): \(shown)")
      }
      try check(result.message.unicodeScalars.count <= 400, shown)
      try check(!result.message.unicodeScalars.contains(where: Self.isControl), shown)
      try check(result.response?.body == response.body, shown)
      // The same response means the same to every request.
      let again = plugin.process(.failure(error), target: GitHub.rateLimit)
      guard case .failure(let second) = again else { throw Mismatch("no failure") }
      try check(second.message == result.message && second.retryDate == result.retryDate, shown)
    }
    #expect(failure == nil)
  }

  @Test("the summary of an error body is one printable line of at most 300 characters")
  func summaries() {
    let failure = FuzzTest("summaries", iterations: 300).run { source in
      let body = GitHubErrorBody(
        message: source.text(upTo: 600, words: Self.words), documentationURL: nil,
        details: (0..<source.below(12)).map { _ in
          GitHubErrorBody.Detail(
            resource: source.text(upTo: 4), message: source.once(in: 2) ? nil : source.text())
        })
      let summary = body.summary
      try check(summary.unicodeScalars.count <= 300, "\(body)")
      try check(!summary.unicodeScalars.contains(where: Self.isControl), summary.debugDescription)
      try check(summary.first != " " && summary.last != " ", summary.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("reading a message takes time proportional to its length")
  func length() throws {
    for piece in ["x", " ", "\u{301}", "\u{200D}", "👨‍👩‍👧", "\n", "\u{202E}", "🇩🇪", "한", "[", "\""] {
      let text = String(repeating: piece, count: FuzzTest.longLength / piece.utf8.count)
      let body = GitHubErrorBody(
        message: text, details: [GitHubErrorBody.Detail](repeating: .init(message: text), count: 20)
      )
      #expect(body.summary.unicodeScalars.count <= 300)
      let json = try JSONEncoder().encode(["message": text])
      #expect(GitHubErrorBody(json)?.message == text)
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
      0xFEFF, 0xE0001, 0xE0020...0xE007F:
      true
    default: false
    }
  }
}
