/// A notification of every token's owner.
public struct SyntheticNotification: Sendable {
  /// Its thread.
  public var id: Int
  /// The `OWNER/NAME` of its repository.
  public var repository: String
  /// The kind of its subject.
  public var kind: String
  /// The number of the issue or pull request.
  public var number: Int
  /// The title.
  public var title: String
  /// The reason of the notification.
  public var reason: String
  /// The last event, in seconds since 1970.
  public var updatedAt: Int
  /// Whether the owner has read it.
  public var isRead: Bool
  /// Whether the owner has marked it as done. Such a thread is in no list, and every request about it gets a 404.
  public var isDone = false
  /// Whether the owner has muted it.
  public var isIgnored = false
  /// Whether the owner is subscribed to it.
  public var isSubscribed = true
  /// The number of the request that marked it as read or done.
  var changed: Int?

  /// Creates a notification.
  public init(
    id: Int, repository: String = "swiftlang/swift", kind: String = "Issue", number: Int,
    title: String = "It crashes", reason: String = "mention", updatedAt: Int = 1_700_000_000,
    isRead: Bool = false
  ) {
    self.id = id
    self.repository = repository
    self.kind = kind
    self.number = number
    self.title = title
    self.reason = reason
    self.updatedAt = updatedAt
    self.isRead = isRead
  }
}
