internal import HTTPTargets

/// The assignee that a filter requires.
public enum Assignee: Hashable, Sendable, LosslessStringConvertible {
  /// This user, possibly among others.
  case user(Username)
  /// Any assignee.
  case anybody
  /// No assignee.
  case nobody

  /// Parses a login, `*` for any assignee, or `none` for no assignee; nil for other text. A filter can't require a user
  /// named `none`.
  public init?(_ text: String) {
    switch text {
    case "*": self = .anybody
    case "none": self = .nobody
    default:
      guard let username = Username(text) else { return nil }
      self = .user(username)
    }
  }

  /// The REST API's spelling.
  public var description: String {
    switch self {
    case .user(let username): username.login
    case .anybody: "*"
    case .nobody: "none"
    }
  }
}

extension Assignee: Codable {
  /// Decodes an assignee from its text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { Assignee($0) }
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}
