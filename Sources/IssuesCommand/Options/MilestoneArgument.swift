internal import IssueTracker

/// A milestone on the command line: its title, or its number where none has that title.
enum MilestoneArgument: Hashable, Sendable {
  /// Any milestone.
  case any
  /// No milestone.
  case absent
  /// The one with this title, or with this number where none has it.
  case named(String)
  /// The one with this number, whose page somebody has the address of.
  case number(Int)

  init?(_ text: String) {
    switch text {
    case "*": self = .any
    case "none": self = .absent
    case "": return nil
    default: self = .named(text)
    }
  }

  /// Whether only a server or a mirror can say which one it is.
  var hasToBeLookedUp: Bool {
    switch self {
    case .named, .number: true
    case .any, .absent: false
    }
  }

  /// Finds it among those of a repository.
  ///
  /// GitHub compares titles without regard to case.
  func match(in milestones: [Milestone]) -> Milestone? {
    switch self {
    case .any, .absent: nil
    case .named(let text):
      milestones.first { $0.title == text }
        ?? milestones.first { $0.title.lowercased() == text.lowercased() }
        ?? Int(text).flatMap { number in milestones.first { $0.number == number } }
    case .number(let number): milestones.first { $0.number == number }
    }
  }
}
