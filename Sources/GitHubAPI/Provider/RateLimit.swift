internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A limit that an answer with status 403 or 429 reports.
///
/// The rules are GitHub's
/// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>), with what
/// recorded answers add: some carry no header at all, only a text or a documentation link.
struct RateLimit {
  /// Which limit it is.
  enum Kind {
    /// The quota of an hour is used up.
    case primary
    /// Too much at once.
    case secondary
  }

  let kind: Kind
  /// When it ends, by the local clock; nil where the server doesn't say.
  let retryDate: Date?

  /// Reads an answer; nil when it is a failure of another kind.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - body: What its body says, if anything.
  ///   - now: The local time at which the answer came. The server's times are measured against its own
  ///     `Date`, so that a clock that is wrong on either side doesn't matter.
  init?(_ response: Response, _ body: GitHubErrorBody?, now: Date) {
    guard response.status.code == 403 || response.status.code == 429 else { return nil }
    let serverNow = response.headers[.date].flatMap(HTTPDate.date(from:)) ?? now
    // A day is more than any limit of GitHub lasts; the bound keeps whatever is sent a time to wait.
    func date(after seconds: Double) -> Date {
      now.addingTimeInterval(min(max(seconds, 0), 86_400))
    }

    if let text = response.headers[.retryAfter] {
      kind = .secondary
      let seconds =
        Int(text).map(Double.init)
        ?? HTTPDate.date(from: text)?.timeIntervalSince(serverNow)
      retryDate = seconds.map(date(after:))
      return
    }
    if response.headers[.rateLimitRemaining] == "0" {
      kind = .primary
      retryDate = response.headers[.rateLimitReset].flatMap { Int($0) }
        .map { date(after: Double($0) - serverNow.timeIntervalSince1970) }
      return
    }
    let said = ((body?.message ?? "") + " " + (body?.documentationURL ?? "")).lowercased()
    let signs = [
      "secondary rate limit", "secondary-rate-limit", "abuse detection", "abuse-rate-limit",
    ]
    guard
      response.status.code == 429 || signs.contains(where: said.contains)
        || said.contains("rate limit exceeded")
    else { return nil }
    kind = signs.contains(where: said.contains) ? .secondary : .primary
    retryDate = nil
  }

  var message: String {
    let which =
      switch kind {
      case .primary: "the rate limit of the API is used up"
      case .secondary: "the API asks to slow down (secondary rate limit)"
      }
    return retryDate.map { "\(which) until \(Timestamp.string(from: $0))" } ?? which
  }
}

extension HTTPField.Name {
  fileprivate static let rateLimitRemaining = HTTPField.Name("x-ratelimit-remaining").known
  fileprivate static let rateLimitReset = HTTPField.Name("x-ratelimit-reset").known
}
