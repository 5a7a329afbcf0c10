/// Reports when requests begin and end, in strict pairs.
public struct ActivityPlugin: Plugin {
  /// A change of activity.
  public enum Change: Sendable, Hashable {
    /// A request was sent.
    case began
    /// The request ended, whatever its result.
    case ended
  }

  let onChange: @Sendable (Change, any TargetType) -> Void

  /// Creates the plugin.
  public init(onChange: @escaping @Sendable (Change, any TargetType) -> Void) {
    self.onChange = onChange
  }

  /// Reports that a request began.
  public func willSend(_ request: Request, target: any TargetType) {
    onChange(.began, target)
  }

  /// Reports that a request ended.
  public func didReceive(_ result: Result<Response, NetworkError>, target: any TargetType) {
    onChange(.ended, target)
  }
}
