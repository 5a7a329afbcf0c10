/// Why an issue has the state it has.
///
/// A reason that this package doesn't know is kept as the server spelled it.
public struct StateReason: RawRepresentable, Hashable, Sendable, Codable {
  /// The reason as the REST API spells it.
  public let rawValue: String

  /// Makes a reason from the REST API's spelling.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Closed because it was done.
  public static let completed = StateReason(rawValue: "completed")
  /// Closed without being done.
  public static let notPlanned = StateReason(rawValue: "not_planned")
  /// Closed because another issue says the same.
  public static let duplicate = StateReason(rawValue: "duplicate")
  /// Open again after it was closed.
  public static let reopened = StateReason(rawValue: "reopened")
}
