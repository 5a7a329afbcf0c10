public import HTTPTypes

/// The number of retries after a failure, and the waits before them.
///
/// The waits grow exponentially with full jitter: each is drawn from zero to a bound that doubles, so that the
/// clients of a recovering server don't all return at once
/// (<https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>).
public struct RetryPolicy: Sendable, Hashable, Codable {
  /// The most retries of a request; 0 for none.
  public var maximumRetries: Int
  /// The longest wait before the first retry. It doubles with each retry.
  public var baseDelay: Duration
  /// The upper limit of every wait.
  public var maximumDelay: Duration
  /// The time after the first failure during which a retry may start. Neither the first attempt, which may have
  /// taken 30 s of silence, nor a started retry counts.
  public var timeBudget: Duration

  /// Creates a policy: by default 3 retries within 30 s, after at most 0.5, 1 and 2 s, and later ones after at most 8 s.
  public init(
    maximumRetries: Int = 3, baseDelay: Duration = .milliseconds(500),
    maximumDelay: Duration = .seconds(8), timeBudget: Duration = .seconds(30)
  ) {
    self.maximumRetries = maximumRetries
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.timeBudget = timeBudget
  }

  /// In seconds; the first retry has the index 0.
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
/// Bad certificates, failed TLS, invalid HTTP, oversized responses, refused redirects, cancelled calls and all
/// other statuses would fail again, so they aren't retried. Neither are 403 and 429, which rate limiters
/// handle, and calls that used up their total time (``Timeouts/total``).
public enum RetryReason: Sendable, Hashable {
  /// The server responded with 408, 500, 502, 503 or 504.
  case status(HTTPResponse.Status)
  /// The name couldn't be resolved, no connection was made, the connection broke, or the response's body was damaged.
  case transport(TransportFailure.Reason)
  /// Connecting took too long, or the server fell silent.
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
