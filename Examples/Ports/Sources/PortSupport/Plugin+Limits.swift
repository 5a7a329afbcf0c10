import Foundation
public import HTTPTargets

extension Plugin {
  /// Turns a refusal that names the end of a limit into an error that carries it.
  public static var limits: Plugin {
    Plugin(process: { result, _ in
      guard case .failure(var error) = result, let response = error.response,
        [403, 429].contains(response.status.code), response.header("x-ratelimit-remaining") == "0"
      else { return result }
      error.code = .rateLimited
      error.retryDate = response.header("x-ratelimit-reset").flatMap(TimeInterval.init)
        .map(Date.init(timeIntervalSince1970:))
      return .failure(error)
    })
  }
}

extension TargetResponse {
  /// The value of a header field.
  public func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { headers[$0] }
  }
}
