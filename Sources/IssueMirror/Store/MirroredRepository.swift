#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A repository that the mirror keeps, and how fresh it is.
public struct MirroredRepository: Sendable, Hashable, Identifiable {
  /// Its key in the mirror, which no server knows.
  public var id: Int64
  /// The host of its server, such as `github.com` (``GitHubAPI/GitHubServer/host``).
  public var host: String
  /// Its id on its server, which stays when it is renamed.
  public var serverID: Int64
  /// `owner/name`, as the server spelled it last.
  public var fullName: String
  /// Up to when everything is here, by the server's clock; nil while the first sync isn't done.
  public var syncedTo: Date?
  /// Up to when all comments are here; nil where none are kept, or their first sync isn't done.
  public var commentsSyncedTo: Date?
  /// When the server was last asked and answered, by this machine's clock; nil before the first sync is done.
  public var checkedAt: Date?
  /// When the comments were last brought up to date, by this machine's clock; nil while that isn't done.
  public var commentsCheckedAt: Date?
  /// When deleted and transferred issues were last looked for, and found: when that began, by this machine's
  /// clock.
  public var verifiedAt: Date?

  /// Makes a description of a kept repository.
  public init(
    id: Int64, host: String, serverID: Int64, fullName: String, syncedTo: Date? = nil,
    commentsSyncedTo: Date? = nil, checkedAt: Date? = nil, commentsCheckedAt: Date? = nil,
    verifiedAt: Date? = nil
  ) {
    self.id = id
    self.host = host
    self.serverID = serverID
    self.fullName = fullName
    self.syncedTo = syncedTo
    self.commentsSyncedTo = commentsSyncedTo
    self.checkedAt = checkedAt
    self.commentsCheckedAt = commentsCheckedAt
    self.verifiedAt = verifiedAt
  }

  /// Whether everything was here once: what is kept since is old, but not in parts.
  public var isComplete: Bool { syncedTo != nil }

  /// When what is kept was last brought up to date, by this machine's clock; nil before the first sync is done.
  ///
  /// - Parameter withComments: Whether comments matter too, where they are kept: then it is the older time of the
  ///   two.
  /// - Returns: The time.
  public func checkedAt(withComments: Bool) -> Date? {
    guard withComments, let checkedAt, let comments = commentsCheckedAt ?? commentsSyncedTo else {
      return checkedAt
    }
    return min(checkedAt, comments)
  }
}
