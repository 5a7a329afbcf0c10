public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An endpoint of an API, described by value: what to ask, how, and what a stub answers.
///
/// An API is usually one enum whose cases are its endpoints:
///
/// ```swift
/// enum Zoo: TargetType {
///   case animal(name: String)
///   var baseURL: String { "https://zoo.example" }
///   var path: URLPath {
///     switch self { case .animal(let name): "animals/\(name)" }
///   }
/// }
/// ```
///
/// Everything but ``baseURL`` and ``path`` has a default.
public protocol TargetType: Sendable {
  /// The absolute URL that ``path`` is appended to. It may carry a path and a query of its own.
  var baseURL: String { get }
  /// The path below ``baseURL``; empty to use ``baseURL`` as it is, byte for byte.
  var path: URLPath { get }
  /// The request method; `GET` unless said otherwise.
  var method: HTTPRequest.Method { get }
  /// The query and the body; ``HTTPTask/plain`` unless said otherwise.
  var task: HTTPTask { get }
  /// The header fields that this endpoint asks for; none unless said otherwise.
  var headers: HTTPFields { get }
  /// The status codes that count as success; 2xx unless said otherwise.
  var validation: Validation { get }
  /// The kind of credentials that the endpoint takes; none unless said otherwise.
  var authorization: AuthorizationType { get }
  /// Whether the request may be sent a second time when nobody knows what became of the first; `GET` and
  /// `HEAD` may unless said otherwise.
  ///
  /// Say so of other methods where twice is no more than once, as `PUT` and `DELETE` are meant to be
  /// ([RFC 9110, section 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)).
  var isRetryable: Bool { get }
  /// How long the steps of the request may take.
  var timeouts: Timeouts { get }
  /// The body that a stub answers with; empty unless said otherwise.
  var sampleData: Data { get }
  /// The whole answer of a stub; status 200 with ``sampleData`` unless said otherwise.
  var sampleResponse: SampleResponse { get }
}

extension TargetType {
  /// `GET`.
  public var method: HTTPRequest.Method { .get }
  /// ``HTTPTask/plain``: neither query nor body.
  public var task: HTTPTask { .plain }
  /// No header fields.
  public var headers: HTTPFields { [:] }
  /// 2xx.
  public var validation: Validation { .successCodes }
  /// No credentials.
  public var authorization: AuthorizationType { .none }
  /// Whether the method is `GET` or `HEAD`.
  public var isRetryable: Bool { method == .get || method == .head }
  /// The time-outs of ``Timeouts/init(connect:idle:total:)``.
  public var timeouts: Timeouts { Timeouts() }
  /// No bytes.
  public var sampleData: Data { Data() }
  /// Status 200 with ``sampleData``.
  public var sampleResponse: SampleResponse { .response(body: sampleData) }
}
