internal import HTTPTargets

/// A value that a filter requires for a field. Organizations define fields for their issues.
public struct IssueFieldChoice: Hashable, Sendable, Codable, LosslessStringConvertible {
  /// The name of the field as in GitHub's search: `target-date` for `Target date`.
  public let field: String
  /// The value, in any letter case: text, a number, a day such as `2026-12-31`, or the name of an option.
  public let value: String

  /// Creates a choice; nil if the name or the value is empty, or contains a comma or a colon. The API uses these as
  /// separators, and has no syntax to escape them.
  ///
  /// - Parameters:
  ///   - name: The name of the field, as defined by the organization or as in GitHub's search.
  ///   - value: The value.
  public init?(name: String, value: String) {
    let field = Self.field(named: name)
    guard !field.isEmpty, !value.isEmpty, !(field + value).contains(","), !field.contains(":")
    else { return nil }
    self.field = field
    self.value = value
  }

  /// Parses the API's spelling, `FIELD:VALUE`.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(name: String(parts[0]), value: String(parts[1]))
  }

  /// The API's spelling, `FIELD:VALUE`. ``init(_:)`` can parse it.
  public var description: String { "\(field):\(value)" }

  /// Returns the name as in GitHub's search: in lowercase, with hyphens instead of spaces.
  package static func field(named name: String) -> String {
    String(name.lowercased().map { $0 == " " ? "-" : $0 })
  }

  /// The qualifier for a search, such as `field.target-date:2026-12-31`.
  package var word: QueryWord {
    QueryWord(name: GitHubQualifier.fieldPrefix + field, value: value)
  }

  func matches(_ values: [GitHub.IssueFieldValue]) -> Bool {
    values.contains { other in
      guard other.name.map(Self.field(named:)) == field else { return false }
      return switch other.content {
      case .text(let text): text.lowercased() == value.lowercased()
      case .number(let number): Double(value) == number
      case .options(let options): options.contains { $0.lowercased() == value.lowercased() }
      case nil: false
      }
    }
  }

  /// Decodes the API's spelling.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { IssueFieldChoice($0) }
  }

  /// Encodes the API's spelling.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}
