/// Wraps the sending of a request: it may change the request, send it more than once, or answer
/// without sending.
///
/// The first interceptor of a provider is the outermost.
public protocol Interceptor: Sendable {
  /// Sends what is inside.
  typealias Next = @Sendable (Request) async throws(NetworkError) -> Response

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The prepared request, or what the interceptor outside made of it.
  ///   - call: What the call is about.
  ///   - next: Sends a request through the interceptors inside and the transport. Every attempt gives
  ///     a response whatever its status; validation comes after the interceptors. It may outlive the
  ///     call of this method; an interceptor that doesn't need that leaves `@escaping` out.
  /// - Returns: The answer that the interceptor outside, or the provider, goes on with.
  /// - Throws: ``NetworkError``, which ends the call unless an interceptor outside catches it.
  func intercept(
    _ request: Request, call: Call, next: @escaping Next
  ) async throws(NetworkError) -> Response
}
