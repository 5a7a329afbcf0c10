#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A repository that the mirror keeps, and how fresh it is.
public struct MirroredRepository: Sendable, Hashable, Identifiable {
  /// An opaque token of its store, which tells it from the store's other repositories. No server knows it, and another
  /// store gives another one.
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
  /// When the last search for deleted and transferred issues that came to its end began, by this machine's clock.
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

  /// Whether the first sync is done.
  public var isComplete: Bool { syncedTo != nil }

  /// When the mirror of it was last brought up to date, by this machine's clock; nil before the first sync is done.
  ///
  /// - Parameter withComments: Whether comments matter, too, where they are kept: then the older time counts.
  /// - Returns: The time.
  public func checkedAt(withComments: Bool) -> Date? {
    guard withComments, let checkedAt, let comments = commentsCheckedAt ?? commentsSyncedTo else {
      return checkedAt
    }
    return min(checkedAt, comments)
  }
}

/// How much is kept of a repository.
public struct MirrorCounts: Sendable, Hashable {
  /// Open issues; pull requests aren't counted.
  public var open = 0
  /// Closed issues.
  public var closed = 0
  /// Pull requests, open and closed.
  public var pullRequests = 0
  /// Open pull requests.
  public var openPullRequests = 0
  /// Comments.
  public var comments = 0
  /// Issues that are known to be deleted or transferred.
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

/// An issue that its repository doesn't have any more.
public struct Tombstone: Sendable, Hashable {
  /// What became of it.
  public enum Fate: Sendable, Hashable {
    /// It was deleted (404 or 410).
    case deleted
    /// It was transferred, to the issue of this address (301): `owner/name#12`.
    case transferred(to: String)
  }

  /// The number that it had.
  public var number: Int
  /// Its last known title.
  public var title: String
  /// What became of it.
  public var fate: Fate
  /// When that was found out, by this machine's clock.
  public var foundAt: Date

  /// Makes a tombstone.
  public init(number: Int, title: String, fate: Fate, foundAt: Date) {
    self.number = number
    self.title = title
    self.fate = fate
    self.foundAt = foundAt
  }
}

/// An issue, a pull request or a comment that couldn't be read, and isn't kept for that.
public struct SetAsideEntry: Sendable, Hashable {
  /// Its number; of a comment, that of its issue.
  public var number: Int
  /// The id of the comment; nil for an issue or a pull request.
  public var commentID: Int64?
  /// Why it couldn't be read.
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
