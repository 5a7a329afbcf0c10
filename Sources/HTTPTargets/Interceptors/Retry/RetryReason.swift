public import HTTPTypes

/// A failure that may be over the next time.
///
/// Certificates and TLS, what isn't HTTP, answers that are too large, refused redirects, cancelled calls
/// and every other status are none: they fail the next time too. Nor are 403 and 429, with which a server
/// asks for less: those are a rate limiter's. A call that used up its total time (``Timeouts/total``) has
/// had all the time that it was given.
public enum RetryReason: Sendable, Hashable {
  /// The server answered with 408, 500, 502, 503 or 504.
  case status(HTTPResponse.Status)
  /// The name couldn't be resolved, there was no connection, it broke, or the body of the answer was
  /// damaged.
  case transport(TransportFailure.Reason)
  /// Connecting took too long, or the server fell silent.
  case timedOut(NetworkError.TimedOutPhase)

  /// The reason to send a request again; nil for what isn't to be repeated.
  init?(_ outcome: Result<Response, NetworkError>) {
    switch outcome {
    case .success(let response):
      guard [408, 500, 502, 503, 504].contains(response.status.code) else { return nil }
      self = .status(response.status)
    case .failure(let error):
      self.init(error)
    }
  }

  private init?(_ error: NetworkError) {
    switch error.code {
    case .transport:
      let passing: Set<TransportFailure.Reason> = [
        .nameLookup, .connection, .interrupted, .contentEncoding,
      ]
      guard let reason = error.transportFailure?.reason, passing.contains(reason) else {
        return nil
      }
      self = .transport(reason)
    case .timedOut:
      guard let phase = error.timedOutPhase, phase != .total else { return nil }
      self = .timedOut(phase)
    default:
      return nil
    }
  }
}

extension RetryReason: CustomStringConvertible {
  /// A few words for a person: `status 503`, `the connection broke`.
  public var description: String {
    switch self {
    case .status(let status): "status \(status.code)"
    case .transport(.nameLookup): "its name can't be resolved"
    case .transport(.connection): "no connection"
    case .transport(.interrupted): "the connection broke"
    case .transport(.contentEncoding): "its answer is damaged"
    case .transport: "the request failed"
    case .timedOut(.connect): "no connection in time"
    case .timedOut: "no answer in time"
    }
  }
}
