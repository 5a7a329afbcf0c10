import HTTPTargets
import TestSupport

/// The recorded events, in order.
typealias Events = Watched<[String]>

extension Watched<[String]> {
  func note(_ event: String) {
    update { $0.append(event) }
  }
}

extension Plugin {
  /// Notes each of its closures.
  static func recording(name: String, events: Events) -> Plugin {
    Plugin(
      prepare: { request, _ in
        events.note("\(name) prepare")
        var request = request
        request.headers[.prepared, default: ""] += name
        return request
      },
      willSend: { _, _ in events.note("\(name) willSend") },
      didReceive: { result, _ in events.note("\(name) didReceive \(result.word)") },
      process: { result, _ in
        events.note("\(name) process \(result.word)")
        return result
      })
  }
}

/// Notes when a request passes it, and when the answer comes back.
struct RecordingInterceptor: Interceptor {
  let name: String
  let events: Events

  func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    events.note("\(name) in")
    defer { events.note("\(name) out") }
    return try await next(request)
  }
}

extension Result<TargetResponse, NetworkError> {
  /// The status or the error's code.
  var word: String {
    switch self {
    case .success(let response): "\(response.status.code)"
    case .failure(let error): error.code.rawValue
    }
  }
}

extension HTTPField.Name {
  /// Set by ``Plugin/recording(name:events:)``.
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
  func outcome(_ target: Target) async -> Result<TargetResponse, NetworkError> {
    do throws(NetworkError) {
      return .success(try await request(target))
    } catch {
      return .failure(error)
    }
  }
}
