public import HTTPTypes
public import PlatformModules

/// An endpoint of an API, described by value, with the response of a stub. An API is usually one enum:
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
/// }
/// ```
///
/// ``baseURL``, ``path``, ``method``, ``task`` and ``headers`` are required. The others have defaults; a member
/// with one of their names and another type doesn't compile (``TargetMembers``).
public protocol TargetType: TargetMembers, Sendable {
  /// The absolute URL that ``path`` is appended to. It may have a path and a query of its own.
  var baseURL: String { get }
  /// The path below ``baseURL``; empty to use ``baseURL`` unchanged.
  var path: URLPath { get }
  /// The request method.
  var method: HTTPRequest.Method { get }
  /// The query and the body; ``HTTPTask/plain`` for neither.
  var task: HTTPTask { get }
  /// The header fields of this endpoint; `[:]` for none.
  var headers: HTTPFields { get }
  /// The status codes that count as success; 2xx by default.
  var validation: Validation { get }
  /// The kind of credentials that the endpoint takes; none by default.
  var authorization: AuthorizationType { get }
  /// Whether the request may be sent a second time; by default its method decides.
  var idempotency: Idempotency { get }
  /// The time limits for the steps of the request.
  var timeouts: Timeouts { get }
  /// The body of a stub's response; empty by default.
  var sampleData: Data { get }
  /// A stub's whole response; by default status 200 with ``sampleData``.
  var sampleResponse: SampleResponse { get }
}

extension TargetType {
  /// 2xx.
  public var validation: Validation { .successCodes }
  /// No credentials.
  public var authorization: AuthorizationType { .none }
  /// The properties of the method: ``Idempotency/init(_:)``.
  public var idempotency: Idempotency { Idempotency(method) }
  /// The time-outs of ``Timeouts/init(connect:idle:total:)``.
  public var timeouts: Timeouts { Timeouts() }
  /// No bytes.
  public var sampleData: Data { Data() }
  /// Status 200 with ``sampleData``.
  public var sampleResponse: SampleResponse { .response(body: sampleData) }
}

/// Whether a request may be sent a second time if the fate of the first is unknown
/// ([RFC 9110, section 9.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2)).
public enum Idempotency: Sendable, Hashable {
  /// It only reads.
  case safe
  /// It writes, and has the same effect however often it arrives.
  case idempotent
  /// Each arrival has its own effect, such as another comment. It is repeated only if no byte left this machine.
  case once

  /// The properties of a method: `GET`, `HEAD`, `OPTIONS` and `TRACE` are safe, `PUT` and `DELETE` idempotent.
  /// Others, such as `POST` and `PATCH`, are ``once``.
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
  /// 200–299.
  case successCodes
  /// 200–399.
  case successAndRedirectCodes
  /// Just these codes.
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
  /// A scheme of the API's own.
  case custom(String)

  /// The word before the token; nil without credentials.
  public var scheme: String? {
    switch self {
    case .none: nil
    case .bearer: "Bearer"
    case .basic: "Basic"
    case .custom(let scheme): scheme
    }
  }
}

/// A box for any target, so that one provider can serve several APIs.
public struct AnyTarget: TargetType {
  /// The target in the box.
  public let base: any TargetType

  /// Boxes a target; a boxed target is not boxed again.
  public init(_ base: some TargetType) {
    self.base = (base as? AnyTarget)?.base ?? base
  }

  /// The base URL of the target in the box.
  public var baseURL: String { base.baseURL }
  /// The path of the target in the box.
  public var path: URLPath { base.path }
  /// The method of the target in the box.
  public var method: HTTPRequest.Method { base.method }
  /// The query and body of the target in the box.
  public var task: HTTPTask { base.task }
  /// The header fields of the target in the box.
  public var headers: HTTPFields { base.headers }
  /// The validation of the target in the box.
  public var validation: Validation { base.validation }
  /// The kind of credentials of the target in the box.
  public var authorization: AuthorizationType { base.authorization }
  /// Whether a request of the target in the box may be sent a second time.
  public var idempotency: Idempotency { base.idempotency }
  /// The time-outs of the target in the box.
  public var timeouts: Timeouts { base.timeouts }
  /// The sample body of the target in the box.
  public var sampleData: Data { base.sampleData }
  /// The sample response of the target in the box.
  public var sampleResponse: SampleResponse { base.sampleResponse }
}
