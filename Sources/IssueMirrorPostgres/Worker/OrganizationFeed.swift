internal import GitHubAPI
internal import IssueMirror
internal import PlatformModules

/// An organization's list of changed issues, used as a hint: changed repositories become due immediately.
///
/// Only one worker at a time requests the list, and unchanged responses don't count against the limit. Issues that the
/// token's user can't see as a member may be missing, which ``FeedProbe`` detects.
struct OrganizationFeed: Sendable {
  let mirror: PostgresMirror
  let host: String
  let organization: String
  let provider: Provider<GitHub>
  /// The longest time between two syncs of a repository that doesn't rely on the list.
  let longestInterval: Duration

  private static let pageSize = 100
  /// The most pages per turn. More changes are possible only after a long time without a request.
  private static let mostPages = 10
  /// The time in seconds that a sync may take. It may have sent its request just before the change, and ended after it.
  private static let lengthOfSync = 10.0

  /// The state at the end of the last turn.
  private struct Turn {
    /// The time of the newest change by the server's clock; nil before the first response.
    var since: Int?
    /// The entity tag of the list that begins at `since`.
    var entityTag: String?
  }

  private struct News {
    var time: Int
    var changes: [String: Int] = [:]
    var newest: Int?
    var isFull = false
    var entityTag: String?
  }

  /// Requests the list, unless another worker has done so within the interval.
  func ask(every interval: Duration) async throws {
    guard var turn = try await take(interval) else { return }
    guard turn.since != nil else {
      // Repositories that changed earlier are due anyway.
      let first = try await news(since: nil, entityTag: nil)
      turn.since = first?.newest ?? first?.time
      return try await note(turn, hints: 0)
    }
    for _ in 0..<Self.mostPages {
      guard let since = turn.since else { break }
      guard let news = try await news(since: since, entityTag: turn.entityTag) else {
        try await note(turn, hints: 0)
        break
      }
      let hints = try await hasten(news)
      // If more issues changed in one second than fit on a page, the repositories of the others are due anyway.
      let newest = max(news.newest ?? since, news.isFull ? since + 1 : since)
      turn = Turn(since: newest, entityTag: newest > since ? nil : news.entityTag)
      try await note(turn, hints: hints)
      guard news.isFull else { break }
    }
  }

  /// Records the reason that the list is unavailable. It is requested again in an hour.
  func fail(_ reason: String) async throws {
    let (host, key) = (host, organization.lowercased())
    let text = String(PostgresAddress.oneLine(reason).prefix(500))
    try await mirror.writing { db in
      _ = try db.rows(
        """
        UPDATE feed SET due_at = now() + interval '1 hour', failure = \(text), news_confirmed = 0
        WHERE host = \(host) AND owner_key = \(key)
        """)
    }
    let longest = longestInterval
    try await mirror.writing { db in
      try FeedProbe.recall(from: host, owner: key, within: longest, db)
    }
  }

  /// Nil if the list isn't due yet.
  private func take(_ interval: Duration) async throws -> Turn? {
    let (host, name, key) = (host, organization, organization.lowercased())
    return try await mirror.writing { db in
      try db.rows(
        """
        INSERT INTO feed (host, owner_key, owner, due_at) VALUES (\(host), \(key), \(name), now())
        ON CONFLICT DO NOTHING
        """)
      return try db.first(
        """
        UPDATE feed SET due_at = now() + \(interval.milliseconds) * interval '1 millisecond'
        WHERE host = \(host) AND owner_key = \(key) AND due_at <= now()
        RETURNING since, entity_tag
        """
      ).map { Turn(since: try $0.value(0), entityTag: try $0.value(1)) }
    }
  }

  private func note(_ turn: Turn, hints: Int) async throws {
    let (host, key) = (host, organization.lowercased())
    try await mirror.writing { db in
      _ = try db.rows(
        """
        UPDATE feed SET since = \(turn.since), entity_tag = \(turn.entityTag), asked_at = now(),
          listed_from = coalesce(listed_from, \(turn.since)), hints = hints + \(hints),
          failure = NULL
        WHERE host = \(host) AND owner_key = \(key)
        """)
    }
  }

  /// The next page of changes; nil if nothing has changed.
  private func news(since: Int?, entityTag: String?) async throws -> News? {
    let target = GitHub.organizationIssues(
      organization: organization, involvement: .all,
      filter: IssueFilter(
        state: .all, since: since.map { Date(timeIntervalSince1970: Double($0)) }, sort: .updated,
        direction: since == nil ? .descending : .ascending),
      pageSize: since == nil ? 1 : Self.pageSize)
    let response: TargetResponse
    do throws(NetworkError) {
      response = try await provider.request(target, ifNoneMatch: entityTag)
    } catch {
      guard entityTag != nil, error.response?.status == .notModified else { throw error }
      return nil
    }
    let issues: [GitHub.LocatedIssue] = try response.decode(using: GitHubJSON.decoder())
    let times = issues.compactMap { $0.issue.updatedAt?.seconds }
    var news = News(time: response.serverDate?.seconds ?? times.max() ?? 0)
    news.newest = times.max()
    news.isFull = issues.count >= Self.pageSize
    news.entityTag = response.headers[.eTag]
    for issue in issues {
      guard let repository = issue.repository, let time = issue.issue.updatedAt?.seconds else {
        continue
      }
      let key = repository.description.lowercased()
      news.changes[key] = max(news.changes[key] ?? time, time)
    }
    return news
  }

  /// Makes repositories due that have changed since their last sync. Ages are measured by the server's clock, and times
  /// by the database's. Failed repositories keep their delay.
  private func hasten(_ news: News) async throws -> Int {
    // Sorts the changes, so that two workers that change the same rows can't deadlock.
    let changes = news.changes.sorted { $0.key < $1.key }
    guard !changes.isEmpty else { return 0 }
    let ages = changes.map { Double(max(news.time - $0.value, 0)) - Self.lengthOfSync }
    let (host, keys, times) = (host, changes.map(\.key), changes.map(\.value))
    return try await mirror.writing { db in
      try db.rows(
        """
        UPDATE queue SET listed_to = news.time, has_news = true
        FROM unnest(\(keys), \(times)) AS news (name_key, time)
        WHERE queue.host = \(host) AND queue.name_key = news.name_key
          AND coalesce(listed_to, 0) < news.time
        """)
      return try db.rows(
        """
        UPDATE queue SET due_at = now()
        FROM unnest(\(keys), \(.reals(ages))) AS news (name_key, age)
        WHERE queue.host = \(host) AND queue.name_key = news.name_key AND due_at > now()
          AND failures = 0 AND synced_at < now() - news.age * interval '1 second'
        """
      ).changes
    }
  }
}
