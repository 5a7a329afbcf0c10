/// Observes calls and adjusts them, by closures.
///
/// ```swift
/// let printer = Plugin(willSend: { request, _ in print(">", request) })
/// ```
///
/// Plugins run in list order: `prepare` once for each call, `willSend` and `didReceive` in strict pairs for each
/// attempt (redirects and retries included), with any result, and `process` once with the outcome. Stubbed calls do the
/// same. A call that fails before it is sent has an outcome, but no attempt.
///
/// An error that a closure throws ends the call: a ``NetworkError`` as it is, a `CancellationError` as
/// ``NetworkError/Code/cancelled``, any other as ``NetworkError/Code/underlying``.
public struct Plugin: Sendable {
  /// Changes the request before it is sent; throwing ends the call.
  public typealias Prepare =
    @Sendable (_ request: TargetRequest, _ target: any TargetType) async throws -> TargetRequest
  /// Called when a request is about to be sent.
  public typealias WillSend = @Sendable (_ request: TargetRequest, _ target: any TargetType) -> Void
  /// Called with an attempt's result before validation, without a body that streams or goes to a file.
  public typealias DidReceive =
    @Sendable (_ result: Result<TargetResponse, NetworkError>, _ target: any TargetType) -> Void
  /// Changes the outcome that the caller sees; a thrown error becomes the outcome.
  public typealias Process =
    @Sendable (_ result: Result<TargetResponse, NetworkError>, _ target: any TargetType) throws ->
    Result<TargetResponse, NetworkError>

  /// Changes requests; nil leaves them.
  public var prepare: Prepare?
  /// Sees requests that are about to be sent.
  public var willSend: WillSend?
  /// Sees the results of attempts.
  public var didReceive: DidReceive?
  /// Changes outcomes; nil leaves them.
  public var process: Process?

  /// Creates a plugin; a nil closure changes nothing.
  public init(
    prepare: Prepare? = nil, willSend: WillSend? = nil, didReceive: DidReceive? = nil,
    process: Process? = nil
  ) {
    self.prepare = prepare
    self.willSend = willSend
    self.didReceive = didReceive
    self.process = process
  }
}

extension [Plugin] {
  func prepare(
    _ request: TargetRequest, for target: any TargetType
  ) async throws(NetworkError) -> TargetRequest {
    var request = request
    do {
      for plugin in self {
        if let prepare = plugin.prepare { request = try await prepare(request, target) }
      }
    } catch {
      throw NetworkError(caught: error, with: request)
    }
    return request
  }

  func process(
    _ outcome: Result<TargetResponse, NetworkError>, of target: any TargetType
  ) -> Result<TargetResponse, NetworkError> {
    reduce(outcome) { outcome, plugin in
      guard let process = plugin.process else { return outcome }
      do {
        return try process(outcome, target)
      } catch {
        return .failure(NetworkError(caught: error))
      }
    }
  }
}
