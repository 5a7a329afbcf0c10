internal import HTTPTargets

/// The milestone of an issue, as a filter asks for it.
///
/// The REST API takes a milestone's number, not its title: a title has to be looked up among
/// `GET /repos/{owner}/{repo}/milestones` first.
public enum MilestoneChoice: Hashable, Sendable, LosslessStringConvertible {
  /// The milestone with this number.
  case number(Int)
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

  /// What the REST API takes.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .any: "*"
    case .absent: "none"
    }
  }
}
