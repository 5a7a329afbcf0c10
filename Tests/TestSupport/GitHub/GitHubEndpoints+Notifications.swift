/// Notifications: <https://docs.github.com/en/rest/activity/notifications>.
extension GitHubEndpoints {
  /// Those of a repository, or of all; `rest` is the path after `notifications`.
  func notifications(of repository: String? = nil, _ rest: [String] = []) -> LoopbackResponse {
    guard let token = LoopbackGitHub.token(of: request) else {
      return GitHubError.requiresAuthentication.response(now: now)
    }
    // Only classic tokens may.
    guard !token.hasPrefix("github_pat_") else { return GitHubError.forbidden.response(now: now) }
    switch (request.method, rest.count) {
    case ("GET", 0): return notificationList(of: repository)
    case ("PUT", 0):
      github.notifications.update { all in
        for index in all.indices where repository == nil || all[index].repository == repository {
          all[index].isRead = true
        }
      }
      return LoopbackResponse(status: 205)
    case ("PATCH", 2) where rest[0] == "threads":
      let isKnown = github.notifications.update { all in
        guard let index = all.firstIndex(where: { "\($0.id)" == rest[1] }) else { return false }
        all[index].isRead = true
        return true
      }
      return isKnown ? LoopbackResponse(status: 205) : notFound
    default: return notFound
    }
  }

  private func notificationList(of repository: String?) -> LoopbackResponse {
    let all = github.notifications.current.filter { notification in
      (repository == nil || notification.repository == repository)
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
