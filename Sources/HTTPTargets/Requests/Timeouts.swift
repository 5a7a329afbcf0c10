/// The time limits for the steps of a request.
public struct Timeouts: Sendable, Hashable, Codable {
  /// The time to a ready connection: name look-up, TCP, TLS.
  public var connect: Duration
  /// The longest time without a byte arriving; libcurl measures whole seconds and gives up to two more.
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

  /// Creates time-outs from the longest silence: ten times that in all; 10 s to connect, but at least a third of
  /// the silence and at most the silence. 30 s give the default time-outs.
  public init(scaledTo idle: Duration) {
    self.init(
      connect: max(min(idle, .seconds(10)), idle / 3), idle: idle, total: idle * 10)
  }
}
