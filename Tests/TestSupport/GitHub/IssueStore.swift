#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The issues of one repository with their comments, the orders they were asked for in, and the pages
/// that were made of them.
///
/// An issue that nobody changed is made anew whenever it is asked for, so that a hundred thousand of them
/// take no memory. An order is made when it is first asked for, and then kept up with every change. The
/// pages that were sent last are kept, so that a benchmark measures its client and not this server.
final class IssueStore: Sendable {
  /// A page of issues.
  struct Page: Sendable {
    var issues: [SyntheticIssue]
    var next: IssueQuery.Cursor?
    var previous: IssueQuery.Cursor?
    /// How many items the whole list has.
    var total: Int
    /// Is another one whenever anything on the page is.
    var content: UInt64
  }

  /// A page of comments, each with its issue.
  struct CommentPage: Sendable {
    var comments: [(issue: SyntheticIssue, comment: SyntheticComment)]
    /// How many the whole list has.
    var total: Int
  }

  /// What became of an issue that isn't there any more.
  enum Fate: Sendable {
    case deleted
    case transferred(to: LoopbackRepository, number: Int)
  }

  private struct State: Sendable {
    /// How many issues there ever were.
    var count: Int
    /// By their numbers, those that aren't as the recipe has them.
    var changed: [Int: SyntheticIssue] = [:]
    /// By their numbers, those that aren't there any more.
    var fates: [Int: Fate] = [:]
    var comments: CommentBook
    /// Counted up with every change.
    var version = 0
    /// By their numbers, the versions of those that were changed.
    var versions: [Int: Int] = [:]
    var orders: [String: (query: IssueQuery, order: SortedPlaces)] = [:]
    var commentOrders: [CommentBook.Sort: SortedPlaces] = [:]
    var bodies: [String: Data] = [:]
    var bodySize = 0
  }

  /// How many orders are kept at most, each of some megabytes.
  private static let mostOrders = 64
  /// How many bytes of pages are kept at most.
  private static let mostBytes = 256_000_000

  private let recipe: SyntheticIssues
  private let state: Watched<State>

  init(_ recipe: SyntheticIssues) {
    self.recipe = recipe
    state = Watched(State(count: max(recipe.count, 0), comments: CommentBook(recipe)))
  }

  // MARK: Reading

  /// All issues that are there, by ascending number.
  var issues: [SyntheticIssue] {
    state.read { state in (1..<state.count + 1).compactMap { issue($0, state) } }
  }

  /// How many issues there ever were: the highest number.
  var count: Int { state.read { $0.count } }

  /// How many issues and pull requests are open.
  var openCount: Int { page(IssueQuery()).total }

  /// The issue with a number; nil where there is none, or none any more.
  func issue(_ number: Int) -> SyntheticIssue? { state.read { issue(number, $0) } }

  /// What became of an issue that isn't there any more.
  func fate(of number: Int) -> Fate? { state.read { $0.fates[number] } }

  /// A page of issues.
  func page(_ query: IssueQuery) -> Page {
    state.update { state in
      let page = query.page(of: order(query, &state))
      var content = StableHash.of("")
      for number in page.numbers {
        content = StableHash.adding(number, to: content)
        content = StableHash.adding(state.versions[number] ?? 0, to: content)
      }
      return Page(
        issues: page.numbers.compactMap { issue($0, state) }, next: page.next,
        previous: page.previous, total: page.total, content: content)
    }
  }

  /// A page as it goes out, made when it isn't there yet.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - form: What tells pages of the same issues apart.
  ///   - render: Makes the JSON of an issue.
  func body(
    of page: Page, form: String, render: (SyntheticIssue) -> String
  ) -> Data {
    let key = "\(page.content)|\(form)"
    if let known = state.read({ $0.bodies[key] }) { return known }
    let body = Data(JSONText.array(page.issues.map(render)).utf8)
    state.update { state in
      if state.bodySize + body.count > Self.mostBytes { (state.bodies, state.bodySize) = ([:], 0) }
      state.bodySize += body.count
      state.bodies[key] = body
    }
    return body
  }

  // MARK: Comments

  /// The comments on an issue, the oldest first; nil where there is no such issue.
  func comments(on number: Int) -> [SyntheticComment]? {
    state.read { state in
      issue(number, state).map { issue in
        state.comments.indices(on: issue).map { state.comments.comment($0, on: issue) }
      }
    }
  }

  /// A page of the comments on all issues.
  ///
  /// - Parameters:
  ///   - pages: Which page.
  ///   - sort: What they are ordered by.
  ///   - isAscending: Whether the lowest comes first.
  ///   - since: Leaves out what changed before.
  func comments(
    _ pages: NumberedPages, by sort: CommentBook.Sort, isAscending: Bool, since: Int?
  ) -> CommentPage {
    state.update { state in
      // By another order than that of the changes, those that are left out are anywhere in it.
      var order = commentOrder(sort, &state)
      if sort != .updated, let since {
        let wanted = commentOrder(.updated, &state).places.filter { $0.key >= since }
        let numbers = Set(wanted.map(\.number))
        order = SortedPlaces(order.places.filter { numbers.contains($0.number) })
      }
      var list = SortedPlaces.Window(order: order, isAscending: isAscending)
      if sort == .updated, let since {
        list.first = order.count(before: SortedPlaces.Place(key: since, number: .min))
      }
      let places = list.places(pages.window(of: list.count))
      return CommentPage(
        comments: places.compactMap { place in
          let name = CommentBook.Name(packed: place.number)
          return issue(name.issue, state).map {
            ($0, state.comments.comment(name.index, on: $0))
          }
        }, total: list.count)
    }
  }

  /// Writes a comment: its issue counts one more, and has changed then.
  ///
  /// - Returns: Its place; nil where there is no such issue.
  func addComment(
    on number: Int, at time: Int, _ body: (inout SyntheticComment) -> Void
  ) -> Int? {
    edit(number) { state in
      guard var issue = issue(number, state) else { return nil }
      var comment = SyntheticComment(
        index: state.comments.nextIndex(on: issue), author: SyntheticIssues.logins[0],
        body: "A later comment", writtenAt: time)
      body(&comment)
      issue.comments += 1
      issue.updatedAt = max(issue.updatedAt, time)
      state.changed[number] = issue
      state.comments.write(comment, on: number)
      return comment.index
    }
  }

  /// Changes a comment. Its issue doesn't change with it.
  ///
  /// - Returns: Whether there is such a comment.
  func changeComment(
    _ index: Int, on number: Int, _ body: (inout SyntheticComment) -> Void
  ) -> Bool {
    edit(number) { state in
      guard let issue = issue(number, state), state.comments.indices(on: issue).contains(index)
      else { return false }
      var comment = state.comments.comment(index, on: issue)
      body(&comment)
      state.comments.write(comment, on: number)
      return true
    }
  }

  /// Deletes a comment: its issue counts one less, and hasn't changed for all that.
  ///
  /// - Returns: Whether there was such a comment.
  func deleteComment(_ index: Int, on number: Int) -> Bool {
    edit(number) { state in
      guard var issue = issue(number, state), state.comments.indices(on: issue).contains(index)
      else { return false }
      issue.comments -= 1
      state.changed[number] = issue
      state.comments.delete(CommentBook.Name(issue: number, index: index))
      return true
    }
  }

  // MARK: Changing

  /// Takes an issue away, where there is one.
  func remove(_ number: Int, _ fate: Fate) {
    edit(number) { state in
      if issue(number, state) != nil { state.fates[number] = fate }
    }
  }

  /// Changes an issue.
  func change(_ number: Int, _ body: (inout SyntheticIssue) -> Void) {
    edit(number) { state in
      guard var issue = issue(number, state) else { return }
      body(&issue)
      state.changed[number] = issue
    }
  }

  /// Adds an issue with the next number.
  ///
  /// - Returns: Its number.
  func add(_ body: (inout SyntheticIssue) -> Void) -> Int {
    state.update { state in
      let number = state.count + 1
      var issue = SyntheticIssue(
        number: number, title: "A later issue", body: nil, isPullRequest: false,
        author: SyntheticIssues.logins[0], labels: [], assignees: [], mentions: [], comments: 0,
        createdAt: recipe.newest + number - 1, updatedAt: recipe.newest + number - 1)
      body(&issue)
      issue.number = number
      edit(number, &state) { state in
        state.count = number
        state.changed[number] = issue
      }
      return number
    }
  }

  private func edit<Result>(_ number: Int, _ body: (inout State) -> Result) -> Result {
    state.update { edit(number, &$0, body) }
  }

  /// Changes what concerns one issue, and every order that it is in.
  private func edit<Result>(
    _ number: Int, _ state: inout State, _ body: (inout State) -> Result
  ) -> Result {
    let before = issue(number, state)
    let placesBefore = commentPlaces(before, state)
    let result = body(&state)
    let after = issue(number, state)
    // By their keys: who goes over the orders themselves has a copy of each.
    for key in Array(state.orders.keys) {
      let query = state.orders[key]?.query
      let (old, new) = (
        before.flatMap { query?.place(of: $0) }, after.flatMap { query?.place(of: $0) }
      )
      guard old != new else { continue }
      if let old { state.orders[key]?.order.remove(old) }
      if let new { state.orders[key]?.order.insert(new) }
    }
    for (sort, places) in commentPlaces(after, state) {
      let old = placesBefore[sort] ?? []
      for place in old.subtracting(places) { state.commentOrders[sort]?.remove(place) }
      for place in places.subtracting(old) { state.commentOrders[sort]?.insert(place) }
    }
    if before != after {
      state.version += 1
      state.versions[number] = state.version
    }
    return result
  }

  private func commentPlaces(
    _ issue: SyntheticIssue?, _ state: State
  ) -> [CommentBook.Sort: Set<SortedPlaces.Place>] {
    Dictionary(
      uniqueKeysWithValues: state.commentOrders.keys.map { sort in
        (sort, Set(issue.map { state.comments.places(on: $0, by: sort) } ?? []))
      })
  }

  private func issue(_ number: Int, _ state: State) -> SyntheticIssue? {
    guard number >= 1, number <= state.count, state.fates[number] == nil else { return nil }
    return state.changed[number] ?? recipe.issue(number - 1)
  }

  private func order(_ query: IssueQuery, _ state: inout State) -> SortedPlaces {
    let key = query.orderKey
    if let known = state.orders[key] { return known.order }
    let places = (0..<state.count).compactMap { issue($0 + 1, state).flatMap(query.place(of:)) }
    if state.orders.count >= Self.mostOrders { state.orders = [:] }
    let order = SortedPlaces(places)
    state.orders[key] = (query, order)
    return order
  }

  private func commentOrder(
    _ sort: CommentBook.Sort, _ state: inout State
  ) -> SortedPlaces {
    if let known = state.commentOrders[sort] { return known }
    let places = (0..<state.count).flatMap { index in
      issue(index + 1, state).map { state.comments.places(on: $0, by: sort) } ?? []
    }
    let order = SortedPlaces(places)
    state.commentOrders[sort] = order
    return order
  }
}
