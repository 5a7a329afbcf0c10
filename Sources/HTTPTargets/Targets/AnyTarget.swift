public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
  public var isRetryable: Bool { base.isRetryable }
  /// The time-outs of the target in the box.
  public var timeouts: Timeouts { base.timeouts }
  /// The sample body of the target in the box.
  public var sampleData: Data { base.sampleData }
  /// The sample response of the target in the box.
  public var sampleResponse: SampleResponse { base.sampleResponse }
}
