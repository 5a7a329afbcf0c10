/// The reason for locking an issue's conversation. GitHub refuses any other.
public enum LockReason: String, Codable, CaseIterable, Hashable, Sendable {
  /// The comments have left the subject.
  case offTopic = "off-topic"
  /// The discussion got out of hand.
  case tooHeated = "too heated"
  /// Everything has been said.
  case resolved
  /// The comments are advertising.
  case spam
}
