/// The comments of a repository. They are made when they are requested, as many as each issue counts, except for those
/// that a request wrote, changed or deleted.
struct CommentBook: Sendable {
  /// The order of all comments.
  enum Sort: String, Sendable {
    case created
    case updated
  }

  /// A comment, by its issue's number and its place there.
  struct Name: Sendable, Hashable {
    var issue: Int
    var index: Int

    init(issue: Int, index: Int) {
      self.issue = issue
      self.index = index
    }

    /// Unpacks the number of a ``SortedPlaces/Place``.
    init(packed number: Int) {
      self.init(issue: number >> 20, index: number & 0xF_FFFF)
    }

    var packed: Int { issue << 20 | index }
  }

  let recipe: SyntheticIssues
  private var written: [Name: SyntheticComment] = [:]
  private var deleted: [Int: Set<Int>] = [:]

  init(_ recipe: SyntheticIssues) {
    self.recipe = recipe
  }

  /// The places of an issue's comments, oldest first.
  func indices(on issue: SyntheticIssue) -> [Int] {
    let deleted = deleted[issue.number] ?? []
    return (0..<issue.comments + deleted.count).filter { !deleted.contains($0) }
  }

  /// A comment.
  func comment(_ index: Int, on issue: SyntheticIssue) -> SyntheticComment {
    written[Name(issue: issue.number, index: index)]
      ?? SyntheticComment(index, on: issue, of: recipe)
  }

  /// The places of an issue's comments in an order.
  func places(on issue: SyntheticIssue, by sort: Sort) -> [SortedPlaces.Place] {
    indices(on: issue).map { index in
      let name = Name(issue: issue.number, index: index)
      let comment = written[name]
      // Without its text, which takes much longer to make.
      let created = comment?.createdAt ?? SyntheticComment.time(index, on: issue)
      return SortedPlaces.Place(
        key: sort == .created ? created : comment?.updatedAt ?? created, number: name.packed)
    }
  }

  /// Writes a comment, or replaces one.
  mutating func write(_ comment: SyntheticComment, on issue: Int) {
    written[Name(issue: issue, index: comment.index)] = comment
  }

  /// Deletes a comment. The caller lowers the issue's count.
  mutating func delete(_ name: Name) {
    written[name] = nil
    deleted[name.issue, default: []].insert(name.index)
  }

  /// The place of an issue's next comment.
  func nextIndex(on issue: SyntheticIssue) -> Int {
    issue.comments + (deleted[issue.number]?.count ?? 0)
  }
}
