extension Plugin {
  /// A change of activity.
  public enum Activity: Sendable, Hashable {
    /// A request was sent.
    case began
    /// The request ended, successfully or not.
    case ended
  }

  /// Reports the beginning and the end of each request, always in pairs.
  public static func activity(
    onChange: @escaping @Sendable (Activity, any TargetType) -> Void
  ) -> Plugin {
    Plugin(
      willSend: { _, target in onChange(.began, target) },
      didReceive: { _, target in onChange(.ended, target) })
  }
}
