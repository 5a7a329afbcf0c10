/// Writes labels, milestones, reactions and dependencies.
extension ForgejoEndpoints {
  /// Carries out writes to anything but issues and comments.
  func writeProperties(
    _ operation: String, _ number: Int, _ place: WritePlace
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    switch operation {
    case "POST issues/*/labels":
      let added = try labels(place)
      return try relabel(number, place) { labels in
        labels += added.filter { !labels.contains($0) }
      }
    case "PUT issues/*/labels":
      let all = try labels(place)
      return try relabel(number, place) { $0 = all }
    case "DELETE issues/*/labels":
      _ = try relabel(number, place) { $0 = [] }
      return LoopbackResponse(status: 204)
    case "DELETE issues/*/labels/*": return try removeLabel(number, place)
    case "POST issues/*/reactions", "DELETE issues/*/reactions":
      let issue = try issue(number, place)
      return try react(on: issue, place) { book, body in
        book.change(number) { body(&$0.reactions) }
      }
    case "POST issues/comments/*/reactions", "DELETE issues/comments/*/reactions":
      let (issue, comment) = try comment(place.path[2], place)
      return try react(on: issue, place) { book, body in
        _ = book.changeComment(comment.index, on: issue.number) { body(&$0.reactions) }
      }
    case "POST issues/*/dependencies", "POST issues/*/blocks", "DELETE issues/*/dependencies",
      "DELETE issues/*/blocks":
      return try depend(number, place)
    case "POST issues/*/assets":
      _ = try issue(number, place)
      return try upload(place)
    case "POST issues/comments/*/assets":
      _ = try comment(place.path[2], place)
      return try upload(place)
    case "POST labels", "PATCH labels/*", "DELETE labels/*": return try changeLabels(place)
    case "POST milestones", "PATCH milestones/*", "DELETE milestones/*":
      return try changeMilestones(place)
    default: throw .noRoute
    }
  }

  // MARK: Labels of an issue

  /// The labels in the request, all by id or all by name. Unknown ones vanish.
  private func labels(_ place: WritePlace) throws(ForgejoRefusal) -> [SyntheticIssue.Label] {
    let elements = try input()["labels"]?.elements ?? []
    let (ids, names) = (elements.compactMap(\.integer), elements.compactMap(\.text))
    guard ids.count == elements.count || names.count == elements.count else {
      throw ForgejoRefusal(400, "labels should be an array of strings or integers")
    }
    return place.store.read(\.labels).filter { ids.contains($0.id) || names.contains($0.name) }
  }

  private func relabel(
    _ number: Int, _ place: WritePlace, _ change: (inout [SyntheticIssue.Label]) -> Void
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    _ = try issue(number, place)
    guard permission >= .write else { throw .forbidden }
    place.store.update { $0.revise(number, at: now, by: login) { change(&$0.labels) } }
    return labelAnswer(try issue(number, place).labels, place)
  }

  private func labelAnswer(
    _ labels: [SyntheticIssue.Label], _ place: WritePlace
  ) -> LoopbackResponse {
    answer(JSONText.array(labels.map { json.label($0, api: json.api(place.repository)) }))
  }

  /// Removes a label by its id, or on Forgejo also by its name.
  private func removeLabel(
    _ number: Int, _ place: WritePlace
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    let name = place.path[3]
    let label = place.store.read { book in
      book.labels.first { "\($0.id)" == name || isForgejo && $0.name == name }
    }
    guard let label else {
      throw ForgejoRefusal(422, "label does not exist [label_id: \(Int(name) ?? 0)]")
    }
    _ = try relabel(number, place) { $0.removeAll { $0.id == label.id } }
    let isGitHubClient = request.headers["Accept"]?.contains("application/vnd.github") == true
    return isForgejo && isGitHubClient
      ? labelAnswer([label], place) : LoopbackResponse(status: 204)
  }

  // MARK: Reactions

  /// Adds a reaction, or removes it.
  private func react(
    on issue: SyntheticIssue, _ place: WritePlace,
    _ change: (inout IssueBook, (inout [SyntheticReaction]) -> Void) -> Void
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    let content = try input()["content"]?.text ?? ""
    if issue.isLocked, permission < .write { throw .forbidden }
    if request.method == "DELETE" {
      place.store.update { book in
        change(&book) { $0.removeAll { $0.user == login && $0.content == content } }
      }
      return LoopbackResponse(status: 200)
    }
    guard SyntheticReaction.contents.contains(content) else {
      throw ForgejoRefusal(403, "'\(content)' is not an allowed reaction")
    }
    let (reaction, isKnown) = place.store.update { book in
      let fresh = SyntheticReaction(
        id: book.nextReaction(), user: login, content: content, createdAt: now)
      var known: SyntheticReaction?
      change(&book) { reactions in
        known = reactions.first { $0.user == login && $0.content == content }
        if known == nil { reactions.append(fresh) }
      }
      return (known ?? fresh, known != nil)
    }
    return answer(json.reaction(reaction), status: isKnown ? 200 : 201)
  }

  // MARK: Dependencies

  /// Makes one issue wait for another, or no longer. The answer is the issue in the path.
  private func depend(
    _ number: Int, _ place: WritePlace
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    try requireLife(of: place)
    let input = try input()
    let issue = try issue(number, place)
    guard permission >= .write,
      let owner = input["owner"]?.text, let name = input["repo"]?.text,
      github.repository(owner, name)?.0.id == place.repository.id,
      let index = input["index"]?.integer
    else { throw .notFound }
    let other = try self.issue(index, place)
    let (waiting, blocker) = place.path[2] == "blocks" ? (other, issue) : (issue, other)
    let isAdded = request.method == "POST"
    let isKnown = waiting.blockedBy.contains(blocker.number)
    // A circle, too, is an internal error.
    let isCircle = isAdded && (blocker.blockedBy.contains(waiting.number) || index == number)
    guard isKnown != isAdded, !isCircle else { throw .internalError }
    place.store.update { book in
      book.block(waiting.number, by: blocker.number, isAdded, actor: login, at: now)
    }
    return try issueAnswer(number, place)
  }

  // MARK: Labels of the repository

  private func changeLabels(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    guard permission >= .write else { throw .noWritePermission }
    let api = json.api(place.repository)
    if request.method == "DELETE" {
      if let label = try? label(place.path[1], place) {
        place.store.update { $0.changeLabel(id: label.id) { $0 = nil } }
      }
      return LoopbackResponse(status: 204)
    }
    let input = try input()
    var color = input["color"]?.text.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
    if let given = color {
      guard [3, 6].contains(given.count), given.allSatisfy(\.isHexDigit) else {
        throw ForgejoRefusal(422, "invalid color code: \(given)")
      }
      color = (given.count == 3 ? given.map { "\($0)\($0)" }.joined() : given).lowercased()
    }
    let (name, description) = (input["name"]?.text, input["description"]?.text)
    guard request.method == "PATCH" else {
      guard let name, !name.isEmpty else { throw ForgejoRefusal(422, "[Name]: Required") }
      guard let color else { throw ForgejoRefusal(422, "[Color]: Required") }
      // Two labels may share a name.
      let label = place.store.update {
        $0.addLabel(name, color: color, description: description)
      }
      return answer(json.label(label, api: api), status: 201)
    }
    var label = try label(place.path[1], place)
    if let name { label.name = name }
    if let color { label.color = color }
    if let description { label.description = description }
    // It is cleared if it is left out.
    label.isArchived = input["is_archived"] == .bool(true)
    place.store.update { $0.changeLabel(id: label.id) { $0 = label } }
    return answer(json.label(label, api: api))
  }

  // MARK: Milestones

  private func changeMilestones(_ place: WritePlace) throws(ForgejoRefusal) -> LoopbackResponse {
    guard permission >= .write else { throw .noWritePermission }
    if request.method == "DELETE" {
      let milestone = try milestone(place.path[1], place)
      place.store.update { $0.changeMilestone(milestone.number) { $0 = nil } }
      return LoopbackResponse(status: 204)
    }
    let input = try input()
    let due = try time(in: input["due_on"])
    func revise(_ milestone: inout SyntheticMilestone) {
      if let title = input["title"]?.text, !title.isEmpty { milestone.title = title }
      if let description = input["description"]?.text { milestone.description = description }
      // Gitea clears what is left out.
      if due != nil || !isForgejo { milestone.dueOn = due }
      if let state = input["state"]?.text, milestone.isOpen != (state != "closed") {
        milestone.isOpen.toggle()
        milestone.closedAt = milestone.isOpen ? nil : now
      }
      milestone.updatedAt = now
    }
    guard request.method == "PATCH" else {
      guard let title = input["title"]?.text, !title.isEmpty else {
        throw ForgejoRefusal(422, "[Title]: Required")
      }
      let milestone = place.store.update { book in
        book.addMilestone(title) { milestone in
          (milestone.creator, milestone.createdAt) = (login, now)
          revise(&milestone)
        }
      }
      return answer(json.milestone(milestone), status: 201)
    }
    let number = try milestone(place.path[1], place).number
    place.store.update { book in
      book.changeMilestone(number) { milestone in
        if var changed = milestone {
          revise(&changed)
          milestone = changed
        }
      }
    }
    return answer(json.milestone(try milestone(place.path[1], place)))
  }
}
