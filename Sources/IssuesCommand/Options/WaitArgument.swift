internal import IssueTracker

/// How long to wait for a rate limit, on the command line: a time span, or `forever`.
struct WaitArgument: Hashable {
  let wait: RateLimitWait

  /// A minute: as long as the shortest limits of GitHub last.
  static let standard = WaitArgument(wait: .upTo(.seconds(60)))

  init(wait: RateLimitWait) {
    self.wait = wait
  }

  init?(_ text: String) {
    if text == "forever" {
      wait = .forever
    } else {
      guard let duration = DurationArgument(text)?.duration else { return nil }
      wait = duration > .zero ? .upTo(duration) : .never
    }
  }
}
