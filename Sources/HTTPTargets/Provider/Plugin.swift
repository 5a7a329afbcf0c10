/// Observes calls and adjusts them.
///
/// Plugins run in list order: ``prepare(_:target:)`` once for each call, ``willSend(_:target:)`` and
/// ``didReceive(_:target:)`` in strict pairs for each attempt (redirects and retries included), whatever its
/// result, and ``process(_:target:)`` once with the outcome. Stubbed calls do the same. A call that fails before
/// it is sent has an outcome, but no attempt.
public protocol Plugin: Sendable {
  /// Changes the request before anything is sent; throwing ends the call.
  func prepare(
    _ request: Request, target: any TargetType
  ) async throws(NetworkError) -> Request

  /// Called when a request is about to be sent.
  func willSend(_ request: Request, target: any TargetType)

  /// Called with an attempt's result before validation, without a body that streams or goes to a file.
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
