public import HTTPTypes

/// How often, and after which waits, a request that failed is sent again.
///
/// The waits grow exponentially, with full jitter: each is drawn from zero to a bound that doubles, so
/// that the clients of a server that comes back don't all ask in the same moment
/// (<https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>).
public struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent again at most; 0 for never.
  public var maximumRetries: Int
  /// The longest wait before the first retry; it doubles with each one after.
  public var baseDelay: Duration
  /// What the longest wait doesn't grow beyond.
  public var maximumDelay: Duration
  /// For how long after the first failure retries are begun.
  ///
  /// It counts from the failure, not from the start: what a request that was given up after 30 s of
  /// silence took is no reason not to try once more. A retry that has begun has the time that
  /// ``Timeouts`` gives it.
  public var timeBudget: Duration

  /// Creates a policy; by default 3 retries within 30 s, after up to 0.5, 1 and 2 s. With more retries
  /// the waits grow up to 8 s.
  public init(
    maximumRetries: Int = 3, baseDelay: Duration = .milliseconds(500),
    maximumDelay: Duration = .seconds(8), timeBudget: Duration = .seconds(30)
  ) {
    self.maximumRetries = maximumRetries
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.timeBudget = timeBudget
  }

  /// The longest wait, in seconds, before a retry that has so many before it.
  func longestDelay(beforeRetry index: Int) -> Double {
    let base = max(baseDelay / .seconds(1), 0)
    let cap = max(maximumDelay / .seconds(1), 0)
    // An infinite factor of nothing is no number.
    guard base > 0 else { return 0 }
    return min(cap, base * Double(sign: .plus, exponent: index, significand: 1))
  }
}

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
