import HTTPTargets
import PlatformModules
import TestSupport

/// An endpoint whose answers a test sets.
struct Probe: TargetType {
  var baseURL = "https://api.github.com"
  var path: URLPath = "x"
  var method = HTTPRequest.Method.get
  var task = HTTPTask.plain
  var headers: HTTPFields { [:] }
  var policy: TargetPolicy { .standard }
  var sampleResponse = SampleResponse.response()

  init(_ path: URLPath, _ sample: SampleResponse) {
    self.path = path
    sampleResponse = sample
  }

  init(_ first: SampleResponse, _ more: SampleResponse...) {
    sampleResponse = more.reduce(first) { .sequence($0, $1) }
  }

  init(_ path: URLPath = "x", method: HTTPRequest.Method = .get, at server: LoopbackServer) {
    baseURL = server.url
    self.path = path
    self.method = method
  }
}

/// A test's time: a clock, and the dates that it stands for.
///
/// The server's `Date` is ten minutes behind, as that of a machine whose clock is wrong.
enum ProbeTime {
  static let start = Date(timeIntervalSince1970: 784_111_577 + 600)
  static let serverStart = 784_111_577
  static let serverDate = "Sun, 06 Nov 1994 08:46:17 GMT"

  /// The time of a clock, as a date.
  static func now(_ clock: TestClock) -> @Sendable () -> Date {
    { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
  }
}

extension SampleResponse {
  /// An answer with a status and fields, given at the beginning of the test's time.
  static func answer(
    _ status: Int, _ fields: [String: String] = [:], body: String = ""
  ) -> SampleResponse {
    var headers = HTTPFields()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    headers[.date] = ProbeTime.serverDate
    return .response(status: .init(code: status), headers: headers, body: Data(body.utf8))
  }

  /// A refusal with `Retry-After`.
  static func retryAfter(_ value: String, status: Int = 429) -> SampleResponse {
    .answer(status, ["Retry-After": value])
  }

  /// An answer that says what is left of a quota, and for how many seconds.
  static func quota(
    _ remaining: Int, resetIn seconds: Int, status: Int = 200, resource: String? = nil
  ) -> SampleResponse {
    var fields = [
      "x-ratelimit-remaining": "\(remaining)",
      "x-ratelimit-reset": "\(ProbeTime.serverStart + seconds)",
    ]
    fields["x-ratelimit-resource"] = resource
    return .answer(status, fields)
  }

  /// A refusal that only its text tells from a permission error.
  static var withoutTime: SampleResponse {
    .answer(403, body: #"{"message": "You have exceeded a secondary rate limit."}"#)
  }
}

extension Provider {
  /// The status of an answer, or the code of a failure.
  func word(_ target: Target) async -> String {
    do throws(NetworkError) {
      return "\(try await request(target).status.code)"
    } catch {
      return error.code.rawValue
    }
  }
}
