/// An issue's relation to the token's user: the parameter `filter` of the lists of several repositories.
public enum Involvement: String, CaseIterable, Hashable, Sendable, Codable {
  /// Assigned to the user.
  case assigned
  /// Opened by the user.
  case created
  /// Mentioning the user.
  case mentioned
  /// With updates that the user follows.
  case subscribed
  /// Everything that the user can see.
  case all
}
