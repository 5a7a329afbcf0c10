/// Observes and changes calls with closures.
///
/// ```swift
/// let printer = Plugin(willSend: { request, _ in print(">", request) })
/// ```
///
/// Plugins run in list order. `prepare` runs once per call. `willSend` and `didReceive` run in pairs for each attempt,
/// including redirects and retries, regardless of the result. `process` runs once with the outcome. Stubbed calls work
/// in the same way. A call that fails before it is sent has an outcome, but no attempts.
///
/// An error that a closure throws ends the call. A ``NetworkError`` is thrown unchanged, a `CancellationError` as
/// ``NetworkError/Code/cancelled``, and any other error as ``NetworkError/Code/underlying``.
public struct Plugin: Sendable {
  /// Changes the request before it is sent. An error ends the call.
  public typealias Prepare =
    @Sendable (_ request: TargetRequest, _ target: any TargetType) async throws -> TargetRequest
  /// Called when a request is about to be sent.
  public typealias WillSend = @Sendable (_ request: TargetRequest, _ target: any TargetType) -> Void
  /// Called with the result of an attempt before validation. The result doesn't include a body that is streamed or
  /// written to a file.
  public typealias DidReceive =
    @Sendable (_ result: Result<TargetResponse, NetworkError>, _ target: any TargetType) -> Void
  /// Changes the outcome for the caller. A thrown error becomes the outcome.
  public typealias Process =
    @Sendable (_ result: Result<TargetResponse, NetworkError>, _ target: any TargetType) throws ->
    Result<TargetResponse, NetworkError>

  /// Changes requests; nil to keep them unchanged.
  public var prepare: Prepare?
  /// Observes requests that are about to be sent.
  public var willSend: WillSend?
  /// Observes the results of attempts.
  public var didReceive: DidReceive?
  /// Changes outcomes; nil to keep them unchanged.
  public var process: Process?

  /// Creates a plugin. A nil closure has no effect.
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
