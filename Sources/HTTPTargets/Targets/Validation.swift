public import HTTPTypes

/// The status codes that count as success.
///
/// A response that fails validation is an error of code ``NetworkError/Code/statusCode`` that
/// carries the response.
public enum Validation: Sendable, Hashable {
  /// Every status is a success.
  case none
  /// 200–299.
  case successCodes
  /// 200–399.
  case successAndRedirectCodes
  /// Just these codes.
  case codes(Set<Int>)

  /// Tells whether a status counts as success.
  public func accepts(_ status: HTTPResponse.Status) -> Bool {
    switch self {
    case .none: true
    case .successCodes: (200..<300).contains(status.code)
    case .successAndRedirectCodes: (200..<400).contains(status.code)
    case .codes(let codes): codes.contains(status.code)
    }
  }
}
