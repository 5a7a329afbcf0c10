internal import ConcurrencyPrimitives
internal import IssueMirror

/// Blocks new calls once a worker is stopping. Calls in progress complete, so that their pages are stored.
struct StopGate: Interceptor {
  private let isClosedState = Watched(false)

  var isClosed: Bool { isClosedState.current }

  func close() { isClosedState.update { $0 = true } }

  /// Waits until the gate is closed.
  func closed() async { await isClosedState.wait { $0 } }

  func intercept(
    _ request: TargetRequest, call: TargetCall, next: @escaping Next
  ) async throws -> TargetResponse {
    guard !isClosed else { throw NetworkError.cancelled }
    return try await next(request)
  }
}
