public import PlatformModules

/// The members of ``TargetType`` that have defaults, of any type: a wrong one is found here.
///
/// A member of a wrong type doesn't meet its requirement, so the default would, without a word. Here it is a
/// requirement of whatever type the conforming type gives it, and a second requirement has a default for the right
/// type only. The compiler then names both types: “candidate would match if 'Int' was the same type as 'Timeouts'”.
/// Moya's names for two members are found in the same way.
public protocol TargetMembers {
  /// The type of ``validation``.
  associatedtype ValidationMember
  /// ``TargetType/validation``, if its type is right.
  var validation: ValidationMember { get }
  /// Whether it is.
  static var validationIsOfTypeValidation: Void { get }
  /// The type of ``authorization``.
  associatedtype AuthorizationMember
  /// ``TargetType/authorization``, if its type is right.
  var authorization: AuthorizationMember { get }
  /// Whether it is.
  static var authorizationIsOfTypeAuthorizationType: Void { get }
  /// The type of ``idempotency``.
  associatedtype IdempotencyMember
  /// ``TargetType/idempotency``, if its type is right.
  var idempotency: IdempotencyMember { get }
  /// Whether it is.
  static var idempotencyIsOfTypeIdempotency: Void { get }
  /// The type of ``timeouts``.
  associatedtype TimeoutsMember
  /// ``TargetType/timeouts``, if its type is right.
  var timeouts: TimeoutsMember { get }
  /// Whether it is.
  static var timeoutsIsOfTypeTimeouts: Void { get }
  /// The type of ``sampleData``.
  associatedtype SampleDataMember
  /// ``TargetType/sampleData``, if its type is right.
  var sampleData: SampleDataMember { get }
  /// Whether it is.
  static var sampleDataIsOfTypeData: Void { get }
  /// The type of ``sampleResponse``.
  associatedtype SampleResponseMember
  /// ``TargetType/sampleResponse``, if its type is right.
  var sampleResponse: SampleResponseMember { get }
  /// Whether it is.
  static var sampleResponseIsOfTypeSampleResponse: Void { get }
  /// The type of ``validationType``.
  associatedtype ValidationTypeMember
  /// Moya's name for ``TargetType/validation``.
  var validationType: ValidationTypeMember { get }
  /// Whether there is none.
  static var validationTypeIsNamedValidation: Void { get }
  /// The type of ``authorizationType``.
  associatedtype AuthorizationTypeMember
  /// Moya's name for ``TargetType/authorization``.
  var authorizationType: AuthorizationTypeMember { get }
  /// Whether there is none.
  static var authorizationTypeIsNamedAuthorization: Void { get }
}

extension TargetMembers where ValidationMember == Validation {
  /// It is.
  public static var validationIsOfTypeValidation: Void { () }
}

extension TargetMembers where AuthorizationMember == AuthorizationType {
  /// It is.
  public static var authorizationIsOfTypeAuthorizationType: Void { () }
}

extension TargetMembers where IdempotencyMember == Idempotency {
  /// It is.
  public static var idempotencyIsOfTypeIdempotency: Void { () }
}

extension TargetMembers where TimeoutsMember == Timeouts {
  /// It is.
  public static var timeoutsIsOfTypeTimeouts: Void { () }
}

extension TargetMembers where SampleDataMember == Data {
  /// It is.
  public static var sampleDataIsOfTypeData: Void { () }
}

extension TargetMembers where SampleResponseMember == SampleResponse {
  /// It is.
  public static var sampleResponseIsOfTypeSampleResponse: Void { () }
}

extension TargetMembers {
  /// Nothing: the name is ``TargetType/validation``.
  public var validationType: Void { () }
  /// Nothing: the name is ``TargetType/authorization``.
  public var authorizationType: Void { () }
}

extension TargetMembers where ValidationTypeMember == Void {
  /// There is none.
  public static var validationTypeIsNamedValidation: Void { () }
}

extension TargetMembers where AuthorizationTypeMember == Void {
  /// There is none.
  public static var authorizationTypeIsNamedAuthorization: Void { () }
}
