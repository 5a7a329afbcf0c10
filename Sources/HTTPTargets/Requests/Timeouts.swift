/// The time limits for the steps of a request.
public struct Timeouts: Sendable, Hashable, Codable {
  /// The maximum time until a connection is ready: DNS lookup, TCP and TLS.
  public var connect: Duration
  /// The maximum time without receiving a byte. libcurl measures whole seconds, and allows up to two more.
  public var idle: Duration
  /// The maximum time from the start to the last byte; nil for no limit.
  public var total: Duration?

  /// Creates timeouts. By default, they are 10 s to connect, 30 s without a byte, and 5 minutes in total.
  public init(
    connect: Duration = .seconds(10), idle: Duration = .seconds(30),
    total: Duration? = .seconds(300)
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }

  /// Creates timeouts from the maximum time without a byte. The total timeout is ten times as long. The timeout to
  /// connect is 10 s, but at least a third of the idle timeout and at most all of it. An idle timeout of 30 s gives the
  /// default timeouts.
  public init(scaledTo idle: Duration) {
    self.init(
      connect: max(min(idle, .seconds(10)), idle / 3), idle: idle, total: idle * 10)
  }
}
