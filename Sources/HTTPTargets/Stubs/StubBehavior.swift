/// Whether a call goes to the network or is answered from the target's ``TargetType/sampleResponse``.
public enum StubBehavior: Sendable, Hashable {
  /// To the network.
  case never
  /// From the sample, at once.
  case immediate
  /// From the sample, after a time on the provider's clock.
  case delayed(Duration)
}
