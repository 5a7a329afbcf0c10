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
