/// Tells when requests begin and end, in strict pairs.
public struct ActivityPlugin: Plugin {
  /// What a request does.
  public enum Change: Sendable, Hashable {
    /// A request is on its way.
    case began
    /// It came back, whatever the outcome.
    case ended
  }

  let onChange: @Sendable (Change, any TargetType) -> Void

  /// Creates the plugin.
  public init(onChange: @escaping @Sendable (Change, any TargetType) -> Void) {
    self.onChange = onChange
  }

  /// Tells that a request began.
  public func willSend(_ request: Request, target: any TargetType) {
    onChange(.began, target)
  }

  /// Tells that a request ended.
  public func didReceive(_ result: Result<Response, NetworkError>, target: any TargetType) {
    onChange(.ended, target)
  }
}
