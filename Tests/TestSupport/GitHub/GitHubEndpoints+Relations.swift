/// Types, sub-issues, dependencies and timelines. Issues of one repository are related, not those of several.
///
/// https://docs.github.com/en/rest/issues/sub-issues, https://docs.github.com/en/rest/issues/issue-dependencies,
/// https://docs.github.com/en/rest/issues/timeline
extension GitHubEndpoints {
  /// The most direct sub-issues of an issue, as others have counted.
  private static let mostSubIssues = 100
  /// https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/adding-sub-issues
  private static let mostLevels = 8

  // MARK: Reading

  /// Answers a request for relations; nil for any other.
  func relations(_ place: WritePlace) throws(WriteRefusal) -> LoopbackResponse? {
    let path = place.path
    guard github.configuration.hasRelations else { return nil }
    if path == ["issue-types"] { return tagged(JSONText.array(issueTypes)) }
    guard path.count > 2, path[0] == "issues", let number = Int(path[1]) else { return nil }
    switch path.dropFirst(2) {
    case ["sub_issues"]: return list(try issue(number, place).subIssues, place)
    case ["dependencies", "blocked_by"]: return list(try issue(number, place).blockedBy, place)
    case ["dependencies", "blocking"]: return list(try issue(number, place).blocking, place)
    case ["parent"]:
      guard let parent = try issue(number, place).parent else { throw .notFound }
      return tagged(json.issue(try issue(parent, place), in: place.repository))
    case ["issue-field-values"]:
      let issue = try issue(number, place)
      return tagged(fieldValues(of: issue))
    case ["timeline"]: return timeline(try issue(number, place), place)
    default: return nil
    }
  }

  /// The types as JSON.
  var issueTypes: [String] { github.configuration.issueTypes.map { json.type($0) } }

  private func list(_ numbers: [Int], _ place: WritePlace) -> LoopbackResponse {
    let issues = place.store.read { book in numbers.compactMap(book.issue) }
    return numberedPages(of: issues.count, at: place.target) { range in
      issues[range].map { json.issue($0, in: place.repository) }
    }
  }

  /// Events and comments, the oldest first.
  private func timeline(_ issue: SyntheticIssue, _ place: WritePlace) -> LoopbackResponse {
    let comments = place.store.read { $0.comments(on: issue.number) }
    var entries: [(time: Int, text: () -> String)] = issue.events.enumerated().map { index, event in
      (event.createdAt, { json.event(event, index, of: issue, in: place.repository) })
    }
    entries += comments.map { comment in
      let text = { json.comment(comment, of: issue, in: place.repository) }
      return (
        comment.createdAt,
        {
          "{\"event\":\"commented\",\"actor\":\(json.user(comment.author)),\(text().dropFirst())"
        }
      )
    }
    // Stable, because events of one second follow each other.
    let sorted = entries.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return numberedPages(of: sorted.count, at: place.target) { range in
      sorted[range].map { $0.element.text() }
    }
  }

  // MARK: Writing

  /// Carries out writes of relations, which require triage access.
  func performOnRelations(
    _ operation: WriteOperation, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    guard github.configuration.hasRelations, permission >= .triage else { throw .notFound }
    switch operation {
    case .addSubIssue(let number):
      let child = try related(input["sub_issue_id"], "sub_issue_id", place)
      try addSubIssue(child, to: number, replacing: input["replace_parent"] == .bool(true), place)
      return try issueAnswer(number, place, status: 201)
    case .removeSubIssue(let number):
      let child = try related(input["sub_issue_id"], "sub_issue_id", place)
      guard try issue(number, place).subIssues.contains(child.number) else { throw .notFound }
      place.store.update { $0.detach(child.number, by: login, at: now) }
      return try issueAnswer(number, place)
    case .moveSubIssue(let number):
      let child = try related(input["sub_issue_id"], "sub_issue_id", place).number
      let isBefore = input["before_id"] != nil
      let name = isBefore ? "before_id" : "after_id"
      let other = try related(input[name], name, place).number
      var children = try issue(number, place).subIssues
      guard children.contains(child), children.contains(other), child != other else {
        throw WriteRefusal(status: 422, message: "The sub-issue can't be moved there.")
      }
      children.removeAll { $0 == child }
      let index = children.firstIndex(of: other) ?? 0
      children.insert(child, at: isBefore ? index : index + 1)
      place.store.update { $0.change(number) { $0.subIssues = children } }
      return try issueAnswer(number, place)
    case .addBlockedBy(let number):
      let blocker = try related(input["issue_id"], "issue_id", place)
      let issue = try issue(number, place)
      guard !issue.blockedBy.contains(blocker.number) else {
        throw WriteRefusal(
          status: 422,
          message: """
            An error occurred while adding the blocking issue to the issue. Validation failed: Target issue has \
            already been taken
            """)
      }
      guard blocker.number != number else {
        throw WriteRefusal(status: 422, message: "An issue can't block itself.")
      }
      place.store.update { book in
        book.block(number, by: blocker.number, true, actor: login, at: now)
      }
      return try issueAnswer(number, place, status: 201)
    case .removeBlockedBy(let number, let id):
      let blocker = try related(.number(Double(id)), "issue_id", place)
      _ = try issue(number, place)
      place.store.update { book in
        book.block(number, by: blocker.number, false, actor: login, at: now)
      }
      return try issueAnswer(number, place)
    default: throw .notFound
    }
  }

  /// The issue with an id. A number in its place names none.
  private func related(
    _ id: JSONInput?, _ field: String, _ place: WritePlace
  ) throws(WriteRefusal) -> SyntheticIssue {
    guard let id = id?.integer else { throw .missing(field) }
    let number = (id - GitHubJSON.issueID(0)) / 7
    guard let issue = place.store.read({ $0.issue(number) }), GitHubJSON.issueID(issue) == id else {
      throw .notFound
    }
    return issue
  }

  private func addSubIssue(
    _ child: SyntheticIssue, to number: Int, replacing: Bool, _ place: WritePlace
  ) throws(WriteRefusal) {
    let parent = try issue(number, place)
    func refusal(_ reason: String) -> WriteRefusal {
      WriteRefusal(
        status: 422,
        message: "An error occurred while adding the sub-issue to the parent issue. \(reason)")
    }
    guard child.parent == nil || replacing && child.parent != number else {
      throw refusal(
        "Issue may not contain duplicate sub-issues and Sub issue may only have one parent")
    }
    guard parent.subIssues.count < Self.mostSubIssues else {
      throw refusal("Parent cannot have more than \(Self.mostSubIssues) sub-issues")
    }
    let ancestors = place.store.read { $0.ancestors(of: number) }
    guard child.number != number, !ancestors.contains(child.number) else {
      throw refusal("Sub issue cannot be an ancestor of its parent")
    }
    guard ancestors.count + 2 <= Self.mostLevels else {
      throw refusal("Sub-issues cannot be nested more than \(Self.mostLevels) levels deep")
    }
    place.store.update { book in
      book.detach(child.number, by: login, at: now)
      book.attach(child.number, to: number, by: login, at: now)
    }
  }
}

extension WritePlace {
  /// The path in links to its pages.
  var target: String {
    "/repositories/\(repository.id)/" + path.map(PercentCoding.encode).joined(separator: "/")
  }
}

extension IssueBook {
  /// The parent, its parent and so on.
  func ancestors(of number: Int) -> [Int] {
    var ancestors: [Int] = []
    var next = issue(number)?.parent
    while let number = next, !ancestors.contains(number) {
      ancestors.append(number)
      next = issue(number)?.parent
    }
    return ancestors
  }

  /// Makes an issue the last sub-issue of another one.
  mutating func attach(_ child: Int, to parent: Int, by actor: String?, at time: Int) {
    let (childText, parentText) = (mention(child), mention(parent))
    change(parent) { issue in
      issue.subIssues.append(child)
      issue.updatedAt = max(issue.updatedAt, time)
      issue.events.append(
        SyntheticEvent("sub_issue_added", by: actor, at: time, "\"sub_issue\":\(childText)"))
    }
    change(child) { issue in
      issue.parent = parent
      issue.updatedAt = max(issue.updatedAt, time)
      issue.events.append(
        SyntheticEvent("parent_issue_added", by: actor, at: time, "\"parent_issue\":\(parentText)"))
    }
  }

  /// Makes a sub-issue an issue of its own, if it has a parent.
  mutating func detach(_ child: Int, by actor: String?, at time: Int) {
    guard let parent = issue(child)?.parent else { return }
    let (childText, parentText) = (mention(child), mention(parent))
    change(parent) { issue in
      issue.subIssues.removeAll { $0 == child }
      issue.updatedAt = max(issue.updatedAt, time)
      issue.events.append(
        SyntheticEvent("sub_issue_removed", by: actor, at: time, "\"sub_issue\":\(childText)"))
    }
    change(child) { issue in
      issue.parent = nil
      issue.updatedAt = max(issue.updatedAt, time)
      issue.events.append(
        SyntheticEvent(
          "parent_issue_removed", by: actor, at: time, "\"parent_issue\":\(parentText)"))
    }
  }

  /// Makes an issue wait for another one, or wait no longer.
  mutating func block(
    _ number: Int, by blocker: Int, _ isBlocked: Bool, actor: String?, at time: Int
  ) {
    guard issue(number)?.blockedBy.contains(blocker) == !isBlocked else { return }
    let verb = isBlocked ? "added" : "removed"
    let (text, blockerText) = (mention(number), mention(blocker))
    change(number) { issue in
      issue.blockedBy.removeAll { $0 == blocker }
      if isBlocked { issue.blockedBy.append(blocker) }
      issue.updatedAt = max(issue.updatedAt, time)
      issue.events.append(
        SyntheticEvent(
          "blocked_by_\(verb)", by: actor, at: time, "\"blocked_by\":\(blockerText)"))
    }
    change(blocker) { issue in
      issue.blocking.removeAll { $0 == number }
      if isBlocked { issue.blocking.append(number) }
      issue.updatedAt = max(issue.updatedAt, time)
      issue.events.append(
        SyntheticEvent("blocking_\(verb)", by: actor, at: time, "\"blocking\":\(text)"))
    }
  }

  /// GitHub's short form of an issue, with its repository left out.
  private func mention(_ number: Int) -> String {
    guard let issue = issue(number) else { return "null" }
    return """
      {"number":\(number),"title":\(JSONText.string(issue.title)),\
      "state":"\(issue.isOpen ? "open" : "closed")","repository":{"id":1},"issue_type":null}
      """
  }
}

extension LoopbackGitHub {
  /// Makes an issue a sub-issue of another one, while the server runs.
  public func attach(
    _ child: Int, to parent: Int, of repository: LoopbackRepository, by actor: String? = "octocat",
    at time: Int = 1_790_000_000
  ) {
    store(of: repository).update { $0.attach(child, to: parent, by: actor, at: time) }
  }

  /// Makes an issue wait for another one, while the server runs.
  public func block(
    _ number: Int, by blocker: Int, of repository: LoopbackRepository,
    by actor: String? = "octocat", at time: Int = 1_790_000_000
  ) {
    store(of: repository).update { $0.block(number, by: blocker, true, actor: actor, at: time) }
  }
}
