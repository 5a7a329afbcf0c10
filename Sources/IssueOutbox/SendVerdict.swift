internal import GitHubAPI
internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a failure says about a change, and so what to do next.
enum SendVerdict: Equatable {
  /// The server said no, or can't be asked this: with its words.
  case refused(String)
  /// The repository or the issue has gone elsewhere.
  case moved
  /// It may have been carried out: look.
  case uncertain(String)
  /// It wasn't carried out, or may be repeated, but not now; others may be sent.
  case later(String)
  /// Nothing can be sent to this server now.
  case stop
  /// The server wants nothing until a time, which it may not name.
  case limited(Date?)

  /// Judges a failure.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - countsEachTime: Whether each arrival of the change counts.
  init(_ error: NetworkError, countsEachTime: Bool) {
    let wasSent = error.bytesSent != 0
    // What is harmless twice is sent again another time.
    func unanswered(_ words: String) -> SendVerdict {
      wasSent && countsEachTime ? .uncertain(words) : .later(words)
    }
    switch error.code {
    case .rateLimited: self = .limited(error.retryDate)
    case .refused, .requestMapping, .encoding, .insecureRedirect, .tooManyRedirects:
      self = .refused(error.problem)
    case .statusCode: self = Self.status(error, unanswered)
    case .cancelled: self = wasSent && countsEachTime ? .uncertain(error.problem) : .stop
    case .transport, .timedOut: self = wasSent ? unanswered(error.problem) : .stop
    // An answer that can't be understood is none: refused is only what the server refused.
    default: self = wasSent ? unanswered(error.problem) : .refused(error.problem)
    }
  }

  private static func status(
    _ error: NetworkError, _ unanswered: (String) -> SendVerdict
  ) -> SendVerdict {
    guard let response = error.response else { return .refused(error.problem) }
    switch response.status.code {
    case 300..<400: return .moved
    case 401: return .stop
    // GitHub's answer after several wrong tokens, to good ones too.
    case 403 where GitHubErrorBody(response.body)?.message.contains("login attempts") == true:
      return .stop
    case 408, 500...: return unanswered(error.problem)
    default: return .refused(error.problem)
    }
  }
}
