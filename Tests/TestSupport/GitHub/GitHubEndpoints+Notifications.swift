/// Notifications: <https://docs.github.com/en/rest/activity/notifications>.
extension GitHubEndpoints {
  /// Those of a repository, or of all; `rest` is the path after `notifications`.
  func notifications(of repository: String? = nil, _ rest: [String] = []) -> LoopbackResponse {
    guard let token = LoopbackGitHub.token(of: request) else {
      return GitHubError.requiresAuthentication.response(now: now)
    }
    // Only classic tokens may. Others get a 404 for a thread.
    guard !token.hasPrefix("github_pat_") else {
      return rest.isEmpty ? GitHubError.forbidden.response(now: now) : notFound
    }
    if rest.count > 1, rest[0] == "threads" {
      return thread(rest[1], hasSubscription: rest.dropFirst(2) == ["subscription"], rest.count)
    }
    switch (request.method, rest.count) {
    case ("GET", 0): return notificationList(of: repository)
    case ("PUT", 0):
      github.notifications.update { all in
        for index in all.indices where repository == nil || all[index].repository == repository {
          all[index].isRead = true
        }
      }
      return LoopbackResponse(status: 205)
    default: return notFound
    }
  }

  /// Answers a request about a thread or its subscription.
  private func thread(
    _ id: String, hasSubscription: Bool, _ count: Int
  ) -> LoopbackResponse {
    guard hasSubscription ? count == 3 : count == 2 else { return notFound }
    let method = request.method
    let ignores = JSONInput(request.body)?["ignored"] == .bool(true)
    let request = github.requestCount
    let answer = github.notifications.update { all -> LoopbackResponse? in
      guard let index = all.firstIndex(where: { "\($0.id)" == id && !$0.isDone }) else {
        return nil
      }
      switch (method, hasSubscription) {
      case ("GET", false): return tagged(notification(all[index]))
      case ("PATCH", false):
        (all[index].isRead, all[index].changed) = (true, request)
        return LoopbackResponse(status: 205)
      case ("DELETE", false):
        (all[index].isDone, all[index].changed) = (true, request)
        return LoopbackResponse(status: 204)
      case ("PUT", true):
        (all[index].isIgnored, all[index].isSubscribed) = (ignores, !ignores)
        return .json(
          #"{"subscribed":\#(!ignores),"ignored":\#(ignores),"reason":null,"created_at":null}"#)
      case ("DELETE", true):
        (all[index].isIgnored, all[index].isSubscribed) = (false, false)
        return LoopbackResponse(status: 204)
      default: return nil
      }
    }
    return answer ?? notFound
  }

  private func notificationList(of repository: String?) -> LoopbackResponse {
    // A list shows the former state for a moment.
    let lag = github.configuration.notificationLag
    let present = github.notifications.current.map { notification in
      guard let changed = notification.changed, changed + lag >= github.requestCount, lag > 0 else {
        return notification
      }
      var former = notification
      (former.isRead, former.isDone) = (false, false)
      return former
    }
    let all = present.filter { notification in
      !notification.isDone && (repository == nil || notification.repository == repository)
        && (request.queryValue("all") == "true" || !notification.isRead)
        && (request.queryValue("participating") != "true" || notification.reason != "subscribed")
        && notification.updatedAt
          >= (request.queryValue("since").flatMap(Timestamp.seconds) ?? 0)
    }.sorted { $0.updatedAt > $1.updatedAt }
    let path = repository.map { "/repos/\($0)/notifications" } ?? "/notifications"
    return numberedPages(of: all.count, at: path) { range in all[range].map(notification) }
      .with { $0.headers.add("X-Poll-Interval", "60") }
  }

  private func notification(_ notification: SyntheticNotification) -> String {
    let time = JSONText.string(Timestamp.iso8601(notification.updatedAt))
    let list = notification.kind == "PullRequest" ? "pulls" : "issues"
    let subject = "\(json.root)/repos/\(notification.repository)/\(list)/\(notification.number)"
    let parts = notification.repository.split(separator: "/").map(String.init)
    return """
      {"id":"\(notification.id)","unread":\(!notification.isRead),\
      "reason":\(JSONText.string(notification.reason)),"updated_at":\(time),\
      "last_read_at":\(notification.isRead ? time : "null"),\
      "subject":{"title":\(JSONText.string(notification.title)),"url":\(JSONText.string(subject)),\
      "latest_comment_url":null,"type":\(JSONText.string(notification.kind))},\
      "repository":{"id":1,"name":\(JSONText.string(parts[1])),\
      "full_name":\(JSONText.string(notification.repository))},\
      "url":\(JSONText.string("\(json.root)/notifications/threads/\(notification.id)")),\
      "subscription_url":\
      \(JSONText.string("\(json.root)/notifications/threads/\(notification.id)/subscription"))}
      """
  }
}
