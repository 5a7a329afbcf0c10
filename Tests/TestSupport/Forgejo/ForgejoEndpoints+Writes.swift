/// Writes issues and comments.
extension ForgejoEndpoints {
  /// Answers a request that writes.
  func write(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    try requireToken()
    guard permission > .noAccess else { throw .noWritePermission }
    let number = github.requestCount
    place.store.update { $0.request = number }
    let path = place.path
    let isComment = path.count > 1 && path[1] == "comments"
    let places = isComment ? [2] : [1, 3]
    let pattern = path.enumerated().map { places.contains($0.offset) ? "*" : $0.element }
    let id = isComment ? path.dropFirst(2).first : path.dropFirst().first
    let index = id.flatMap { Int($0) } ?? 0
    switch "\(request.method) \(pattern.joined(separator: "/"))" {
    case "POST issues": return try createIssue(place)
    case "PATCH issues/*": return try updateIssue(index, place)
    case "DELETE issues/*":
      try requireAdministrator()
      _ = try issue(index, place)
      place.store.update { $0.remove(index, .deleted) }
      return LoopbackResponse(status: 204)
    case "PUT issues/*/lock" where !isForgejo:
      let reason = request.body.isEmpty ? nil : try input()["lock_reason"]?.text
      return try mark(index, place) { ($0.isLocked, $0.lockReason) = (true, reason) }
    case "DELETE issues/*/lock" where !isForgejo:
      return try mark(index, place) { ($0.isLocked, $0.lockReason) = (false, nil) }
    case "POST issues/*/pin": return try mark(index, place) { $0.isPinned = true }
    case "DELETE issues/*/pin": return try mark(index, place) { $0.isPinned = false }
    case "POST issues/*/comments": return try createComment(on: index, place)
    case "PATCH issues/comments/*":
      try requireLife(of: place)
      let text = try commentBody()
      let (issue, comment) = try ownComment(place)
      _ = place.store.update { book in
        book.changeComment(comment.index, on: issue.number) { comment in
          if comment.body != text { comment.updatedAt = max(comment.updatedAt, now) }
          comment.body = text
        }
      }
      return try commentAnswer(path[2], place, status: 200)
    case "DELETE issues/comments/*":
      let (issue, comment) = try ownComment(place)
      _ = place.store.update { $0.deleteComment(comment.index, on: issue.number) }
      return LoopbackResponse(status: 204)
    case let operation: return try writeProperties(operation, index, place)
    }
  }

  // MARK: Checks

  /// The JSON of the request.
  func input() throws(ForgejoRefusal) -> JSONInput {
    guard let type = request.headers["Content-Type"], !type.isEmpty else {
      throw ForgejoRefusal(422, "[]: Empty Content-Type")
    }
    guard type.contains("json") else { throw ForgejoRefusal(422, "[]: Unsupported Content-Type") }
    guard let input = JSONInput(request.body), case .object = input else {
      throw ForgejoRefusal(422, "[]: EOF")
    }
    return input
  }

  /// Refuses writes to an archived repository, which guards fewer things than on GitHub.
  func requireLife(of place: WritePlace) throws(ForgejoRefusal) {
    let repository = place.repository
    guard repository.isArchived else { return }
    let name =
      isForgejo ? "<Repository \(repository.id):\(repository.fullName)>" : repository.fullName
    throw ForgejoRefusal(423, "\(name) is archived")
  }

  private func requireAdministrator() throws(ForgejoRefusal) {
    guard permission >= .admin else {
      throw ForgejoRefusal(
        403, "user should be an owner or a collaborator with admin write of a repository")
    }
  }

  /// A time in the request; nil without it.
  func time(in input: JSONInput?) throws(ForgejoRefusal) -> Int? {
    guard let text = input?.text else { return nil }
    guard let seconds = ForgejoTime.seconds(text) else {
      throw ForgejoRefusal(422, "[]: parsing time \"\(text)\"")
    }
    return seconds
  }

  // MARK: Issues

  private func createIssue(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    try requireLife(of: place)
    let input = try input()
    guard let title = title(input) else { throw ForgejoRefusal(422, "[Title]: Required") }
    let isWriter = permission >= .write
    let labels = try integers(input["labels"], "labels")
    let milestones = try integers(input["milestone"].map { .array([$0]) }, "milestone")
    let assignees = try isWriter ? assignees(input) ?? [] : []
    let isClosed = isWriter && input["closed"] == .bool(true)
    let number = place.store.update { book in
      let labels = book.labels.filter { isWriter && labels.contains($0.id) }
      let milestone = milestones.first.map(ForgejoJSON.milestoneNumber)
        .flatMap(book.milestone)?.number
      return book.add { issue in
        issue.title = title
        issue.body = text(input["body"]) ?? ""
        issue.author = login
        issue.labels = labels
        issue.assignees = assignees
        issue.milestone = isWriter ? milestone : nil
        (issue.createdAt, issue.updatedAt) = (now, now)
        if isClosed { (issue.closedAt, issue.closedBy) = (now, login) }
        issue.isWritten = true
      }
    }
    return try issueAnswer(number, place)
  }

  /// Changes an issue. Labels are ignored, and so is an empty title.
  private func updateIssue(
    _ number: Int, _ place: WritePlace
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    let input = try input()
    let issue = try issue(number, place)
    let isWriter = permission >= .write
    guard isWriter || issue.author == login else { throw .forbidden }
    let title = title(input)
    let body = text(input["body"])
    let assignees = try isWriter ? assignees(input) : nil
    let milestone = isWriter ? input["milestone"]?.integer : nil
    let milestoneNumber = milestone.map(ForgejoJSON.milestoneNumber).flatMap { number in
      place.store.read { $0.milestone(number) }?.number
    }
    if let milestone, milestone != 0, milestoneNumber == nil { throw .internalError }
    let state = input["state"]?.text
    if let state, !isForgejo, !["open", "closed"].contains(state) {
      throw ForgejoRefusal(412, "unknown state: \(state)")
    }
    let isBlocked = place.store.read { book in
      issue.blockedBy.contains { book.issue($0)?.isOpen ?? false }
    }
    if state == "closed", issue.isOpen, isBlocked {
      throw ForgejoRefusal(
        412, "cannot close this issue because it still has open dependencies")
    }
    place.store.update { book in
      book.revise(number, at: now, by: login) { issue in
        if let title { issue.title = title }
        if let body { issue.body = body }
        if milestone != nil { issue.milestone = milestoneNumber }
        if let assignees { issue.assignees = assignees }
        if let state, (state == "closed") == issue.isOpen {
          issue.closedAt = issue.isOpen ? now : nil
          issue.closedBy = issue.isOpen ? nil : login
          issue.stateReason = nil
        }
      }
    }
    return try issueAnswer(number, place)
  }

  /// Changes what only administrators may.
  private func mark(
    _ number: Int, _ place: WritePlace, _ change: (inout SyntheticIssue) -> Void
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    try requireAdministrator()
    _ = try issue(number, place)
    place.store.update { $0.revise(number, at: now, by: login, change) }
    return LoopbackResponse(status: 204)
  }

  /// An issue as the answer to a write, whose status is 201 for changes too.
  func issueAnswer(_ number: Int, _ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    answer(json.issue(try issue(number, place), in: place.repository), status: 201)
  }

  /// The sent title, cut to its greatest length; nil if there is none.
  private func title(_ input: JSONInput) -> String? {
    guard let title = input["title"]?.text, !title.isEmpty else { return nil }
    return configuration.forge.stored(title: title)
  }

  private func text(_ input: JSONInput?) -> String? {
    input?.text.map(configuration.lineEnds.applied)
  }

  /// The logins of a whole list; nil if there is none.
  private func assignees(_ input: JSONInput) throws(ForgejoRefusal) -> [String]? {
    guard let logins = input["assignees"]?.elements?.compactMap(\.text) else { return nil }
    for login in logins where !github.isAssignable(login) {
      throw ForgejoRefusal(
        422, "Assignee does not exist: [name: user does not exist [uid: 0, name: \(login)]]")
    }
    return logins
  }

  /// A list of ids. Names are refused in Go's words.
  private func integers(_ input: JSONInput?, _ field: String) throws(ForgejoRefusal) -> [Int] {
    let elements = (input?.elements ?? []).filter { $0 != .null }
    guard elements.allSatisfy({ $0.integer != nil }) else {
      throw ForgejoRefusal(
        422,
        "[]: json: cannot unmarshal string into Go struct field CreateIssueOption.\(field) of type int64"
      )
    }
    return elements.compactMap(\.integer)
  }

  // MARK: Comments

  private func createComment(
    on number: Int, _ place: WritePlace
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    try requireLife(of: place)
    let text = try commentBody()
    guard let issue = place.store.read({ $0.issue(number) }) else {
      throw isForgejo ? .notFound : .internalError
    }
    if issue.isLocked, permission < .write {
      throw ForgejoRefusal(403, "You cannot comment on a locked issue.")
    }
    let index = place.store.update { book in
      book.addComment(on: number, at: now) { comment in
        (comment.author, comment.body, comment.isWritten) = (login, text, true)
      }
    }
    guard let index else { throw .notFound }
    return try commentAnswer("\(GitHubJSON.commentID(index, on: issue))", place, status: 201)
  }

  private func commentBody() throws(ForgejoRefusal) -> String {
    guard let text = text(try input()["body"]), !text.isEmpty else {
      throw ForgejoRefusal(422, "[Body]: Required")
    }
    return text
  }

  private func ownComment(
    _ place: WritePlace
  ) throws(ForgejoRefusal) -> (SyntheticIssue, SyntheticComment) {
    let found = try comment(place.path[2], place)
    guard permission >= .write || found.1.author == login else { throw .forbidden }
    return found
  }

  private func commentAnswer(
    _ id: String, _ place: WritePlace, status: Int
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    let (issue, comment) = try comment(id, place)
    return answer(json.comment(comment, of: issue, in: place.repository), status: status)
  }
}
