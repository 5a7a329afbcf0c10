import HTTPTargets
import PlatformModules

/// A target whose every property a test can set.
struct Zoo: TargetType {
  var baseURL = "https://zoo.example"
  var path: URLPath = "animals"
  var method = HTTPRequest.Method.get
  var task = HTTPTask.plain
  var headers: HTTPFields = [:]
  var validation = Validation.successCodes
  var authorization = AuthorizationType.none
  var timeouts = Timeouts()
  var sampleData = Data("sample".utf8)
  var sample: SampleResponse?
  /// Whether it may be sent twice; nil for what the method says.
  var marked: Idempotency?

  var policy: TargetPolicy {
    TargetPolicy(
      timeouts: timeouts, validation: validation, authorization: authorization, idempotency: marked)
  }
  var sampleResponse: SampleResponse { sample ?? .response(body: sampleData) }
}

extension Zoo {
  /// The target as a request.
  func request() throws(NetworkError) -> TargetRequest { try Endpoint(self).request() }
}
