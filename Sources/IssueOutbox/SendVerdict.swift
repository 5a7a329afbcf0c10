internal import GitHubAPI
internal import HTTPTargets
internal import PlatformModules

/// The consequence of a failure for a change.
enum SendVerdict: Equatable {
  case refused(String)
  case moved
  /// The change may have been carried out, so the outbox has to search for it.
  case uncertain(String)
  /// The change wasn't carried out, or may be repeated. Other changes may be sent.
  case later(String)
  case stop
  /// The server doesn't accept writes until this time; nil if it doesn't send a time.
  case limited(Date?)

  init(_ error: NetworkError, countsEachTime: Bool) {
    let wasSent = error.bytesSent != 0
    func unanswered(_ words: String) -> SendVerdict {
      wasSent && countsEachTime ? .uncertain(words) : .later(words)
    }
    switch error.code {
    case .rateLimited: self = .limited(error.retryDate)
    case .refused, .absent, .forbidden, .requestMapping, .encoding, .insecureRedirect,
      .tooManyRedirects:
      self = .refused(error.problem)
    case .statusCode: self = Self.status(error, unanswered)
    case .cancelled: self = wasSent && countsEachTime ? .uncertain(error.problem) : .stop
    case .transport, .timedOut: self = wasSent ? unanswered(error.problem) : .stop
    // The request before a change was redirected to the renamed repository.
    case .decoding where !wasSent: self = .moved
    // A response that can't be decoded isn't a refusal.
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
    // After several wrong tokens, GitHub also sends this response for valid tokens.
    case 403 where GitHubErrorBody(response.body)?.message.contains("login attempts") == true:
      return .stop
    case 408, 500...: return unanswered(error.problem)
    default: return .refused(error.problem)
    }
  }
}
