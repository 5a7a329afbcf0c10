/// The path of an endpoint, written as a string literal.
///
/// The literal parts are used unchanged, including `?`. An interpolated value is percent-encoded as **one segment**:
///
/// ```swift
/// let path: URLPath = "users/\("a/b")/repos"   // users/a%2Fb/repos
/// let given: URLPath = "\(raw: "v3/search?q=x")"  // v3/search?q=x
/// ```
///
/// A path with an empty value, or with a segment `.` or `..`, throws ``NetworkError/Code/requestMapping`` when it is
/// requested. Servers and libcurl resolve such segments, so `/repos/../../user` would reach another resource.
public struct URLPath: Sendable, Hashable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The path as it appears in the URL.
  public let encoded: String
  let hasEmptyValue: Bool

  /// Creates a path from a literal, unchanged.
  public init(stringLiteral value: String) {
    encoded = value
    hasEmptyValue = false
  }

  /// Creates a path from a literal with interpolated values.
  public init(stringInterpolation: StringInterpolation) {
    encoded = stringInterpolation.encoded
    hasEmptyValue = stringInterpolation.hasEmptyValue
  }

  /// The path as it appears in the URL.
  public var description: String { encoded }

  var problem: String? {
    if hasEmptyValue { return "a value in the path is empty" }
    let path = encoded.prefix { $0 != "?" && $0 != "#" }
    // A dot segment begins with a dot, which may be percent-encoded.
    for segment in path.split(separator: "/") where segment.first == "." || segment.first == "%" {
      switch segment.lowercased().replacing("%2e", with: ".") {
      case ".", "..": return "the path has the segment “\(segment)”"
      default: continue
      }
    }
    return nil
  }

  /// Collects the parts of a literal with interpolated values.
  public struct StringInterpolation: StringInterpolationProtocol {
    var encoded = ""
    var hasEmptyValue = false

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {
      encoded.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Appends a literal part unchanged.
    public mutating func appendLiteral(_ literal: String) {
      encoded += literal
    }

    /// Appends a value as one percent-encoded segment.
    public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
      let text = String(value)
      hasEmptyValue = hasEmptyValue || text.isEmpty
      encoded += PercentEncoding.encode(text)
    }

    /// Appends text that is already a valid part of a path, unchanged.
    public mutating func appendInterpolation(raw text: String) {
      encoded += text
    }
  }
}
