internal import IssueTracker

/// A time span such as `300ms`, `2s`, `1.5s`, `1m` or `1h`. A number alone is a number of seconds.
struct DurationArgument: Hashable {
  let duration: Duration

  init?(_ text: String) {
    let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600), ("", 1)]
    guard let duration = Duration(text, units: units, seconds: 0...86_400) else { return nil }
    self.duration = duration
  }
}

extension Duration {
  /// Parses text. The units are in seconds. The first unit that is a suffix of the text is used.
  init?(_ text: String, units: [(suffix: String, seconds: Double)], seconds: ClosedRange<Double>) {
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      let number = Double(text.dropLast(unit.suffix.count)),
      number.isFinite, seconds.contains(number * unit.seconds)
    else { return nil }
    self = .seconds(number * unit.seconds)
  }
}

/// A time span, or `forever`.
struct WaitArgument: Hashable {
  let wait: RateLimitWait

  /// A minute, the duration of GitHub's shortest limits.
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
