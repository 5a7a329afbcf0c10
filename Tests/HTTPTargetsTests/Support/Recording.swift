import HTTPTargets
import TestSupport

/// What happened, in order.
typealias Events = Watched<[String]>

extension Watched<[String]> {
  func note(_ event: String) {
    update { $0.append(event) }
  }
}

/// Notes each of its hooks.
struct RecordingPlugin: Plugin {
  let name: String
  let events: Events

  func prepare(
    _ request: Request, target: any TargetType
  ) async throws(NetworkError) -> Request {
    events.note("\(name) prepare")
    var request = request
    request.headers[.prepared, default: ""] += name
    return request
  }

  func willSend(_ request: Request, target: any TargetType) {
    events.note("\(name) willSend")
  }

  func didReceive(_ result: Result<Response, NetworkError>, target: any TargetType) {
    events.note("\(name) didReceive \(result.word)")
  }

  func process(
    _ result: Result<Response, NetworkError>, target: any TargetType
  ) -> Result<Response, NetworkError> {
    events.note("\(name) process \(result.word)")
    return result
  }
}

/// Notes when a request passes it, and when the answer comes back.
struct RecordingInterceptor: Interceptor {
  let name: String
  let events: Events

  func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    events.note("\(name) in")
    defer { events.note("\(name) out") }
    return try await next(request)
  }
}

extension Result<Response, NetworkError> {
  /// The status or the error's code.
  var word: String {
    switch self {
    case .success(let response): "\(response.status.code)"
    case .failure(let error): error.code.rawValue
    }
  }
}

extension HTTPField.Name {
  /// Set by ``RecordingPlugin``.
  static let prepared = named("X-Prepared")

  /// A name that is known to be right.
  static func named(_ name: String) -> Self {
    guard let name = Self(name) else { preconditionFailure("“\(name)” is no field name") }
    return name
  }
}

extension HTTPFields {
  /// The value of a field, or a default where there is none.
  subscript(name: HTTPField.Name, default value: String) -> String {
    get { self[name] ?? value }
    set { self[name] = newValue }
  }
}

extension Provider {
  /// Calls a target; a failure is an outcome, too.
  func outcome(_ target: Target) async -> Result<Response, NetworkError> {
    do throws(NetworkError) {
      return .success(try await request(target))
    } catch {
      return .failure(error)
    }
  }
}
