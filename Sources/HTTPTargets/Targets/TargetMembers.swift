public import PlatformModules

/// The members of ``TargetType`` that have defaults, with any type, to detect a wrong type.
///
/// A member of a wrong type doesn't meet its requirement, so the default silently would. Here it is a requirement with
/// the type that the conforming type gives it, and a second requirement has a default for the right type only. The
/// compiler then names both types: “candidate would match if 'Int' was the same type as 'Timeouts'”. Moya's names for
/// two members are found in the same way.
public protocol TargetMembers {
  /// The type of ``validation``.
  associatedtype ValidationMember
  /// ``TargetType/validation``, if its type is right.
  var validation: ValidationMember { get }
  /// Whether its type is right.
  static var validationIsOfTypeValidation: Void { get }
  /// The type of ``authorization``.
  associatedtype AuthorizationMember
  /// ``TargetType/authorization``, if its type is right.
  var authorization: AuthorizationMember { get }
  /// Whether its type is right.
  static var authorizationIsOfTypeAuthorizationType: Void { get }
  /// The type of ``idempotency``.
  associatedtype IdempotencyMember
  /// ``TargetType/idempotency``, if its type is right.
  var idempotency: IdempotencyMember { get }
  /// Whether its type is right.
  static var idempotencyIsOfTypeIdempotency: Void { get }
  /// The type of ``timeouts``.
  associatedtype TimeoutsMember
  /// ``TargetType/timeouts``, if its type is right.
  var timeouts: TimeoutsMember { get }
  /// Whether its type is right.
  static var timeoutsIsOfTypeTimeouts: Void { get }
  /// The type of ``sampleData``.
  associatedtype SampleDataMember
  /// ``TargetType/sampleData``, if its type is right.
  var sampleData: SampleDataMember { get }
  /// Whether its type is right.
  static var sampleDataIsOfTypeData: Void { get }
  /// The type of ``sampleResponse``.
  associatedtype SampleResponseMember
  /// ``TargetType/sampleResponse``, if its type is right.
  var sampleResponse: SampleResponseMember { get }
  /// Whether its type is right.
  static var sampleResponseIsOfTypeSampleResponse: Void { get }
  /// The type of ``validationType``.
  associatedtype ValidationTypeMember
  /// Moya's name for ``TargetType/validation``.
  var validationType: ValidationTypeMember { get }
  /// Whether no member has Moya's name.
  static var validationTypeIsNamedValidation: Void { get }
  /// The type of ``authorizationType``.
  associatedtype AuthorizationTypeMember
  /// Moya's name for ``TargetType/authorization``.
  var authorizationType: AuthorizationTypeMember { get }
  /// Whether no member has Moya's name.
  static var authorizationTypeIsNamedAuthorization: Void { get }
}

extension TargetMembers where ValidationMember == Validation {
  /// The type is right.
  public static var validationIsOfTypeValidation: Void { () }
}

extension TargetMembers where AuthorizationMember == AuthorizationType {
  /// The type is right.
  public static var authorizationIsOfTypeAuthorizationType: Void { () }
}

extension TargetMembers where IdempotencyMember == Idempotency {
  /// The type is right.
  public static var idempotencyIsOfTypeIdempotency: Void { () }
}

extension TargetMembers where TimeoutsMember == Timeouts {
  /// The type is right.
  public static var timeoutsIsOfTypeTimeouts: Void { () }
}

extension TargetMembers where SampleDataMember == Data {
  /// The type is right.
  public static var sampleDataIsOfTypeData: Void { () }
}

extension TargetMembers where SampleResponseMember == SampleResponse {
  /// The type is right.
  public static var sampleResponseIsOfTypeSampleResponse: Void { () }
}

extension TargetMembers {
  /// Nothing: the name is ``TargetType/validation``.
  public var validationType: Void { () }
  /// Nothing: the name is ``TargetType/authorization``.
  public var authorizationType: Void { () }
}

extension TargetMembers where ValidationTypeMember == Void {
  /// No member has Moya's name.
  public static var validationTypeIsNamedValidation: Void { () }
}

extension TargetMembers where AuthorizationTypeMember == Void {
  /// No member has Moya's name.
  public static var authorizationTypeIsNamedAuthorization: Void { () }
}
