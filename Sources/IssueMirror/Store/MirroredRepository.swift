#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A repository in the mirror, and its age.
public struct MirroredRepository: Sendable, Hashable, Identifiable {
  /// An opaque token of the store. Other stores and servers don't know it.
  public var id: Int64
  /// The host of its server, such as `github.com` (``GitHubAPI/GitHubServer/host``).
  public var host: String
  /// The id on the server, which survives a renaming.
  public var serverID: Int64
  /// `owner/name`, as the server last spelled it.
  public var fullName: String
  /// Up to when everything is here, by the server's clock; nil before the end of the first sync.
  public var syncedTo: Date?
  /// Up to when all comments are here, by the server's clock; nil before the end of their first sync.
  public var commentsSyncedTo: Date?
  /// When the server last answered a sync, by this machine's clock; nil before the end of the first sync.
  public var checkedAt: Date?
  /// When the comments were last brought up to date, by this machine's clock; nil before the end of their first sync.
  public var commentsCheckedAt: Date?
  /// When the last complete search for deleted and transferred issues began, by this machine's clock.
  public var verifiedAt: Date?

  /// Describes a mirrored repository.
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

  /// When the mirror was last brought up to date, by this machine's clock; nil before the end of the first sync.
  ///
  /// - Parameter withComments: Whether to include comments, if they are kept. Then the earlier time counts.
  /// - Returns: The time.
  public func checkedAt(withComments: Bool) -> Date? {
    guard withComments, let checkedAt, let comments = commentsCheckedAt ?? commentsSyncedTo else {
      return checkedAt
    }
    return min(checkedAt, comments)
  }
}

/// The numbers of a repository's issues, pull requests and comments in the mirror.
public struct MirrorCounts: Sendable, Hashable {
  /// Open issues without pull requests.
  public var open = 0
  /// Closed issues without pull requests.
  public var closed = 0
  /// Open and closed pull requests.
  public var pullRequests = 0
  /// Open pull requests.
  public var openPullRequests = 0
  /// Comments.
  public var comments = 0
  /// Issues known to be deleted or transferred.
  public var tombstones = 0

  /// Makes a count.
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

/// An issue that its repository no longer has.
public struct Tombstone: Sendable, Hashable {
  /// What happened to an issue.
  public enum Fate: Sendable, Hashable {
    /// It was deleted (404 or 410).
    case deleted
    /// It was transferred to this address (301): `owner/name#12`.
    case transferred(to: String)
  }

  /// The number of the issue.
  public var number: Int
  /// Its last known title.
  public var title: String
  /// What happened to it.
  public var fate: Fate
  /// When this was noticed, by this machine's clock.
  public var foundAt: Date

  /// Makes a tombstone.
  public init(number: Int, title: String, fate: Fate, foundAt: Date) {
    self.number = number
    self.title = title
    self.fate = fate
    self.foundAt = foundAt
  }
}

/// An issue, a pull request or a comment that isn't kept because it can't be read.
public struct SetAsideEntry: Sendable, Hashable {
  /// Its number; for a comment, that of its issue.
  public var number: Int
  /// The id of the comment; nil for an issue or a pull request.
  public var commentID: Int64?
  /// Why it can't be read.
  public var reason: String

  /// Makes an entry.
  public init(number: Int, commentID: Int64? = nil, reason: String) {
    self.number = number
    self.commentID = commentID
    self.reason = reason
  }
}

extension Date {
  /// Reads a column of seconds since 1970, or null.
  init?(seconds: Int?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }

  /// Whole seconds since 1970, rounded down.
  var seconds: Int { Int(timeIntervalSince1970.rounded(.down)) }
}
