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
  /// - Parameter now: The local time at which the answer came. The server's times are measured against
  ///   its own `Date`, so that a clock that is wrong on either side doesn't matter.
  init?(_ response: Response, _ body: GitHubErrorBody?, now: Date) {
    guard response.status.code == 403 || response.status.code == 429 else { return nil }
    let serverNow = response.headers[.date].flatMap(HTTPDate.date(from:)) ?? now
    func local(_ date: Date) -> Date { now.addingTimeInterval(date.timeIntervalSince(serverNow)) }

    if let text = response.headers[.retryAfter] {
      kind = .secondary
      if let seconds = Int(text) {
        // A day is more than any limit of GitHub lasts; the bound keeps the sum a date.
        retryDate = now.addingTimeInterval(Double(min(max(seconds, 0), 86_400)))
      } else {
        retryDate = HTTPDate.date(from: text).map { local(max($0, serverNow)) }
      }
      return
    }
    if response.headers[.rateLimitRemaining] == "0" {
      kind = .primary
      retryDate = response.headers[.rateLimitReset].flatMap(Double.init)
        .map { local(max(Date(timeIntervalSince1970: $0), serverNow)) }
      return
    }
    let said = ((body?.message ?? "") + " " + (body?.documentationURL ?? "")).lowercased()
    let signs = ["secondary rate limit", "secondary-rate-limit", "abuse"]
    guard response.status.code == 429 || signs.contains(where: said.contains)
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
