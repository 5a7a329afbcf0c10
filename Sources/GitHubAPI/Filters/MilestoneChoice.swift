internal import HTTPTargets

/// The milestone that a filter requires.
///
/// The REST API requires the number, so a title must first be looked up in `GET /repos/{owner}/{repo}/milestones`.
public enum MilestoneChoice: Hashable, Sendable, CustomStringConvertible {
  /// The milestone's number within its repository.
  case number(Int)
  /// A title in any letter case, or else its text as a number. ``HTTPTargets/Provider/numberingMilestone(of:in:)``
  /// looks up the number for the REST API.
  case title(String)
  /// Any milestone.
  case any
  /// No milestone.
  case absent

  /// Parses a number, `*` for any milestone, or `none` for no milestone; nil for other text.
  public init?(_ text: String) {
    switch text {
    case "*": self = .any
    case "none": self = .absent
    default:
      guard text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text), number > 0 else {
        return nil
      }
      self = .number(number)
    }
  }

  /// Parses a title or a number, `*` for any milestone, or `none` for no milestone; nil for empty text.
  public init?(titleOrNumber text: String) {
    switch text {
    case "": return nil
    case "*": self = .any
    case "none": self = .absent
    default: self = .title(text)
    }
  }

  /// Finds the required milestone among all milestones of a repository; nil if it doesn't exist, and for any or no
  /// milestone. The exact title takes precedence over a title in another letter case, and both take precedence over a
  /// number.
  public func match(in milestones: [GitHub.Milestone]) -> GitHub.Milestone? {
    switch self {
    case .any, .absent: nil
    case .number(let number): milestones.first { $0.number == number }
    case .title(let title):
      milestones.first { $0.title == title }
        ?? milestones.first { Self.isTitle($0.title, title) }
        ?? Self.number(of: title).flatMap { number in milestones.first { $0.number == number } }
    }
  }

  package static func number(of title: String) -> Int? {
    if case .number(let number) = MilestoneChoice(title) { number } else { nil }
  }

  /// Whether a typed title matches the title of a milestone.
  package static func isTitle(_ title: String, _ typed: String) -> Bool {
    title.lowercased() == typed.lowercased()
  }

  /// The REST API's spelling, or the title. The API rejects a title unless it is a number.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .title(let title): title
    case .any: "*"
    case .absent: "none"
    }
  }
}

extension MilestoneChoice: Codable {
  private enum CodingKeys: String, CodingKey {
    case title
  }

  /// Decodes a choice: `3`, `"*"` or `"none"`, or an object with a title.
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .title(try object.decode(String.self, forKey: .title))
    } else if let number = try? decoder.singleValueContainer().decode(Int.self) {
      self = .number(number)
    } else {
      self = try decoder.decodeText { MilestoneChoice($0) }
    }
  }

  /// Encodes the choice. A title is encoded in an object, because it may look like one of the other choices.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .title(let title):
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(title, forKey: .title)
    case .number(let number):
      var container = encoder.singleValueContainer()
      try container.encode(number)
    case .any, .absent: try encoder.encodeText(self)
    }
  }
}
