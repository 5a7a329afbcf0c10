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

  public var baseURL: String { base.baseURL }
  public var path: URLPath { base.path }
  public var method: HTTPRequest.Method { base.method }
  public var task: HTTPTask { base.task }
  public var headers: HTTPFields { base.headers }
  public var validation: Validation { base.validation }
  public var authorization: AuthorizationType { base.authorization }
  public var timeouts: Timeouts { base.timeouts }
  public var sampleData: Data { base.sampleData }
  public var sampleResponse: SampleResponse { base.sampleResponse }
}
