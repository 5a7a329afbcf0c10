internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Holds back what fails of an ``EarlyCall`` until it is known to be wanted.
///
/// Its place is inside of what retries, and outside of what waits for limits, which waits for none on behalf of
/// such a call. So nothing of it holds a place that the call needs that it depends on.
struct EarlyCallInterceptor: Interceptor {
  /// Whether limits are kept inside of it, so that a request that met one can be handed on once more.
  let keepsLimits: Bool

  func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    guard let early = EarlyCall.current, early.isPending else { return try await next(request) }
    let outcome: Result<Response, NetworkError>
    do throws(NetworkError) {
      let response = try await next(request)
      guard response.status.code >= 400 else { return response }
      outcome = .success(response)
    } catch {
      outcome = .failure(error)
    }
    try await early.waitUntilWanted()
    guard keepsLimits, Self.isLimit(outcome) else { return try outcome.get() }
    do throws(NetworkError) {
      // Now the limit may be waited for.
      return try await next(request)
    } catch {
      // It lasts too long, and nothing was sent: the first answer says more.
      guard error.code == .rateLimited else { throw error }
      return try outcome.get()
    }
  }

  private static func isLimit(_ outcome: Result<Response, NetworkError>) -> Bool {
    switch outcome {
    case .success(let response):
      RateLimitAnswer(response, now: .now).limit != nil
    case .failure(let error): error.code == .rateLimited
    }
  }
}
