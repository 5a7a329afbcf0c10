/// Writes issues and comments: https://docs.github.com/en/rest/issues/issues
extension GitHubEndpoints {
  /// The longest title, in characters.
  private static let longestTitle = 256
  /// The longest text, in characters.
  private static let longestBody = 65_536

  /// Answers a request that writes.
  func write(_ repository: LoopbackRepository, _ path: [String]) -> LoopbackResponse {
    guard let operation = WriteOperation(request.method, path) else {
      return GitHubError.notFound.response(now: now)
    }
    do throws(WriteRefusal) {
      guard !isAnonymous else { throw .requiresAuthentication }
      if repository.isArchived { throw .archived }
      guard permission > .noAccess else { throw .forbidden }
      guard repository.hasIssues else {
        let text =
          operation == .createIssue
          ? "Issues has been disabled in this repository." : "Issues are disabled for this repo"
        throw WriteRefusal(status: 410, message: text)
      }
      return try perform(operation, input(), in: repository, path)
    } catch {
      return error.response(about: operation.page)
    }
  }

  /// The JSON of the request. Without a body, it is an empty object, as on GitHub.
  private func input() throws(WriteRefusal) -> JSONInput {
    if request.body.isEmpty { return .object([:]) }
    guard let input = JSONInput(request.body) else { throw .unreadable }
    switch input {
    case .object, .array: return input
    default: throw .noObject
    }
  }

  private func perform(
    _ operation: WriteOperation, _ input: JSONInput, in repository: LoopbackRepository,
    _ path: [String]
  ) throws(WriteRefusal) -> LoopbackResponse {
    let store = github.store(of: repository)
    let place = WritePlace(repository: repository, store: store, path: path)
    let number = github.requestCount
    store.update { $0.request = number }
    switch operation {
    case .createIssue: return try createIssue(input, place)
    case .updateIssue(let number): return try updateIssue(number, input, place)
    case .lock(let number):
      let reason = input["lock_reason"]?.text
      let reasons = ["off-topic", "too heated", "resolved", "spam"]
      if let reason, !reasons.contains(reason) { throw Self.noMember(reason, of: reasons) }
      return try setLock(number, place) { ($0.isLocked, $0.lockReason) = (true, reason) }
    case .unlock(let number):
      return try setLock(number, place) { ($0.isLocked, $0.lockReason) = (false, nil) }
    case .createComment(let number): return try createComment(on: number, input, place)
    case .updateComment(let id): return try updateComment(id, input, place)
    case .deleteComment(let id):
      let (issue, comment) = try ownComment(id, place)
      _ = store.update { $0.deleteComment(comment.index, on: issue.number) }
      return LoopbackResponse(status: 204)
    default: return try performOnProperties(operation, input, place)
    }
  }

  // MARK: Issues

  private func createIssue(
    _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    guard let title = try title(input) else { throw .missing("title") }
    let body = try body(input, of: "Issue")
    let isPusher = permission >= .write
    let milestone = try isPusher ? milestone(input, place) : nil
    let assignees = try isPusher ? assignees(input) : nil
    let type = try isPusher ? type(input) : nil
    let labels = isPusher ? Self.names(input["labels"]) : nil
    let parent = try parent(input, place)
    let number = place.store.update { book in
      let labels = book.labels(named: labels ?? [], creating: true)
      let number = book.add { issue in
        issue.title = title
        issue.body = body ?? nil
        issue.author = login
        issue.labels = labels
        issue.assignees = assignees ?? []
        issue.milestone = milestone ?? nil
        issue.type = type ?? nil
        (issue.createdAt, issue.updatedAt) = (now, now)
        issue.isWritten = true
      }
      if let parent { book.attach(number, to: parent, by: login, at: now) }
      return number
    }
    let location = "\(api(place.repository))/issues/\(number)"
    return try issueAnswer(number, place, status: 201).with { $0.headers["Location"] = location }
  }

  private func updateIssue(
    _ number: Int, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    let issue = try issue(number, place)
    guard permission >= .triage || issue.author == login else { throw .forbidden }
    let title = try title(input)
    let body = try body(input, of: "Issue")
    let state = try choice(input, "state", of: ["open", "closed"])
    let reason = try choice(
      input, "state_reason", of: ["completed", "not_planned", "duplicate", "reopened"])
    let isPusher = permission >= .write
    let milestone = try isPusher ? milestone(input, place) : nil
    let assignees = try isPusher ? assignees(input) : nil
    let type = try isPusher ? type(input) : nil
    let labels = isPusher ? Self.names(input["labels"]) : nil
    place.store.update { book in
      let labels = labels.map { book.labels(named: $0, creating: true) }
      book.revise(number, at: now, by: login) { issue in
        if let title { issue.title = title }
        if let body { issue.body = body }
        if let milestone { issue.milestone = milestone }
        if let assignees { issue.assignees = assignees }
        if let type { issue.type = type }
        if let labels { issue.labels = labels }
        if state == "closed", issue.isOpen {
          (issue.closedAt, issue.closedBy) = (now, login)
          issue.stateReason = issue.isPullRequest ? nil : reason ?? "completed"
        } else if state == "open", !issue.isOpen {
          (issue.closedAt, issue.closedBy) = (nil, nil)
          issue.stateReason = issue.isPullRequest ? nil : "reopened"
        }
      }
    }
    return try issueAnswer(number, place)
  }

  private func setLock(
    _ number: Int, _ place: WritePlace, _ change: (inout SyntheticIssue) -> Void
  ) throws(WriteRefusal) -> LoopbackResponse {
    _ = try issue(number, place)
    guard permission >= .triage else { throw .forbidden }
    place.store.update { $0.revise(number, at: now, by: login, change) }
    return LoopbackResponse(status: 204)
  }

  /// The issue with a number. If it is absent, it refuses as reading would.
  func issue(_ number: Int, _ place: WritePlace) throws(WriteRefusal) -> SyntheticIssue {
    guard let issue = place.store.read({ $0.issue(number) }) else {
      throw .answer(missing(number, in: place.store, place.path))
    }
    return issue
  }

  /// An issue as the answer to its change.
  func issueAnswer(
    _ number: Int, _ place: WritePlace, status: Int = 200
  ) throws(WriteRefusal) -> LoopbackResponse {
    written(json.issue(try issue(number, place), in: place.repository), status: status)
  }

  /// An answer with the headers of writes. The tag of a created object is strong.
  func written(_ body: String, status: Int = 200) -> LoopbackResponse {
    let tag = entityTag(StableHash.of(body))
    return .json(
      body, status: status, headers: ["ETag": status == 201 ? String(tag.dropFirst(2)) : tag])
  }

  // MARK: Comments

  private func createComment(
    on number: Int, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    let issue = try issue(number, place)
    if issue.isLocked, permission < .write { throw .locked }
    let text = try commentBody(input)
    let index = place.store.update { book in
      book.addComment(on: number, at: now) { comment in
        comment.author = login
        comment.body = text
        comment.isWritten = true
      }
    }
    guard let index else { throw .notFound }
    return try commentAnswer(GitHubJSON.commentID(index, on: issue), place, status: 201)
  }

  private func updateComment(
    _ id: Int, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    let (issue, comment) = try ownComment(id, place)
    let text = try commentBody(input)
    _ = place.store.update { book in
      book.changeComment(comment.index, on: issue.number) { comment in
        if comment.body != text { comment.updatedAt = max(comment.updatedAt, now) }
        comment.body = text
      }
    }
    return try commentAnswer(id, place)
  }

  private func commentBody(_ input: JSONInput) throws(WriteRefusal) -> String {
    guard let given = try body(input, of: "IssueComment"), let text = given else {
      throw .missing("body")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw .invalid("IssueComment", "body", "missing_field")
    }
    return text
  }

  /// The comment with an id, and its issue.
  func comment(
    _ id: Int, _ place: WritePlace
  ) throws(WriteRefusal) -> (SyntheticIssue, SyntheticComment) {
    guard let found = place.store.read({ $0.comment(id) }) else { throw .notFound }
    return found
  }

  private func ownComment(
    _ id: Int, _ place: WritePlace
  ) throws(WriteRefusal) -> (SyntheticIssue, SyntheticComment) {
    let found = try comment(id, place)
    guard permission >= .write || found.1.author == login else { throw .forbidden }
    return found
  }

  private func commentAnswer(
    _ id: Int, _ place: WritePlace, status: Int = 200
  ) throws(WriteRefusal) -> LoopbackResponse {
    let (issue, comment) = try comment(id, place)
    return written(json.comment(comment, of: issue, in: place.repository), status: status).with {
      if status == 201 {
        $0.headers["Location"] = "\(api(place.repository))/issues/comments/\(id)"
      }
    }
  }

  // MARK: Fields

  /// The sent title, without blanks at its ends; nil if there is none.
  private func title(_ input: JSONInput) throws(WriteRefusal) -> String? {
    guard let given = input["title"], given != .null else { return nil }
    guard let text = given.text ?? given.integer.map(String.init) else {
      throw .invalidRequest("For 'properties/title', title is not a string.")
    }
    let title = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    if title.isEmpty { throw .invalid("Issue", "title", "missing_field") }
    guard title.count <= Self.longestTitle else {
      throw .invalid(
        "Issue", "title", "custom",
        message: "title is too long (maximum is \(Self.longestTitle) characters)")
    }
    return String(title)
  }

  /// The sent text: nil if there is none, and an inner nil for null.
  private func body(
    _ input: JSONInput, of resource: String
  ) throws(WriteRefusal) -> String?? {
    guard let given = input["body"] else { return nil }
    if given == .null { return .some(nil) }
    guard let text = given.text else {
      throw .invalidRequest("For 'properties/body', body is not a string.")
    }
    guard text.unicodeScalars.count <= Self.longestBody else {
      throw .invalid(
        resource, "body", "custom",
        message: "body is too long (maximum is \(Self.longestBody) characters)")
    }
    return github.configuration.lineEnds.applied(to: text)
  }

  private func milestone(
    _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> Int?? {
    guard let given = input["milestone"] else { return nil }
    if given == .null { return .some(nil) }
    guard let number = given.integer, place.store.read({ $0.milestone(number) }) != nil else {
      throw .unknownMilestone
    }
    return number
  }

  private func assignees(_ input: JSONInput) throws(WriteRefusal) -> [String]? {
    guard let logins = Self.names(input["assignees"]) else { return nil }
    let refused = logins.filter { !github.isAssignable($0) }
    guard refused.isEmpty else { throw .unassignable(refused) }
    return Array(logins.prefix(10))
  }

  /// The parent that a new issue becomes a sub-issue of, which requires triage access.
  private func parent(
    _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> Int? {
    guard let given = input["parent_issue_id"], permission >= .triage else { return nil }
    let issues = place.store.read { $0.issues }
    guard let id = given.integer, let parent = issues.first(where: { GitHubJSON.issueID($0) == id })
    else { throw .invalid("Issue", "parent_issue_id") }
    return parent.number
  }

  private func type(_ input: JSONInput) throws(WriteRefusal) -> String?? {
    guard let given = input["type"] else { return nil }
    if given == .null { return .some(nil) }
    let types = github.configuration.issueTypes
    guard let name = given.text, let known = types.first(where: { $0 == name }) else {
      throw .invalid("Issue", "type")
    }
    return known
  }

  /// One of some words; nil if none was sent.
  func choice(
    _ input: JSONInput, _ field: String, of choices: [String]
  ) throws(WriteRefusal) -> String? {
    guard let given = input[field], given != .null else { return nil }
    guard let text = given.text, choices.contains(text) else {
      throw Self.noMember(given.text ?? "\(given)", of: choices)
    }
    return text
  }

  static func noMember(_ text: String, of choices: [String]) -> WriteRefusal {
    let list = choices.map { "\"\($0)\"" }.joined(separator: ", ")
    return .invalidRequest("\(text) is not a member of [\(list)].")
  }

  /// The sent names of labels or assignees: strings, or objects with a name.
  static func names(_ input: JSONInput?) -> [String]? {
    input?.elements?.compactMap { $0.text ?? $0["name"]?.text }
  }
}

/// The target of a write.
struct WritePlace {
  let repository: LoopbackRepository
  let store: IssueStore
  /// The path below the repository's.
  let path: [String]
}

extension IssueBook {
  /// Changes an issue by a request. It counts as changed if any part differs from before.
  mutating func revise(
    _ number: Int, at time: Int, by actor: String? = nil, _ body: (inout SyntheticIssue) -> Void
  ) {
    let titles = Dictionary(uniqueKeysWithValues: milestones.map { ($0.number, $0.title) })
    change(number) { issue in
      let before = issue
      body(&issue)
      if issue != before { issue.updatedAt = max(issue.updatedAt, time) }
      issue.events += SyntheticEvent.events(from: before, to: issue, by: actor, at: time) {
        titles[$0]
      }
    }
  }

  /// The labels with some names, each once.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - creating: Whether absent labels are created, as on GitHub.
  /// - Returns: The labels.
  mutating func labels(named names: [String], creating: Bool) -> [SyntheticIssue.Label] {
    var labels: [SyntheticIssue.Label] = []
    for name in names where !name.isEmpty {
      let known =
        label(name) ?? (creating ? addLabel(name, color: "ededed", description: nil) : nil)
      if let known, !labels.contains(known) { labels.append(known) }
    }
    return labels
  }

  /// The comment with an id, and its issue.
  func comment(_ id: Int) -> (SyntheticIssue, SyntheticComment)? {
    guard let name = GitHubJSON.commentName(id), let issue = issue(name.issue),
      comments.indices(on: issue).contains(name.index)
    else { return nil }
    return (issue, comments.comment(name.index, on: issue))
  }
}
