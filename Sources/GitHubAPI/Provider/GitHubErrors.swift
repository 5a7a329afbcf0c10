public import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Makes GitHub's errors out of answers with an error status: what the server says goes into the
/// message, and an answer that asks to wait becomes ``HTTPTargets/NetworkError/Code/rateLimited``.
public struct GitHubErrors: Plugin {
  let now: @Sendable () -> Date

  /// Creates the plugin.
  public init() {
    self.init { Date() }
  }

  init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }

  /// Explains a failed answer.
  public func process(
    _ result: Result<Response, NetworkError>, target: any TargetType
  ) -> Result<Response, NetworkError> {
    guard case .failure(let error) = result, error.code == .statusCode,
      let response = error.response
    else { return result }
    let body = GitHubErrorBody(response.body)
    var explained = error
    if let limit = RateLimit(response, body, now: now()) {
      explained.code = .rateLimited
      explained.message = limit.message
      explained.retryDate = limit.retryDate
      return .failure(explained)
    }
    let said = body?.summary(hidingSecretsOf: response.request) ?? ""
    guard !said.isEmpty else { return result }
    explained.message += ": \(said)"
    return .failure(explained)
  }
}
