/// How long the steps of a request may take.
public struct Timeouts: Sendable, Hashable {
  /// The time to a ready connection: name look-up, TCP, TLS.
  public var connect: Duration
  /// The longest time without a byte arriving; rounded up to whole seconds by libcurl.
  public var idle: Duration
  /// The time from start to the last byte; nil for no limit.
  public var total: Duration?

  /// Creates time-outs; by default 10 s to connect, 30 s of silence, 5 minutes in all.
  public init(
    connect: Duration = .seconds(10), idle: Duration = .seconds(30),
    total: Duration? = .seconds(300)
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}
