/// Who an issue is assigned to, as a filter asks for it.
public enum Assignee: Hashable, Sendable, LosslessStringConvertible {
  /// One user, perhaps among others.
  case user(Username)
  /// Anybody.
  case anybody
  /// Nobody.
  case nobody

  /// Reads a login, `*` for anybody or `none` for nobody, or gives nil when it is none of these.
  ///
  /// A user named `none` can't be asked for.
  public init?(_ text: String) {
    switch text {
    case "*": self = .anybody
    case "none": self = .nobody
    default:
      guard let username = Username(text) else { return nil }
      self = .user(username)
    }
  }

  /// What the REST API takes.
  public var description: String {
    switch self {
    case .user(let username): username.login
    case .anybody: "*"
    case .nobody: "none"
    }
  }
}
