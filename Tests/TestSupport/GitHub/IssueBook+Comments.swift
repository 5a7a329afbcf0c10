extension IssueBook {
  /// A page of comments, each with its issue.
  struct CommentPage: Sendable {
    var comments: [(issue: SyntheticIssue, comment: SyntheticComment)]
    /// The length of the whole list.
    var total: Int
  }

  /// The comments on an issue, oldest first; empty if there is no such issue.
  func comments(on number: Int) -> [SyntheticComment] {
    issue(number).map { issue in
      comments.indices(on: issue).map { comments.comment($0, on: issue) }
    } ?? []
  }

  /// A page of the comments on all issues.
  ///
  /// - Parameters:
  ///   - pages: The page.
  ///   - sort: The order.
  ///   - isAscending: Whether the lowest comes first.
  ///   - since: Omits comments that changed before.
  /// - Returns: The page.
  mutating func comments(
    _ pages: NumberedPages, by sort: CommentBook.Sort, isAscending: Bool, since: Int?
  ) -> CommentPage {
    var order = order(sort)
    var first = 0
    if let since {
      let start = SortedPlaces.Place(key: since, number: .min)
      if sort == .updated {
        first = order.count(before: start)
      } else {
        // In any order but that of changes, the omitted ones may be anywhere.
        let changes = self.order(.updated)
        let kept = Set(changes.places[changes.count(before: start)...].map(\.number))
        order = SortedPlaces(order.places.filter { kept.contains($0.number) })
      }
    }
    let list = SortedPlaces.Window(order: order, first: first, isAscending: isAscending)
    return CommentPage(
      comments: list.places(pages.window(of: list.count)).compactMap { place in
        let name = CommentBook.Name(packed: place.number)
        return issue(name.issue).map { ($0, comments.comment(name.index, on: $0)) }
      }, total: list.count)
  }

  /// Writes a comment, which changes the issue and its count.
  ///
  /// - Returns: The comment's place; nil if there is no such issue.
  mutating func addComment(
    on number: Int, at time: Int, _ body: (inout SyntheticComment) -> Void
  ) -> Int? {
    discuss(number) { issue, comments in
      var comment = SyntheticComment(
        index: comments.nextIndex(on: issue), author: SyntheticIssues.logins[0],
        body: "A later comment", writtenAt: time)
      body(&comment)
      issue.comments += 1
      issue.updatedAt = max(issue.updatedAt, time)
      comments.write(comment, on: number)
      return comment.index
    }
  }

  /// Changes a comment, but not its issue.
  ///
  /// - Returns: Whether there is such a comment.
  mutating func changeComment(
    _ index: Int, on number: Int, _ body: (inout SyntheticComment) -> Void
  ) -> Bool {
    discuss(number) { issue, comments in
      guard comments.indices(on: issue).contains(index) else { return nil }
      var comment = comments.comment(index, on: issue)
      body(&comment)
      comments.write(comment, on: number)
      return true
    } ?? false
  }

  /// Deletes a comment. Its issue counts one less, but doesn't count as changed.
  ///
  /// - Returns: Whether there was such a comment.
  mutating func deleteComment(_ index: Int, on number: Int) -> Bool {
    discuss(number) { issue, comments in
      guard comments.indices(on: issue).contains(index) else { return nil }
      issue.comments -= 1
      comments.delete(CommentBook.Name(issue: number, index: index))
      return true
    } ?? false
  }
}
