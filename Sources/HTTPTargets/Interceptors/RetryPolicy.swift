public import HTTPTypes

/// The number of retries after a failure, and the waits before them.
///
/// The waits grow exponentially with full jitter: each is a random duration between zero and a bound that doubles, so
/// that the clients of a recovering server don't all retry at the same time
/// (<https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>).
public struct RetryPolicy: Sendable, Hashable, Codable {
  /// The maximum number of retries of a request; 0 for none.
  public var maximumRetries: Int
  /// The maximum wait before the first retry. It doubles with each retry.
  public var baseDelay: Duration
  /// The upper limit of every wait.
  public var maximumDelay: Duration
  /// The time after the first failure during which a retry may start. The budget doesn't include the first attempt,
  /// which may have waited 30 s for a byte, or the duration of the last retry.
  public var timeBudget: Duration

  /// Creates a policy. By default, it allows 3 retries within 30 s, after at most 0.5, 1 and 2 s. Further retries wait
  /// at most 8 s.
  public init(
    maximumRetries: Int = 3, baseDelay: Duration = .milliseconds(500),
    maximumDelay: Duration = .seconds(8), timeBudget: Duration = .seconds(30)
  ) {
    self.maximumRetries = maximumRetries
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.timeBudget = timeBudget
  }

  /// The maximum wait in seconds. The first retry has the index 0.
  func longestDelay(beforeRetry index: Int) -> Double {
    let base = max(baseDelay / .seconds(1), 0)
    let cap = max(maximumDelay / .seconds(1), 0)
    // Zero times an infinite factor isn't a number.
    guard base > 0 else { return 0 }
    return min(cap, base * Double(sign: .plus, exponent: index, significand: 1))
  }
}

/// A failure that may be temporary.
///
/// Other failures aren't retried, because they would occur again: bad certificates, failed TLS handshakes, invalid
/// HTTP, oversized responses, refused redirects, canceled calls and all other statuses. 403 and 429 aren't retried
/// either, because rate limiters handle them. Neither are calls that used up their total time (``Timeouts/total``).
public enum RetryReason: Sendable, Hashable {
  /// The server responded with 408, 500, 502, 503 or 504.
  case status(HTTPResponse.Status)
  /// The host name couldn't be resolved, the connection couldn't be opened or broke, or the body of the response was
  /// damaged.
  case transport(TransportFailure.Reason)
  /// Connecting took too long, or the server stopped sending.
  case timedOut(NetworkError.TimedOutPhase)

  init?(_ outcome: Result<TargetResponse, NetworkError>) {
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
  /// A short description for users, such as `status 503` or `the connection broke`.
  public var description: String {
    switch self {
    case .status(let status): "status \(status.code)"
    case .transport(.nameLookup): "its name can't be resolved"
    case .transport(.connection): "no connection"
    case .transport(.interrupted): "the connection broke"
    case .transport(.contentEncoding): "its response is damaged"
    case .transport: "the request failed"
    case .timedOut(.connect): "no connection in time"
    case .timedOut: "no response in time"
    }
  }
}
