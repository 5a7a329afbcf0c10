public import PlatformModules

/// Detects members of ``TargetType`` that have a default and are declared with a wrong type.
///
/// A member with a wrong type doesn't meet its requirement, so Swift would silently use the default instead. In this
/// protocol, the member is a requirement of any type, and a second requirement has a default only for the right type.
/// So the compiler reports both types: “candidate would match if 'Int' was the same type as 'Timeouts'”. The names that
/// Moya uses for two of the members are detected in the same way.
public protocol TargetMembers {
  /// The type of ``validation``.
  associatedtype ValidationMember
  /// The member ``TargetType/validation``, of any type.
  var validation: ValidationMember { get }
  /// Has a default only if the member has the right type.
  static var validationIsOfTypeValidation: Void { get }
  /// The type of ``authorization``.
  associatedtype AuthorizationMember
  /// The member ``TargetType/authorization``, of any type.
  var authorization: AuthorizationMember { get }
  /// Has a default only if the member has the right type.
  static var authorizationIsOfTypeAuthorizationType: Void { get }
  /// The type of ``idempotency``.
  associatedtype IdempotencyMember
  /// The member ``TargetType/idempotency``, of any type.
  var idempotency: IdempotencyMember { get }
  /// Has a default only if the member has the right type.
  static var idempotencyIsOfTypeIdempotency: Void { get }
  /// The type of ``timeouts``.
  associatedtype TimeoutsMember
  /// The member ``TargetType/timeouts``, of any type.
  var timeouts: TimeoutsMember { get }
  /// Has a default only if the member has the right type.
  static var timeoutsIsOfTypeTimeouts: Void { get }
  /// The type of ``sampleData``.
  associatedtype SampleDataMember
  /// The member ``TargetType/sampleData``, of any type.
  var sampleData: SampleDataMember { get }
  /// Has a default only if the member has the right type.
  static var sampleDataIsOfTypeData: Void { get }
  /// The type of ``sampleResponse``.
  associatedtype SampleResponseMember
  /// The member ``TargetType/sampleResponse``, of any type.
  var sampleResponse: SampleResponseMember { get }
  /// Has a default only if the member has the right type.
  static var sampleResponseIsOfTypeSampleResponse: Void { get }
  /// The type of ``validationType``.
  associatedtype ValidationTypeMember
  /// Moya's name for ``TargetType/validation``.
  var validationType: ValidationTypeMember { get }
  /// Has a default only if no member has Moya's name.
  static var validationTypeIsNamedValidation: Void { get }
  /// The type of ``authorizationType``.
  associatedtype AuthorizationTypeMember
  /// Moya's name for ``TargetType/authorization``.
  var authorizationType: AuthorizationTypeMember { get }
  /// Has a default only if no member has Moya's name.
  static var authorizationTypeIsNamedAuthorization: Void { get }
}

extension TargetMembers where ValidationMember == Validation {
  /// The default for a member with the right type.
  public static var validationIsOfTypeValidation: Void { () }
}

extension TargetMembers where AuthorizationMember == AuthorizationType {
  /// The default for a member with the right type.
  public static var authorizationIsOfTypeAuthorizationType: Void { () }
}

extension TargetMembers where IdempotencyMember == Idempotency {
  /// The default for a member with the right type.
  public static var idempotencyIsOfTypeIdempotency: Void { () }
}

extension TargetMembers where TimeoutsMember == Timeouts {
  /// The default for a member with the right type.
  public static var timeoutsIsOfTypeTimeouts: Void { () }
}

extension TargetMembers where SampleDataMember == Data {
  /// The default for a member with the right type.
  public static var sampleDataIsOfTypeData: Void { () }
}

extension TargetMembers where SampleResponseMember == SampleResponse {
  /// The default for a member with the right type.
  public static var sampleResponseIsOfTypeSampleResponse: Void { () }
}

extension TargetMembers {
  /// The default without a value, because the member is named ``TargetType/validation``.
  public var validationType: Void { () }
  /// The default without a value, because the member is named ``TargetType/authorization``.
  public var authorizationType: Void { () }
}

extension TargetMembers where ValidationTypeMember == Void {
  /// The default if no member has Moya's name.
  public static var validationTypeIsNamedValidation: Void { () }
}

extension TargetMembers where AuthorizationTypeMember == Void {
  /// The default if no member has Moya's name.
  public static var authorizationTypeIsNamedAuthorization: Void { () }
}
