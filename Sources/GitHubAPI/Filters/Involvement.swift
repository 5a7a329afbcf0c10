/// The relation of an issue to the token's user: the parameter `filter` of lists across repositories.
public enum Involvement: String, CaseIterable, Hashable, Sendable, Codable {
  /// Issues assigned to the user.
  case assigned
  /// Issues opened by the user.
  case created
  /// Issues that mention the user.
  case mentioned
  /// Issues that the user is subscribed to.
  case subscribed
  /// All issues that the user can see.
  case all
}
