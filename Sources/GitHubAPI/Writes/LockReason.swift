/// The reason for locking an issue's conversation. GitHub rejects any other reason.
public enum LockReason: String, Codable, CaseIterable, Hashable, Sendable {
  /// The conversation strayed from the topic.
  case offTopic = "off-topic"
  /// The conversation became uncivil.
  case tooHeated = "too heated"
  /// The issue is resolved.
  case resolved
  /// The conversation attracts spam.
  case spam
}
