/// A comment that nobody wrote.
public struct SyntheticComment: Sendable, Equatable {
  /// Its place among all that were ever written on its issue, from 0.
  public internal(set) var index: Int
  /// Who wrote it.
  public var author: String
  /// The text.
  public var body: String
  /// When it was written, in seconds since 1970.
  public var createdAt: Int
  /// When it was changed last, in seconds since 1970.
  public var updatedAt: Int
  /// The reactions that came by requests.
  public var reactions: [SyntheticReaction] = []
  /// Whether it came by a request: such a comment has no reactions but ``reactions``.
  public var isWritten = false

  /// Makes a comment that is the same when it was written as after.
  init(index: Int, author: String, body: String, writtenAt time: Int) {
    self.index = index
    self.author = author
    self.body = body
    createdAt = time
    updatedAt = time
  }

  /// The one that an issue has at a place unless somebody wrote another.
  ///
  /// - Parameters:
  ///   - index: Its place.
  ///   - issue: The issue.
  ///   - recipe: What the issue was made by.
  init(_ index: Int, on issue: SyntheticIssue, of recipe: SyntheticIssues) {
    let logins = SyntheticIssues.logins
    self.index = index
    if recipe.isHostile {
      author = HostileText.sample(index + 1)
      body = HostileText.document(index)
    } else {
      author = logins[(issue.number + index) % logins.count]
      // What the title was at first: a comment doesn't change with it.
      let title = recipe.outline(issue.number - 1).title
      body =
        "Comment \(index + 1): I see this too.\n\n> \(title)\n\nWith `-Onone` it's gone. :tada:"
      if recipe.hasProse { body += "\n\n" + SyntheticProse.text(issue.number &* 4099 &+ index) }
    }
    createdAt = Self.time(index, on: issue)
    updatedAt = createdAt
  }

  /// When the comment at a place was written, unless somebody wrote another: a minute after the one before.
  static func time(_ index: Int, on issue: SyntheticIssue) -> Int {
    issue.createdAt + (index + 1) * 60
  }
}

extension SyntheticIssues {
  /// The comments that an issue of the recipe has unless somebody writes, changes or deletes one.
  public func comments(on issue: SyntheticIssue) -> [SyntheticComment] {
    (0..<issue.comments).map { SyntheticComment($0, on: issue, of: self) }
  }
}
