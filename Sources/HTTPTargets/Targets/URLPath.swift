/// The path of an endpoint, written as a string literal.
///
/// A literal is used unchanged, `?` included. An interpolated value is percent-encoded as **one segment**:
///
/// ```swift
/// let path: URLPath = "users/\("a/b")/repos"   // users/a%2Fb/repos
/// let given: URLPath = "\(raw: "v3/search?q=x")"  // v3/search?q=x
/// ```
///
/// A path with an empty value, or with a segment `.` or `..`, throws ``NetworkError/Code/requestMapping`` when it
/// is requested. Servers and libcurl fold such segments, so `/repos/../../user` would reach another resource.
public struct URLPath: Sendable, Hashable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The path as it goes into the URL.
  public let encoded: String
  let hasEmptyValue: Bool

  /// Creates a path from a literal, as it is.
  public init(stringLiteral value: String) {
    encoded = value
    hasEmptyValue = false
  }

  /// Creates a path from a literal with values in it.
  public init(stringInterpolation: StringInterpolation) {
    encoded = stringInterpolation.encoded
    hasEmptyValue = stringInterpolation.hasEmptyValue
  }

  /// The path as it goes into the URL.
  public var description: String { encoded }

  var problem: String? {
    if hasEmptyValue { return "a value in the path is empty" }
    let path = encoded.prefix { $0 != "?" && $0 != "#" }
    // Only a segment that begins with a dot, encoded or not, can be one.
    for segment in path.split(separator: "/") where segment.first == "." || segment.first == "%" {
      switch segment.lowercased().replacing("%2e", with: ".") {
      case ".", "..": return "the path has the segment “\(segment)”"
      default: continue
      }
    }
    return nil
  }

  /// Collects the pieces of a literal with values in it.
  public struct StringInterpolation: StringInterpolationProtocol {
    var encoded = ""
    var hasEmptyValue = false

    /// Creates an empty collection.
    public init(literalCapacity: Int, interpolationCount: Int) {
      encoded.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Appends a piece of the literal as it is.
    public mutating func appendLiteral(_ literal: String) {
      encoded += literal
    }

    /// Appends a value as one percent-encoded segment.
    public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
      let text = String(value)
      hasEmptyValue = hasEmptyValue || text.isEmpty
      encoded += PercentEncoding.encode(text)
    }

    /// Appends text that is already a valid piece of a path, unchanged.
    public mutating func appendInterpolation(raw text: String) {
      encoded += text
    }
  }
}
