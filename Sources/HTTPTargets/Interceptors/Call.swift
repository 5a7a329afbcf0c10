/// What an interceptor knows of the call that it is part of.
public struct Call: Sendable {
  /// The target.
  public var target: any TargetType
  /// The provider's clock.
  public var clock: any Clock<Duration>
}
