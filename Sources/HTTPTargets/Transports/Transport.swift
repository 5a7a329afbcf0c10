/// Sends requests. The layer under all plugins and interceptors.
///
/// A transport sends what it is given: it follows no redirects, retries nothing, keeps no cookies.
public protocol Transport: Sendable {
  /// Sends a request and returns as soon as the head of the answer is in.
  ///
  /// Cancelling the task, before, while or after this runs, and dropping the reply without reading
  /// its body to the end, both end the exchange and free what it holds.
  ///
  /// - Throws: ``NetworkError`` with code `transport`, `timedOut`, `tooLarge` or `cancelled`.
  func send(_ request: Request) async throws(NetworkError) -> TransportReply
}
