internal import HTTPTypes

/// The rules for the calls of a target: ``TargetType/policy``.
///
/// ```swift
/// var policy: TargetPolicy {
///   switch self {
///   case .animal: .standard
///   case .add: TargetPolicy(authorization: .bearer)
///   }
/// }
/// ```
public struct TargetPolicy: Sendable, Hashable {
  /// The time limits for the steps of a request.
  public var timeouts: Timeouts
  /// The status codes that count as success.
  public var validation: Validation
  /// The kind of credentials that the endpoint accepts.
  public var authorization: AuthorizationType
  /// Whether a request may be sent a second time; nil to use the idempotency of its method
  /// (``Idempotency/init(_:)``).
  public var idempotency: Idempotency?

  /// Creates a policy. The defaults are those of ``standard``.
  public init(
    timeouts: Timeouts = Timeouts(), validation: Validation = .successCodes,
    authorization: AuthorizationType = .none, idempotency: Idempotency? = nil
  ) {
    self.timeouts = timeouts
    self.validation = validation
    self.authorization = authorization
    self.idempotency = idempotency
  }

  /// The default timeouts (``Timeouts/init(connect:idle:total:)``), the status codes 2xx, no credentials, and the
  /// idempotency of the method.
  public static let standard = TargetPolicy()
}

extension TargetType {
  /// The idempotency of the policy, or else that of the method.
  package var effectiveIdempotency: Idempotency { policy.idempotency ?? Idempotency(method) }
}
