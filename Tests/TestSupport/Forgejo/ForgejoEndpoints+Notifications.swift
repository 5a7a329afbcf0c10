/// Notifications of the token's owner.
extension ForgejoEndpoints {
  /// Those of a repository, or of all; `rest` is the path after `notifications`.
  func notifications(
    _ rest: [String], of repository: String? = nil
  ) throws(ForgejoRefusal) -> LoopbackResponse {
    switch (request.method, rest.count) {
    case ("GET", 0): return try notificationList(of: repository)
    case ("PUT", 0): return try markAll(of: repository)
    case ("GET", 1) where rest == ["new"]:
      return answer("{\"new\":\(present.count { !$0.isRead })}")
    case ("GET", 2) where rest[0] == "threads":
      guard let found = present.first(where: { "\($0.id)" == rest[1] }) else { throw .notFound }
      return answer(notification(found))
    case ("PATCH", 2) where rest[0] == "threads":
      let ids = mark { "\($0.id)" == rest[1] }
      guard let changed = github.notifications.current.first(where: { ids.contains($0.id) }) else {
        throw .notFound
      }
      return answer(notification(changed), status: 205)
    default: throw .noRoute
    }
  }

  /// The notifications as a list shows them, which may lag behind.
  private var present: [SyntheticNotification] {
    let lag = configuration.notificationLag
    return github.notifications.current.filter { !$0.isDone }.map { notification in
      guard lag > 0, let changed = notification.changed, changed + lag >= github.requestCount else {
        return notification
      }
      var former = notification
      former.isRead = false
      return former
    }
  }

  /// Marks some as read, or as unread if the query says so. Others stay as they are.
  private func mark(where isMeant: (SyntheticNotification) -> Bool) -> [Int] {
    let isRead = request.queryValue("to-status") != "unread"
    let number = github.requestCount
    return github.notifications.update { all in
      let places = all.indices.filter { !all[$0].isDone && isMeant(all[$0]) }
      for place in places { (all[place].isRead, all[place].changed) = (isRead, number) }
      return places.map { all[$0].id }
    }
  }

  /// The states that the query asks for. Without it, read ones are left out.
  private func isWanted(_ notification: SyntheticNotification) -> Bool {
    if request.queryValue("all") == "true" { return true }
    let states = request.query.filter { $0.name == "status-types" }.flatMap {
      $0.value.split(separator: ",").map(String.init)
    }
    return (states.isEmpty ? ["unread", "pinned"] : states)
      .contains(notification.isRead ? "read" : "unread")
  }

  private func markAll(of repository: String?) throws(ForgejoRefusal) -> LoopbackResponse {
    let last = request.queryValue("last_read_at").map { ForgejoTime.seconds($0) }
    if case .some(nil) = last { throw ForgejoRefusal(400, "parsing time") }
    let ids = mark { notification in
      isWanted(notification) && (repository == nil || notification.repository == repository)
        && notification.updatedAt <= (last ?? nil) ?? .max
    }
    let changed = github.notifications.current.filter { ids.contains($0.id) }
    return answer(JSONText.array(changed.map(notification)), status: 205)
  }

  private func notificationList(of repository: String?) throws(ForgejoRefusal) -> LoopbackResponse {
    let (since, before) = (try time("since") ?? .min, try time("before") ?? .max)
    let all = present.filter { notification in
      isWanted(notification) && (repository == nil || notification.repository == repository)
        && notification.updatedAt >= since && notification.updatedAt <= before
    }.sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
    return list(all.map(notification))
  }

  private func notification(_ notification: SyntheticNotification) -> String {
    let parts = notification.repository.split(separator: "/").map(String.init)
    let known = github.repository(parts[0], parts[1])?.0
    let repository = known ?? LoopbackRepository(id: 1, owner: parts[0], name: parts[1])
    let isPullRequest = notification.kind == "PullRequest"
    let issue = known.flatMap { known in
      github.store(of: known).read { $0.issue(notification.number) }
    }
    let place = "\(notification.repository)/\(isPullRequest ? "pulls" : "issues")"
    let isOpen = issue?.isOpen ?? true
    return """
      {"id":\(notification.id),"repository":\(self.repository(repository)),\
      "subject":{"title":\(JSONText.string(notification.title)),\
      "url":"\(json.api(repository))/issues/\(notification.number)","latest_comment_url":"",\
      "html_url":"\(json.root)/\(place)/\(notification.number)","latest_comment_html_url":"",\
      "type":"\(isPullRequest ? "Pull" : "Issue")","state":"\(isOpen ? "open" : "closed")"},\
      "unread":\(!notification.isRead),"pinned":false,\
      "updated_at":\(json.time(notification.updatedAt)),\
      "url":"\(json.api)/notifications/threads/\(notification.id)"}
      """
  }
}
