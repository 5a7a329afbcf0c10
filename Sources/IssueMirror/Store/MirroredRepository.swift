public import PlatformModules

/// A repository in the mirror, with the times of its syncs.
public struct MirroredRepository: Sendable, Hashable, Identifiable {
  /// An opaque token of the store; other stores and servers don't know it.
  public var id: Int64
  /// The server's host, such as `github.com` (``/GitHubAPI/GitHubServer/host``).
  public var host: String
  /// The id on the server, which doesn't change when the repository is renamed.
  public var serverID: Int64
  /// `owner/name`, as the server last spelled it.
  public var fullName: String
  /// The mirror is complete up to this time of the server's clock; nil before the first sync ends.
  public var syncedTo: Date?
  /// The mirror has all comments up to this time of the server's clock; nil before their first sync ends.
  public var commentsSyncedTo: Date?
  /// When the server last responded to a sync, by the local clock; nil before the first sync ends.
  public var checkedAt: Date?
  /// When the comments were last brought up to date, by the local clock; nil before their first sync ends.
  public var commentsCheckedAt: Date?
  /// When the last complete search for deleted and transferred issues began, by the local clock.
  public var verifiedAt: Date?
  /// When the timelines of all issues were last brought up to date, by the local clock; nil before their first sync
  /// ends.
  public var timelinesCheckedAt: Date?
  /// When the server was last found to lack timelines, by the local clock.
  public var lacksTimelinesSince: Date?

  /// Creates a description of a mirrored repository.
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

  /// Whether the first sync is complete.
  public var isComplete: Bool { syncedTo != nil }

  /// When the mirror was last brought up to date, by the local clock; nil before the first sync ends.
  ///
  /// - Parameter withComments: Whether to include comments, if they are mirrored. Then the earlier of the two times is
  ///   returned.
  /// - Returns: The time.
  public func checkedAt(withComments: Bool) -> Date? {
    guard withComments, let checkedAt, let comments = commentsCheckedAt ?? commentsSyncedTo else {
      return checkedAt
    }
    return min(checkedAt, comments)
  }
}

/// The numbers of issues, pull requests and comments in the mirror.
public struct MirrorCounts: Sendable, Hashable {
  /// Open issues, without pull requests.
  public var open = 0
  /// Closed issues, without pull requests.
  public var closed = 0
  /// Open and closed pull requests.
  public var pullRequests = 0
  /// Open pull requests.
  public var openPullRequests = 0
  /// Comments.
  public var comments = 0
  /// Issues known to be deleted or transferred.
  public var tombstones = 0

  /// Creates counts.
  public init(
    open: Int = 0, closed: Int = 0, pullRequests: Int = 0, openPullRequests: Int = 0,
    comments: Int = 0, tombstones: Int = 0
  ) {
    self.open = open
    self.closed = closed
    self.pullRequests = pullRequests
    self.openPullRequests = openPullRequests
    self.comments = comments
    self.tombstones = tombstones
  }
}

/// An issue that is no longer in its repository.
public struct Tombstone: Sendable, Hashable, Identifiable {
  /// The fate of an issue.
  public enum Fate: Sendable, Hashable {
    /// The issue was deleted (404 or 410).
    case deleted
    /// The issue was transferred to this place (301): `owner/name#12`.
    case transferred(to: String)
  }

  /// The number of the issue.
  public var number: Int
  /// Its last known title.
  public var title: String
  /// The fate of the issue.
  public var fate: Fate
  /// When the sync noticed it, by the local clock.
  public var foundAt: Date

  /// Creates a tombstone.
  public init(number: Int, title: String, fate: Fate, foundAt: Date) {
    self.number = number
    self.title = title
    self.fate = fate
    self.foundAt = foundAt
  }

  /// The number, which is never reused in the repository.
  public var id: Int { number }
}

/// An issue, a pull request or a comment that the mirror omits because it can't be read.
public struct SetAsideEntry: Sendable, Hashable {
  /// The number; for a comment, the number of its issue. 0 if the number is missing or invalid.
  public var number: Int
  /// The id of the comment; nil for an issue or a pull request.
  public var commentID: Int64?
  /// The reason for the failure.
  public var reason: String

  /// Creates an entry.
  public init(number: Int, commentID: Int64? = nil, reason: String) {
    self.number = number
    self.commentID = commentID
    self.reason = reason
  }

  /// `#12`, `comment 7 on #12`, or `an issue without a number`.
  package var name: String {
    guard let commentID else { return number > 0 ? "#\(number)" : "an issue without a number" }
    guard commentID > 0 else { return "a comment without an id" }
    return "comment \(commentID)" + (number > 0 ? " on #\(number)" : "")
  }
}

extension Date {
  package init?(seconds: Int?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }

  /// The seconds since 1970, rounded down.
  package var seconds: Int { Int(timeIntervalSince1970.rounded(.down)) }
}
