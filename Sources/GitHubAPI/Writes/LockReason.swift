/// The reason for locking an issue's conversation. GitHub rejects any other reason.
public enum LockReason: String, Codable, CaseIterable, Hashable, Sendable {
  case offTopic = "off-topic"
  case tooHeated = "too heated"
  case resolved
  case spam
}
