public import HTTPTypes
public import PlatformModules

/// A description of an API endpoint as a value, including a stub response. An API is usually one enum:
///
/// ```swift
/// enum Zoo: TargetType {
///   case animal(name: String)
///   case add(Animal)
///
///   var baseURL: String { "https://zoo.example" }
///   var path: URLPath {
///     switch self {
///     case .animal(let name): "animals/\(name)"
///     case .add: "animals"
///     }
///   }
///   var method: HTTPRequest.Method { if case .add = self { .post } else { .get } }
///   var task: HTTPTask { if case .add(let animal) = self { .json(animal) } else { .plain } }
///   var headers: HTTPFields { [:] }
///   var policy: TargetPolicy { .standard }
/// }
/// ```
///
/// Only ``sampleData`` and ``sampleResponse`` have defaults. The others don't, because Swift silently uses a default if
/// a member with the right name has another type, or if its name is misspelled. Without a default, the compiler refuses
/// such a target and names both types.
public protocol TargetType: Sendable {
  /// The absolute URL that ``path`` is appended to. It may have its own path and query.
  var baseURL: String { get }
  /// The path below ``baseURL``; empty to use ``baseURL`` unchanged.
  var path: URLPath { get }
  /// The request method.
  var method: HTTPRequest.Method { get }
  /// The query and the body; ``HTTPTask/plain`` for neither.
  var task: HTTPTask { get }
  /// The header fields of this endpoint; `[:]` for none.
  var headers: HTTPFields { get }
  /// The timeouts, the accepted status codes, the credentials and the idempotency; ``TargetPolicy/standard`` for the
  /// usual ones.
  var policy: TargetPolicy { get }
  /// The body of the stub response; empty by default.
  var sampleData: Data { get }
  /// The complete stub response; by default status 200 with ``sampleData``.
  var sampleResponse: SampleResponse { get }
}

extension TargetType {
  /// An empty body.
  public var sampleData: Data { Data() }
  /// Status 200 with ``sampleData``.
  public var sampleResponse: SampleResponse { .response(body: sampleData) }
}

/// Whether a request may be sent again if the result of the first attempt is unknown ([RFC 9110, section
/// 9.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2)).
public enum Idempotency: Sendable, Hashable {
  /// The request only reads.
  case safe
  /// The request writes, but has the same effect if it arrives several times.
  case idempotent
  /// Each arrival of the request has an effect, such as another comment. The request is repeated only if none of its
  /// bytes left this machine.
  case once

  /// Creates the idempotency of a method. `GET`, `HEAD`, `OPTIONS` and `TRACE` are safe, and `PUT` and `DELETE` are
  /// idempotent. Other methods, such as `POST` and `PATCH`, are ``once``.
  public init(_ method: HTTPRequest.Method) {
    self =
      switch method {
      case .get, .head, .options, .trace: .safe
      case .put, .delete: .idempotent
      default: .once
      }
  }
}

/// The status codes that count as success. Others throw ``NetworkError/Code/statusCode`` with the response.
public enum Validation: Sendable, Hashable {
  /// Every status is a success.
  case none
  /// The status codes 200–299.
  case successCodes
  /// The status codes 200–399.
  case successAndRedirectCodes
  /// Only these status codes.
  case codes(Set<Int>)

  /// Returns whether a status counts as success.
  public func accepts(_ status: HTTPResponse.Status) -> Bool {
    switch self {
    case .none: true
    case .successCodes: (200..<300).contains(status.code)
    case .successAndRedirectCodes: (200..<400).contains(status.code)
    case .codes(let codes): codes.contains(status.code)
    }
  }
}

/// The credentials that ``Plugin/accessToken(origin:token:)`` sends in an endpoint's `Authorization` field.
public enum AuthorizationType: Sendable, Hashable {
  /// No credentials.
  case none
  /// `Bearer TOKEN` ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
  case bearer
  /// `Basic TOKEN` with a token in base64 ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).
  case basic
  /// A custom scheme of the API.
  case custom(String)

  /// The scheme before the token; nil without credentials.
  public var scheme: String? {
    switch self {
    case .none: nil
    case .bearer: "Bearer"
    case .basic: "Basic"
    case .custom(let scheme): scheme
    }
  }
}

/// A wrapper for any target, so that one provider can support several APIs.
public struct AnyTarget: TargetType {
  /// The wrapped target.
  public let base: any TargetType

  /// Wraps a target. A wrapped target isn't wrapped again.
  public init(_ base: some TargetType) {
    self.base = (base as? AnyTarget)?.base ?? base
  }

  /// The base URL of the wrapped target.
  public var baseURL: String { base.baseURL }
  /// The path of the wrapped target.
  public var path: URLPath { base.path }
  /// The method of the wrapped target.
  public var method: HTTPRequest.Method { base.method }
  /// The query and the body of the wrapped target.
  public var task: HTTPTask { base.task }
  /// The header fields of the wrapped target.
  public var headers: HTTPFields { base.headers }
  /// The policy of the wrapped target.
  public var policy: TargetPolicy { base.policy }
  /// The sample body of the wrapped target.
  public var sampleData: Data { base.sampleData }
  /// The sample response of the wrapped target.
  public var sampleResponse: SampleResponse { base.sampleResponse }
}
