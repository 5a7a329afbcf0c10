internal import HTTPTargets

/// The milestone that a filter requires.
///
/// The REST API takes its number, so a title has to be looked up in `GET /repos/{owner}/{repo}/milestones` first.
public enum MilestoneChoice: Hashable, Sendable, CustomStringConvertible {
  /// The milestone's number within its repository.
  case number(Int)
  /// A title in any case, or else the number that it spells. ``HTTPTargets/Provider/numberingMilestone(of:in:)``
  /// looks up its number for the REST API.
  case title(String)
  /// Any milestone.
  case any
  /// No milestone.
  case absent

  /// Reads a number, `*` for any or `none` for no milestone; nil for anything else.
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

  /// Reads a title or a number, `*` for any or `none` for no milestone; nil for an empty text.
  public init?(titleOrNumber text: String) {
    switch text {
    case "": return nil
    case "*": self = .any
    case "none": self = .absent
    default: self = .title(text)
    }
  }

  /// Finds the required milestone among all of a repository's; nil if there is none, and for any or no milestone.
  /// The exact title comes before one in another case, and both before a number.
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

  /// Whether a typed title matches a milestone's title.
  package static func isTitle(_ title: String, _ typed: String) -> Bool {
    title.lowercased() == typed.lowercased()
  }

  /// The REST API's spelling, or a title, which the API refuses unless it is a number.
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

  /// Encodes the choice. A title is in an object, since it may look like one of the others.
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
