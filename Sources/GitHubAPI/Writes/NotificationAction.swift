extension GitHub {
  /// An action on a thread of notifications (<https://docs.github.com/en/rest/activity/notifications>).
  public enum NotificationAction: String, Hashable, Sendable, Codable, CaseIterable {
    /// Marks the thread as read. It stays in the inbox.
    case read
    /// Marks the thread as done, and so removes it from the inbox.
    case done
    /// Mutes the thread: no event of it notifies the user.
    case mute
    /// Unsubscribes the user: only a mention, or a comment by the user, brings notifications again.
    case unsubscribe
  }
}
