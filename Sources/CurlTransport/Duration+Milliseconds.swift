extension Duration {
  /// As long as libcurl can count in milliseconds.
  static var longest: Duration { .seconds(2_147_483) }

  /// Whole milliseconds as libcurl takes them: at least 1, because 0 means no limit to it.
  var milliseconds: Int {
    let (seconds, attoseconds) = min(max(self, .zero), .longest).components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
