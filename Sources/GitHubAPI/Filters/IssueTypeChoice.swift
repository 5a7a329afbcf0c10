internal import HTTPTargets

/// The type that a filter requires.
public enum IssueTypeChoice: Hashable, Sendable, Codable, LosslessStringConvertible {
  /// The type with this name, in any letter case.
  case named(String)
  /// Any type.
  case any
  /// No type.
  case absent

  /// Parses a name, `*` for any type, or `none` for no type; nil for empty text.
  public init?(_ text: String) {
    switch text {
    case "": return nil
    case "*": self = .any
    case "none": self = .absent
    default: self = .named(text)
    }
  }

  /// The API's spelling, which ``init(_:)`` can parse.
  public var description: String {
    switch self {
    case .named(let name): name
    case .any: "*"
    case .absent: "none"
    }
  }

  func matches(_ type: GitHub.IssueType?) -> Bool {
    switch self {
    case .named(let name): type?.name.lowercased() == name.lowercased()
    case .any: type != nil
    case .absent: type == nil
    }
  }

  /// Decodes the API's spelling.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { IssueTypeChoice($0) }
  }

  /// Encodes the API's spelling.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}
