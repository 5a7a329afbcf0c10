/// Observes calls and adjusts them.
///
/// Plugins run in list order. Per call: ``prepare(_:target:)`` once, then for each attempt (redirects
/// and retries are attempts too) ``willSend(_:target:)`` and ``didReceive(_:target:)`` in strict pairs,
/// whatever becomes of it, then ``process(_:target:)`` once with the outcome. Stubbed calls go the same
/// way. A call that fails before it is sent has no attempt, only an outcome.
public protocol Plugin: Sendable {
  /// Changes the request before anything is sent; throwing ends the call.
  func prepare(
    _ request: Request, target: any TargetType
  ) async throws(NetworkError) -> Request

  /// Is told that a request is about to be sent.
  func willSend(_ request: Request, target: any TargetType)

  /// Is told what came back of an attempt, before it is validated and processed.
  ///
  /// A body that streams or that was written to a file isn't in the response.
  func didReceive(_ result: Result<Response, NetworkError>, target: any TargetType)

  /// Changes the outcome that the caller sees.
  func process(
    _ result: Result<Response, NetworkError>, target: any TargetType
  ) -> Result<Response, NetworkError>
}

extension Plugin {
  /// Leaves the request as it is.
  public func prepare(
    _ request: Request, target: any TargetType
  ) async throws(NetworkError) -> Request { request }

  /// Does nothing.
  public func willSend(_ request: Request, target: any TargetType) {}

  /// Does nothing.
  public func didReceive(_ result: Result<Response, NetworkError>, target: any TargetType) {}

  /// Leaves the outcome as it is.
  public func process(
    _ result: Result<Response, NetworkError>, target: any TargetType
  ) -> Result<Response, NetworkError> { result }
}
