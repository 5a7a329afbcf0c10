import HTTPTypes
import PlatformModules
import Testing

@testable import HTTPTargets

extension TargetRequest {
  /// A request of the zoo's.
  static func animals(_ headers: HTTPFields = [:], path: String = "animals") -> TargetRequest {
    TargetRequest(url: "https://zoo.example/\(path)", headers: headers)
  }
}

extension ResponseKey {
  /// A key of the zoo's.
  static func animals(_ path: String = "animals") throws -> ResponseKey {
    try #require(ResponseKey(.animals(path: path)))
  }
}

extension TargetResponse {
  /// An answer of the zoo's.
  static func animals(
    _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:], body: String = "",
    url: String = "https://zoo.example/animals"
  ) -> TargetResponse {
    TargetResponse(
      request: TargetRequest(url: url), status: status, headers: headers, body: Data(body.utf8))
  }
}

extension StoredResponse {
  /// A stored answer of the zoo's.
  static func animals(
    _ headers: HTTPFields = [.eTag: "\"1\""], body: String = "cats",
    request: TargetRequest = .animals()
  ) throws -> StoredResponse {
    try #require(StoredResponse(.animals(headers: headers, body: body), to: request))
  }
}

extension TargetResponse {
  fileprivate static func animals(headers: HTTPFields, body: String) -> TargetResponse {
    animals(.ok, headers, body: body)
  }
}
