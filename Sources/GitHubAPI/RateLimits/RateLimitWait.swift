/// How long a request may wait for a rate limit to end.
public enum RateLimitWait: Sendable, Hashable {
  /// Not at all: the limit is an error.
  case never
  /// So long at most, all waits of the request together. A limit that lasts longer is an error at once.
  case upTo(Duration)
  /// As long as it takes.
  case forever

  /// The longest time; nil for any.
  var allowance: Duration? {
    switch self {
    case .never: .zero
    case .upTo(let duration): max(duration, .zero)
    case .forever: nil
    }
  }
}
