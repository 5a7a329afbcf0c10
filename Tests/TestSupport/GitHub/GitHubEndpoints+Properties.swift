/// Reads and writes labels, assignees, milestones and reactions.
extension GitHubEndpoints {
  // MARK: Reading

  /// Answers a request for properties.
  func properties(_ repository: LoopbackRepository, _ path: [String]) -> LoopbackResponse {
    let place = WritePlace(
      repository: repository, store: github.store(of: repository), path: path)
    do throws(WriteRefusal) {
      return try readProperties(place)
    } catch {
      return error.response ?? GitHubError.notFound.response(now: now)
    }
  }

  private func readProperties(_ place: WritePlace) throws(WriteRefusal) -> LoopbackResponse {
    let path = place.path
    if let answer = try relations(place) { return answer }
    if path.count > 2, path[0] == "issues", path[1] == "comments", let id = Int(path[2]) {
      let (issue, comment) = try comment(id, place)
      switch path.dropFirst(3) {
      case []: return tagged(json.comment(comment, of: issue, in: place.repository))
      case ["reactions"]: return reactionList(comment.reactions, place)
      default: throw .notFound
      }
    }
    if path.count > 2, path[0] == "issues", let number = Int(path[1]) {
      let issue = try issue(number, place)
      switch path.dropFirst(2) {
      case ["reactions"]: return reactionList(issue.reactions, place)
      case ["labels"]:
        return numberedPages(of: issue.labels.count, at: place.target) { range in
          issue.labels[range].map { json.label($0, api: api(place.repository)) }
        }
      case let rest where rest.count == 2 && rest.first == "assignees":
        if github.isAssignable(path[3]) { return LoopbackResponse(status: 204) }
      default: break
      }
      throw .notFound
    }
    if path.count == 2, path[0] == "assignees", github.isAssignable(path[1]) {
      return LoopbackResponse(status: 204)
    }
    guard path == ["assignees"] else { throw .notFound }
    let bots = github.configuration.assignable?.filter { json.isBot($0) } ?? []
    let logins =
      (SyntheticIssues.logins + [login]).filter { github.isAssignable($0) } + bots.sorted()
    return numberedPages(of: logins.count, at: place.target) { range in
      logins[range].map(json.user)
    }
  }

  private func reactionList(
    _ reactions: [SyntheticReaction], _ place: WritePlace
  ) -> LoopbackResponse {
    let content = request.queryValue("content")
    let reactions = reactions.filter { content == nil || $0.content == content }
    return numberedPages(of: reactions.count, at: place.target) { range in
      reactions[range].map(json.reaction)
    }
  }

  // MARK: Writing

  /// Carries out writes to anything but issues and comments.
  func performOnProperties(
    _ operation: WriteOperation, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    switch operation {
    case .addLabels(let number):
      let names = try labelNames(input)
      return try relabel(number, place) { issue, book in
        let labels = book.labels(named: names, creating: permission >= .write)
        issue += labels.filter { !issue.contains($0) }
      }
    case .setLabels(let number):
      let names = try labelNames(input)
      return try relabel(number, place) { labels, book in
        labels = book.labels(named: names, creating: permission >= .write)
      }
    case .clearLabels(let number):
      _ = try relabel(number, place) { labels, _ in labels = [] }
      return LoopbackResponse(status: 204)
    case .removeLabel(let name, let number):
      let issue = try issue(number, place)
      guard issue.labels.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw .noLabel
      }
      return try relabel(number, place) { labels, _ in
        labels.removeAll { $0.name.lowercased() == name.lowercased() }
      }
    case .addAssignees(let number):
      return try assign(number, input, place, status: 201) { issue, logins in
        issue.assignees += logins.filter { !issue.assignees.contains($0) }
        issue.assignees = Array(issue.assignees.prefix(10))
      }
    case .removeAssignees(let number):
      return try assign(number, input, place, status: 200) { issue, logins in
        issue.assignees.removeAll { logins.contains($0) }
      }
    case .react(let number):
      _ = try issue(number, place)
      return try react(input, place) { book, body in book.change(number) { body(&$0.reactions) } }
    case .reactToComment(let id):
      let (issue, comment) = try comment(id, place)
      return try react(input, place) { book, body in
        _ = book.changeComment(comment.index, on: issue.number) { body(&$0.reactions) }
      }
    case .unreact(let number, let reaction):
      try ownReaction(reaction, in: try issue(number, place).reactions)
      place.store.update { book in
        book.change(number) { $0.reactions.removeAll { $0.id == reaction } }
      }
      return LoopbackResponse(status: 204)
    case .unreactToComment(let id, let reaction):
      let (issue, comment) = try comment(id, place)
      try ownReaction(reaction, in: comment.reactions)
      _ = place.store.update { book in
        book.changeComment(comment.index, on: issue.number) {
          $0.reactions.removeAll { $0.id == reaction }
        }
      }
      return LoopbackResponse(status: 204)
    case .addSubIssue, .removeSubIssue, .moveSubIssue, .addBlockedBy, .removeBlockedBy:
      return try performOnRelations(operation, input, place)
    case .setFields, .replaceFields, .clearField:
      return try performOnFields(operation, input, place)
    case .createLabel, .updateLabel, .deleteLabel: return try changeLabels(operation, input, place)
    default: return try changeMilestones(operation, input, place)
    }
  }

  // MARK: Labels of an issue

  /// The names of labels in a request, which may be a bare array.
  private func labelNames(_ input: JSONInput) throws(WriteRefusal) -> [String] {
    let given = input.elements == nil ? input["labels"] : input
    guard let names = Self.names(given) else { throw .missing("labels") }
    return names
  }

  private func relabel(
    _ number: Int, _ place: WritePlace,
    _ change: (inout [SyntheticIssue.Label], inout IssueBook) -> Void
  ) throws(WriteRefusal) -> LoopbackResponse {
    _ = try issue(number, place)
    guard permission >= .triage else { throw .notFound }
    place.store.update { book in
      guard var labels = book.issue(number)?.labels else { return }
      change(&labels, &book)
      book.revise(number, at: now, by: login) { $0.labels = labels }
    }
    let labels = try issue(number, place).labels
    return written(JSONText.array(labels.map { json.label($0, api: api(place.repository)) }))
  }

  // MARK: Assignees of an issue

  /// Users who can't assign, or be assigned, are silently ignored.
  private func assign(
    _ number: Int, _ input: JSONInput, _ place: WritePlace, status: Int,
    _ change: (inout SyntheticIssue, [String]) -> Void
  ) throws(WriteRefusal) -> LoopbackResponse {
    _ = try issue(number, place)
    let logins = Self.names(input["assignees"]) ?? []
    if permission >= .write {
      place.store.update { book in
        book.revise(number, at: now, by: login) { change(&$0, logins.filter(github.isAssignable)) }
      }
    }
    return try issueAnswer(number, place, status: status)
  }

  // MARK: Reactions

  /// Adds a reaction, or returns 200 if its owner has given it already.
  private func react(
    _ input: JSONInput, _ place: WritePlace,
    _ change: (inout IssueBook, (inout [SyntheticReaction]) -> Void) -> Void
  ) throws(WriteRefusal) -> LoopbackResponse {
    guard let content = try choice(input, "content", of: SyntheticReaction.contents) else {
      throw .missing("content")
    }
    let (reaction, isKnown) = place.store.update { book in
      var reaction = SyntheticReaction(
        id: book.nextReaction(), user: login, content: content, createdAt: now)
      var isKnown = false
      change(&book) { reactions in
        if let known = reactions.first(where: { $0.user == login && $0.content == content }) {
          (reaction, isKnown) = (known, true)
        } else {
          reactions.append(reaction)
        }
      }
      return (reaction, isKnown)
    }
    return written(json.reaction(reaction), status: isKnown ? 200 : 201)
  }

  private func ownReaction(
    _ id: Int, in reactions: [SyntheticReaction]
  ) throws(WriteRefusal) {
    guard let reaction = reactions.first(where: { $0.id == id }) else { throw .notFound }
    guard reaction.user == login || permission >= .admin else { throw .forbidden }
  }

  // MARK: Labels of the repository

  private func changeLabels(
    _ operation: WriteOperation, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    guard permission >= .write else { throw .notFound }
    let color = input["color"]?.text
    if let color, color.count != 6 || !color.allSatisfy(\.isHexDigit) {
      throw .invalid("Label", "color")
    }
    let description = input["description"]?.text
    if let description, description.count > 100 {
      throw .invalid(
        "Label", "description", "custom",
        message: "description is too long (maximum is 100 characters)")
    }
    func isTaken(_ name: String, except label: SyntheticIssue.Label? = nil) -> Bool {
      place.store.read { $0.label(name).map { $0.id != label?.id } ?? false }
    }
    func answer(_ label: SyntheticIssue.Label, status: Int = 200) -> LoopbackResponse {
      let api = api(place.repository)
      return written(json.label(label, api: api), status: status).with {
        if status == 201 {
          $0.headers["Location"] = "\(api)/labels/\(PercentCoding.encode(label.name))"
        }
      }
    }
    if operation == .createLabel {
      guard let name = input["name"]?.text else { throw .missing("name") }
      if name.isEmpty { throw .invalid("Label", "name", "missing_field") }
      if isTaken(name) { throw .invalid("Label", "name", "already_exists") }
      return answer(
        place.store.update {
          $0.addLabel(name, color: color ?? "ededed", description: description)
        }, status: 201)
    }
    guard let label = place.store.read({ $0.label(place.path[1]) }) else { throw .notFound }
    if case .deleteLabel = operation {
      place.store.update { $0.changeLabel(label.name) { $0 = nil } }
      return LoopbackResponse(status: 204)
    }
    let name = input["new_name"]?.text ?? label.name
    if isTaken(name, except: label) { throw .invalid("Label", "name", "already_exists") }
    var changed = label
    changed.name = name
    if let color { changed.color = color }
    if input["description"] != nil { changed.description = description }
    place.store.update { $0.changeLabel(label.name) { $0 = changed } }
    return answer(changed)
  }

  // MARK: Milestones

  private func changeMilestones(
    _ operation: WriteOperation, _ input: JSONInput, _ place: WritePlace
  ) throws(WriteRefusal) -> LoopbackResponse {
    guard permission >= .write else { throw .notFound }
    let title = input["title"]?.text
    if title == "" { throw .invalid("Milestone", "title", "missing_field") }
    let state = try choice(input, "state", of: ["open", "closed"])
    let due = input["due_on"]?.text.flatMap(Timestamp.seconds)
    if let text = input["due_on"]?.text, due == nil {
      throw .invalidRequest("\"\(text)\" is not a valid date-time.")
    }
    func revise(_ milestone: inout SyntheticMilestone) {
      if let title { milestone.title = title }
      if input["description"] != nil { milestone.description = input["description"]?.text }
      if input["due_on"] != nil { milestone.dueOn = due }
      if let state, milestone.isOpen != (state == "open") {
        milestone.isOpen = state == "open"
        milestone.closedAt = milestone.isOpen ? nil : now
      }
      milestone.updatedAt = now
    }
    let others = place.store.read(\.milestones)
    if case .createMilestone = operation {
      guard let title else { throw .missing("title") }
      if others.contains(where: { $0.title == title }) {
        throw .invalid("Milestone", "title", "already_exists")
      }
      let milestone = place.store.update { book in
        book.addMilestone(title) { milestone in
          (milestone.creator, milestone.createdAt) = (login, now)
          revise(&milestone)
        }
      }
      let api = api(place.repository)
      return written(json.milestone(milestone, api: api), status: 201).with {
        $0.headers["Location"] = "\(api)/milestones/\(milestone.number)"
      }
    }
    guard let number = Int(place.path[1]), others.contains(where: { $0.number == number }) else {
      throw .notFound
    }
    if case .deleteMilestone = operation {
      place.store.update { $0.changeMilestone(number) { $0 = nil } }
      return LoopbackResponse(status: 204)
    }
    if let title, others.contains(where: { $0.title == title && $0.number != number }) {
      throw .invalid("Milestone", "title", "already_exists")
    }
    place.store.update { book in
      book.changeMilestone(number) { milestone in
        if var changed = milestone {
          revise(&changed)
          milestone = changed
        }
      }
    }
    guard let milestone = place.store.read({ $0.milestone(number) }) else { throw .notFound }
    return written(json.milestone(milestone, api: api(place.repository)))
  }
}
