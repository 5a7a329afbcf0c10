/// A made-up comment.
public struct SyntheticComment: Sendable, Equatable {
  /// Its place among all comments ever written on its issue, from 0.
  public internal(set) var index: Int
  /// The author's login.
  public var author: String
  /// The text.
  public var body: String
  /// The time of writing, in seconds since 1970.
  public var createdAt: Int
  /// The time of the last change, in seconds since 1970.
  public var updatedAt: Int
  /// The reactions added by requests.
  public var reactions: [SyntheticReaction] = []
  /// Whether a request wrote it. Such a comment has no reactions but ``reactions``.
  public var isWritten = false

  /// Makes an unchanged comment.
  init(index: Int, author: String, body: String, writtenAt time: Int) {
    self.index = index
    self.author = author
    self.body = body
    createdAt = time
    updatedAt = time
  }

  /// The generated comment at a place of an issue.
  ///
  /// - Parameters:
  ///   - index: The place.
  ///   - issue: The issue.
  ///   - recipe: The issue's recipe.
  init(_ index: Int, on issue: SyntheticIssue, of recipe: SyntheticIssues) {
    let logins = SyntheticIssues.logins
    self.index = index
    if recipe.isHostile {
      author = HostileText.sample(index + 1)
      body = HostileText.document(index)
    } else {
      author = logins[(issue.number + index) % logins.count]
      // The original title: a comment doesn't change with it.
      let title = recipe.outline(issue.number - 1).title
      body =
        "Comment \(index + 1): I see this too.\n\n> \(title)\n\nWith `-Onone` it's gone. :tada:"
      if recipe.hasProse { body += "\n\n" + SyntheticProse.text(issue.number &* 4099 &+ index) }
    }
    createdAt = Self.time(index, on: issue)
    updatedAt = createdAt
  }

  /// When the made-up comment at a place was written: a minute after the one before.
  static func time(_ index: Int, on issue: SyntheticIssue) -> Int {
    issue.createdAt + (index + 1) * 60
  }
}

extension SyntheticIssues {
  /// The generated comments of an issue of the recipe, before any write.
  public func comments(on issue: SyntheticIssue) -> [SyntheticComment] {
    (0..<issue.comments).map { SyntheticComment($0, on: issue, of: self) }
  }
}
