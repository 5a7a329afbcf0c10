internal import HTTPTargets

/// The milestone of an issue, as a filter asks for it.
///
/// The REST API takes a milestone's number, not its title: a title has to be looked up among
/// `GET /repos/{owner}/{repo}/milestones` first.
public enum MilestoneChoice: Hashable, Sendable, LosslessStringConvertible {
  /// The milestone with this number.
  case number(Int)
  /// The milestone with this title, in whatever case; or, where none has it and it is a number, the one with this
  /// number. The REST API has to be asked by a number:
  /// ``HTTPTargets/Provider/numberingMilestone(of:in:)`` looks it up.
  case title(String)
  /// Any milestone.
  case any
  /// No milestone.
  case absent

  /// Reads a number, `*` for any or `none` for no milestone, or gives nil when it is none of these.
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

  /// Reads what a person calls a milestone: its title or its number, `*` for any or `none` for no milestone. Gives
  /// nil for an empty text.
  public init?(titleOrNumber text: String) {
    switch text {
    case "": return nil
    case "*": self = .any
    case "none": self = .absent
    default: self = .title(text)
    }
  }

  /// Finds the one that is meant among all of a repository's; nil where it has none, and where any or none is meant.
  ///
  /// A title in just these letters comes before one in others, and both before a number.
  public func match(in milestones: [Milestone]) -> Milestone? {
    switch self {
    case .any, .absent: nil
    case .number(let number): milestones.first { $0.number == number }
    case .title(let title):
      milestones.first { $0.title == title }
        ?? milestones.first { Self.isTitle($0.title, title) }
        ?? Self.number(of: title).flatMap { number in milestones.first { $0.number == number } }
    }
  }

  /// The number that a title is where no milestone has it; nil if it isn't a number.
  package static func number(of title: String) -> Int? {
    if case .number(let number) = MilestoneChoice(title) { number } else { nil }
  }

  /// Whether two titles are the same to somebody who types one of them.
  package static func isTitle(_ title: String, _ typed: String) -> Bool {
    title.lowercased() == typed.lowercased()
  }

  /// What the REST API takes; of a title that wasn't looked up, the title, which it refuses unless that is a number.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .title(let title): title
    case .any: "*"
    case .absent: "none"
    }
  }
}
