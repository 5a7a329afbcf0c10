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
