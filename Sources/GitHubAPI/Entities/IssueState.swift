/// Whether an issue or a milestone is open.
///
/// A state that this package doesn't know is kept as the server spelled it.
public struct IssueState: RawRepresentable, Hashable, Sendable, Codable {
  /// The state as the REST API spells it.
  public let rawValue: String

  /// Makes a state from the REST API's spelling.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Work is left to do.
  public static let open = IssueState(rawValue: "open")
  /// Nothing is left to do; see ``Issue/stateReason``.
  public static let closed = IssueState(rawValue: "closed")
}
