/// The issues of one repository with their comments, in the orders requested so far.
///
/// An unchanged issue is made whenever it is requested, so that a hundred thousand of them take no memory. An order is
/// made at its first request, and then follows every change.
struct IssueBook: Sendable {
  /// A page of issues.
  struct Page: Sendable {
    var issues: [SyntheticIssue]
    var next: IssueQuery.Cursor?
    var previous: IssueQuery.Cursor?
    /// The length of the whole list.
    var total: Int
    /// Differs whenever anything on the page differs.
    var content: UInt64
  }

  /// The reason why an issue is gone.
  enum Fate: Sendable {
    case deleted
    case transferred(to: LoopbackRepository, number: Int)
  }

  /// The most orders to keep. Each takes some megabytes.
  private static let mostOrders = 64

  private let recipe: SyntheticIssues
  /// The number of issues ever made, which is the highest number.
  private(set) var count: Int
  /// The issues that differ from the recipe, by number.
  private var changed: [Int: SyntheticIssue] = [:]
  /// The fates of absent issues, by number.
  private(set) var fates: [Int: Fate] = [:]
  /// Raised by every change.
  private var version = 0
  /// The versions of changed issues, by number.
  private var versions: [Int: Int] = [:]
  private var orders: [String: (query: IssueQuery, order: SortedPlaces)] = [:]
  private(set) var comments: CommentBook
  /// Labels added by requests.
  private var addedLabels: [SyntheticIssue.Label] = []
  /// Changed labels, by id; nil for deleted ones.
  private var changedLabels: [Int: SyntheticIssue.Label?] = [:]
  /// The milestones, by number.
  private var milestonesByNumber: [Int: SyntheticMilestone]
  private var lastMilestone = SyntheticIssues.milestones.count
  private var lastReaction = 158_437_733
  /// Raised by every change of a label or a milestone.
  private var propertyVersion = 0
  private var commentOrders: [CommentBook.Sort: SortedPlaces] = [:]
  /// The number of the request that brings the changes.
  var request = 0
  private var keepsHistory: Bool
  /// The issues before each change.
  private var history: [(request: Int, number: Int, issue: SyntheticIssue?)] = []

  /// Creates the issues of a recipe.
  ///
  /// - Parameters:
  ///   - recipe: The recipe.
  ///   - keepsHistory: Whether ``before(_:)`` will be called.
  init(_ recipe: SyntheticIssues, keepsHistory: Bool = false) {
    self.recipe = recipe
    self.keepsHistory = keepsHistory
    count = max(recipe.count, 0)
    comments = CommentBook(recipe)
    milestonesByNumber = Dictionary(
      uniqueKeysWithValues: SyntheticIssues.milestones.enumerated().map { index, title in
        (index + 1, SyntheticMilestone(index + 1, title: title))
      })
  }

  // MARK: Reading

  /// All issues that exist, by ascending number.
  var issues: [SyntheticIssue] { (1..<count + 1).compactMap(issue) }

  /// The issue with a number; nil if it doesn't exist, or no longer does.
  func issue(_ number: Int) -> SyntheticIssue? { issue(number, recipe.issue) }

  private func issue(
    _ number: Int, _ make: (Int) -> SyntheticIssue
  ) -> SyntheticIssue? {
    guard number >= 1, number <= count, fates[number] == nil else { return nil }
    var issue = changed[number] ?? make(number - 1)
    guard propertyVersion > 0 else { return issue }
    issue.labels = issue.labels.compactMap { changedLabels[$0.id] ?? $0 }
    issue.milestone = issue.milestone.flatMap { milestonesByNumber[$0]?.number }
    return issue
  }

  /// The milestones, by ascending number.
  var milestones: [SyntheticMilestone] {
    milestonesByNumber.keys.sorted().compactMap(milestone)
  }

  /// The milestone with a number; nil if there is none.
  func milestone(_ number: Int) -> SyntheticMilestone? {
    guard var milestone = milestonesByNumber[number] else { return nil }
    if milestone.isWritten {
      // Unchanged issues don't have it.
      let issues = changed.keys.compactMap(issue).filter { $0.milestone == number }
      milestone.openIssues = issues.filter(\.isOpen).count
      milestone.closedIssues = issues.count - milestone.openIssues
    }
    return milestone
  }

  /// The label with a name, in any case.
  func label(_ name: String) -> SyntheticIssue.Label? {
    let name = name.lowercased()
    return labels.first { $0.name.lowercased() == name }
  }

  /// The sorted numbers of the issues that differ from the recipe.
  var changedNumbers: [Int] { changed.keys.sorted() }

  /// The labels of the repository and its issues, by name.
  var labels: [SyntheticIssue.Label] {
    var labels: [Int: SyntheticIssue.Label] = [:]
    let used =
      recipe.isHostile
      ? issues.flatMap(\.labels) : changed.keys.sorted().flatMap { issue($0)?.labels ?? [] }
    for label in SyntheticIssues.labels + addedLabels + used where labels[label.id] == nil {
      labels[label.id] = changedLabels[label.id] ?? label
    }
    return labels.values.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  /// A page of issues.
  mutating func page(_ query: IssueQuery) -> Page {
    let page = query.page(of: order(query))
    var content = StableHash.adding(propertyVersion, to: StableHash.of(""))
    for number in page.numbers {
      content = StableHash.adding(number, to: content)
      content = StableHash.adding(versions[number] ?? 0, to: content)
    }
    return Page(
      issues: page.numbers.compactMap(issue), next: page.next, previous: page.previous,
      total: page.total, content: content)
  }

  private mutating func order(_ query: IssueQuery) -> SortedPlaces {
    let key = query.orderKey
    if let known = orders[key] { return known.order }
    if orders.count >= Self.mostOrders { orders = [:] }
    // Outlines lack a part of the text.
    let make = query.text == nil ? recipe.outline : recipe.issue
    let order = SortedPlaces(
      (1..<count + 1).compactMap { issue($0, make).flatMap(query.place(of:)) })
    orders[key] = (query, order)
    return order
  }

  /// The order of all comments.
  mutating func order(_ sort: CommentBook.Sort) -> SortedPlaces {
    if let known = commentOrders[sort] { return known }
    let order = SortedPlaces(
      (1..<count + 1).flatMap { number in
        issue(number, recipe.outline).map { comments.places(on: $0, by: sort) } ?? []
      })
    commentOrders[sort] = order
    return order
  }

  // MARK: Changing

  /// Removes an issue, if it exists.
  mutating func remove(_ number: Int, _ fate: Fate) {
    edit(number) { book in
      if book.issue(number) != nil { book.fates[number] = fate }
    }
  }

  /// Changes an issue, if it exists.
  mutating func change(_ number: Int, _ body: (inout SyntheticIssue) -> Void) {
    edit(number) { book in
      guard var issue = book.issue(number) else { return }
      body(&issue)
      book.changed[number] = issue
    }
  }

  /// Changes a label, or deletes it if `body` sets nil. No issue counts as changed.
  mutating func changeLabel(_ name: String, _ body: (inout SyntheticIssue.Label?) -> Void) {
    guard let label = labels.first(where: { $0.name == name }) else { return }
    changeLabel(id: label.id, body)
  }

  /// Changes the label with an id, as above. On Forgejo, two labels may share a name.
  mutating func changeLabel(id: Int, _ body: (inout SyntheticIssue.Label?) -> Void) {
    guard let label = labels.first(where: { $0.id == id }) else { return }
    var after: SyntheticIssue.Label? = label
    body(&after)
    changedLabels.updateValue(after, forKey: id)
    propertyVersion += 1
    orders = [:]
  }

  /// Makes a label.
  mutating func addLabel(
    _ name: String, color: String, description: String?
  ) -> SyntheticIssue.Label {
    let label = SyntheticIssue.Label(
      name, color: color, description: description, id: 9_400_000 + addedLabels.count)
    addedLabels.append(label)
    return label
  }

  /// Makes a milestone with the next number.
  mutating func addMilestone(
    _ title: String, _ body: (inout SyntheticMilestone) -> Void
  ) -> SyntheticMilestone {
    lastMilestone += 1
    var milestone = SyntheticMilestone(lastMilestone, title: title)
    (milestone.openIssues, milestone.closedIssues, milestone.isWritten) = (0, 0, true)
    body(&milestone)
    milestonesByNumber[lastMilestone] = milestone
    return milestone
  }

  /// The next reaction's id.
  mutating func nextReaction() -> Int {
    lastReaction += 1
    return lastReaction
  }

  /// Changes a milestone, or deletes it if `body` sets nil. No issue counts as changed.
  mutating func changeMilestone(_ number: Int, _ body: (inout SyntheticMilestone?) -> Void) {
    body(&milestonesByNumber[number])
    propertyVersion += 1
    orders = [:]
  }

  /// Adds an issue with the next number.
  ///
  /// - Returns: Its number.
  mutating func add(_ body: (inout SyntheticIssue) -> Void) -> Int {
    let number = count + 1
    var issue = SyntheticIssue(
      number: number, title: "A later issue", body: nil, isPullRequest: false,
      author: SyntheticIssues.logins[0], labels: [], assignees: [], mentions: [], comments: 0,
      createdAt: recipe.newest + number - 1, updatedAt: recipe.newest + number - 1)
    body(&issue)
    issue.number = number
    edit(number) { book in
      book.count = number
      book.changed[number] = issue
    }
    return number
  }

  /// Changes an issue with its comments, if it exists.
  ///
  /// - Returns: The result of `body`; nil if there is no such issue.
  mutating func discuss<Result>(
    _ number: Int, _ body: (inout SyntheticIssue, inout CommentBook) -> Result?
  ) -> Result? {
    edit(number) { book in
      guard var issue = book.issue(number) else { return nil }
      let result = body(&issue, &book.comments)
      if result != nil { book.changed[number] = issue }
      return result
    }
  }

  /// Changes one issue, and every order that contains it.
  private mutating func edit<Result>(
    _ number: Int, _ body: (inout IssueBook) -> Result
  ) -> Result {
    let before = issue(number)
    let placesBefore = commentPlaces(of: before)
    let result = body(&self)
    let after = issue(number)
    // By key: iterating over the orders themselves would copy each.
    for key in Array(orders.keys) {
      let query = orders[key]?.query
      let old = before.flatMap { query?.place(of: $0) }
      let new = after.flatMap { query?.place(of: $0) }
      guard old != new else { continue }
      if let old { orders[key]?.order.remove(old) }
      if let new { orders[key]?.order.insert(new) }
    }
    for (sort, places) in commentPlaces(of: after) {
      let old = placesBefore[sort] ?? []
      for place in old.subtracting(places) { commentOrders[sort]?.remove(place) }
      for place in places.subtracting(old) { commentOrders[sort]?.insert(place) }
    }
    if before != after, keepsHistory { history.append((request, number, before)) }
    if before != after {
      version += 1
      versions[number] = version
      // Their summaries count it.
      for relative
        in ([after?.parent].compactMap(\.self) + (after?.blocking ?? [])
        + (after?.blockedBy ?? []))
      {
        versions[relative] = version
      }
    }
    return result
  }

  /// The issues before a request.
  func before(_ request: Int) -> IssueBook {
    var book = self
    book.keepsHistory = false
    for entry in history.reversed() where entry.request >= request {
      book.edit(entry.number) { book in
        book.changed[entry.number] = entry.issue
        book.fates[entry.number] = entry.issue == nil ? .deleted : nil
      }
    }
    return book
  }

  private func commentPlaces(
    of issue: SyntheticIssue?
  ) -> [CommentBook.Sort: Set<SortedPlaces.Place>] {
    Dictionary(
      uniqueKeysWithValues: commentOrders.keys.map { sort in
        (sort, Set(issue.map { comments.places(on: $0, by: sort) } ?? []))
      })
  }
}
