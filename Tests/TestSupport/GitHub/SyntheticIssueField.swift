internal import PlatformModules

/// A field that an organization defines for its issues.
public struct SyntheticIssueField: Sendable, Equatable {
  /// GitHub's id for it.
  public let id: Int
  /// Its name.
  public let name: String
  /// `text`, `number`, `date`, `single_select` or `multi_select`.
  public let type: String
  /// The names of its options.
  public let options: [String]

  /// Makes a field.
  public init(_ id: Int, _ name: String, _ type: String, options: [String] = []) {
    self.id = id
    self.name = name
    self.type = type
    self.options = options
  }

  /// One of each type.
  public static let all = [
    SyntheticIssueField(
      5_001, "Priority", "single_select", options: ["Urgent", "High", "Medium", "Low"]),
    SyntheticIssueField(5_002, "Effort", "number"),
    SyntheticIssueField(5_003, "Target date", "date"),
    SyntheticIssueField(5_004, "Areas", "multi_select", options: ["compiler", "runtime", "tools"]),
    SyntheticIssueField(5_005, "Customer", "text"),
  ]

  /// Whether the value of a field, named as the search does, is this one, in lower case.
  static func matches(_ name: String, _ value: String, _ values: [Int: String]) -> Bool {
    let field = all.first {
      $0.name.lowercased().split(separator: " ").joined(separator: "-") == name
    }
    switch field.flatMap({ values[$0.id] }).flatMap({ JSONInput(Data($0.utf8)) }) {
    case .string(let text): return text.lowercased() == value
    case .number(let number): return number == Double(value)
    case .array(let options): return options.contains { $0.text?.lowercased() == value }
    default: return false
    }
  }

  /// Whether a value is one of the field's, as GitHub's description has it.
  func takes(_ value: JSONInput) -> Bool {
    switch (type, value) {
    case ("number", .number): true
    case ("single_select", .string(let name)): options.contains(name)
    case ("multi_select", .array(let names)):
      names.allSatisfy { $0.text.map(options.contains) ?? false }
    case ("date", .string(let day)): day.split(separator: "-").map(\.count) == [4, 2, 2]
    case ("text", .string): true
    default: false
    }
  }
}
