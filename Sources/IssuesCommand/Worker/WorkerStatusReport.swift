internal import IssueMirrorPostgres
internal import StyledText

/// How the workers of a team's mirror are doing, for people and programs. Times are in seconds.
struct WorkerStatusReport: Encodable {
  enum Field: String, CodingKey, CaseIterable {
    case repositories
    case due
    case neverSynced = "never_synced"
    /// Of those that were synced; null if there is none.
    case medianAge = "median_age"
    case age95 = "age_95"
    /// Of the first one that is due.
    case longestWait = "longest_wait"
    case syncing
    case failing
    case budgets
    case feeds
  }

  private struct Syncing: Encodable {
    enum CodingKeys: String, CodingKey {
      case host, repository, worker
      case leaseEndsIn = "lease_ends_in"
    }

    let host, repository, worker: String
    let leaseEndsIn: Int64

    init(_ entry: WorkerStatus.Held) {
      (host, repository, worker) = (entry.host, entry.repository, entry.holder)
      leaseEndsIn = entry.leaseEndsIn.components.seconds
    }
  }

  private struct Failing: Encodable {
    enum CodingKeys: String, CodingKey {
      case host, repository, failures
      case failedAgo = "failed_ago"
      case dueIn = "due_in"
      case reason
    }

    let host, repository, reason: String
    let failures: Int
    let failedAgo, dueIn: Int64

    init(_ entry: WorkerStatus.Failing) {
      (host, repository, reason) = (entry.host, entry.repository, entry.reason)
      failures = entry.failures
      (failedAgo, dueIn) = (entry.failedAgo.components.seconds, entry.dueIn.components.seconds)
    }
  }

  private struct Budget: Encodable {
    enum CodingKeys: String, CodingKey {
      case host, token, resource, quota, remaining, reserved
      case renewedIn = "renewed_in"
      case pausedFor = "paused_for"
    }

    let host, token, resource: String
    let quota, remaining, reserved: Int
    let renewedIn, pausedFor: Int64

    init(_ entry: WorkerStatus.Budget) {
      (host, token, resource) = (entry.host, entry.token, entry.resource)
      (quota, remaining, reserved) = (entry.quota, entry.remaining, entry.reserved)
      renewedIn = entry.renewedIn.components.seconds
      pausedFor = entry.pausedFor.components.seconds
    }
  }

  private struct Feed: Encodable {
    enum CodingKeys: String, CodingKey {
      case host, organization, hints, failure, unlisted
      case askedAgo = "asked_ago"
      case isComplete = "is_complete"
      case newsConfirmed = "news_confirmed"
    }

    let host, organization: String
    let askedAgo: Int64?
    let hints, newsConfirmed, unlisted: Int
    let isComplete: Bool
    let failure: String?

    init(_ entry: WorkerStatus.Feed) {
      (host, organization, hints) = (entry.host, entry.organization, entry.hints)
      (askedAgo, failure) = (entry.askedAgo?.components.seconds, entry.failure)
      (isComplete, newsConfirmed) = (entry.isComplete, entry.newsConfirmed)
      unlisted = entry.unlisted
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(host, forKey: .host)
      try container.encode(organization, forKey: .organization)
      try container.encode(askedAgo, forKey: .askedAgo)
      try container.encode(hints, forKey: .hints)
      try container.encode(failure, forKey: .failure)
      try container.encode(isComplete, forKey: .isComplete)
      try container.encode(newsConfirmed, forKey: .newsConfirmed)
      try container.encode(unlisted, forKey: .unlisted)
    }
  }

  let status: WorkerStatus

  /// Null for an age that nothing has.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Field.self)
    try container.encode(status.repositories, forKey: .repositories)
    try container.encode(status.due, forKey: .due)
    try container.encode(status.neverSynced, forKey: .neverSynced)
    try container.encode(status.medianAge?.components.seconds, forKey: .medianAge)
    try container.encode(status.age95?.components.seconds, forKey: .age95)
    try container.encode(status.longestWait.components.seconds, forKey: .longestWait)
    try container.encode(status.held.map(Syncing.init), forKey: .syncing)
    try container.encode(status.failing.map(Failing.init), forKey: .failing)
    try container.encode(status.budgets.map(Budget.init), forKey: .budgets)
    try container.encode(status.feeds.map(Feed.init), forKey: .feeds)
  }

  /// For a pipe: a value a line, behind its name.
  func lines(in color: ColorMode) -> String {
    func seconds(_ time: Duration?) -> String { time.map { "\($0.components.seconds)" } ?? "" }
    var rows: [[String]] = [
      [Field.repositories.rawValue, "\(status.repositories)"],
      [Field.due.rawValue, "\(status.due)"],
      [Field.neverSynced.rawValue, "\(status.neverSynced)"],
      [Field.medianAge.rawValue, seconds(status.medianAge)],
      [Field.age95.rawValue, seconds(status.age95)],
      [Field.longestWait.rawValue, seconds(status.longestWait)],
    ]
    rows += status.held.map {
      [Field.syncing.rawValue, $0.repository, $0.holder, seconds($0.leaseEndsIn)]
    }
    rows += status.failing.map {
      [
        Field.failing.rawValue, $0.repository, "\($0.failures)", seconds($0.dueIn), $0.reason,
      ]
    }
    rows += status.budgets.map {
      [
        "budget", $0.host, $0.token, $0.resource, "\($0.quota)", "\($0.remaining)",
        "\($0.reserved)", seconds($0.renewedIn), seconds($0.pausedFor),
      ]
    }
    rows += status.feeds.map {
      [
        "feed", $0.host, $0.organization, seconds($0.askedAgo), "\($0.hints)", $0.failure ?? "",
        "\($0.newsConfirmed)", "\($0.unlisted)",
      ]
    }
    return TSV(color: color).page(rows.map { row in row.map { StyledLine($0) } })
  }

  /// For a terminal.
  func text(in style: OutputStyle) -> String {
    let waiting =
      status.due == 0 ? "" : ", the first since \(WorkerTime.text(status.longestWait))"
    let ages =
      if let median = status.medianAge, let age95 = status.age95 {
        "half up to \(WorkerTime.text(median)), 95 of 100 up to \(WorkerTime.text(age95))"
      } else {
        "nothing is synced yet"
      }
    var text = style.text(ofFields: [
      ("queue", "\(status.repositories)"), ("due", "\(status.due)\(waiting)"),
      ("never synced", "\(status.neverSynced)"), ("age", ages),
      ("syncing", "\(status.held.count)"), ("failing", "\(status.failing.count)"),
    ])
    text += Self.table(
      [
        Column(title: "SYNCING", sizing: .flexible(minimum: 20)),
        Column(title: "WORKER", sizing: .limited(percent: 40)),
        Column(title: "LEASE", alignment: .trailing),
      ],
      status.held.map { [$0.repository, $0.holder, WorkerTime.text($0.leaseEndsIn)] }, style)
    text += Self.table(
      [
        Column(title: "FAILING", sizing: .limited(percent: 40)),
        Column(title: "TIMES", alignment: .trailing),
        Column(title: "AGAIN IN", alignment: .trailing),
        Column(title: "REASON", sizing: .flexible(minimum: 20)),
      ],
      status.failing.map {
        [$0.repository, "\($0.failures)", WorkerTime.text($0.dueIn), $0.reason]
      }, style)
    text += Self.table(
      [
        Column(title: "BUDGET", sizing: .flexible(minimum: 20)), Column(title: "TOKEN"),
        Column(title: "LEFT", alignment: .trailing), Column(title: "OF", alignment: .trailing),
        Column(title: "RESERVED", alignment: .trailing),
        Column(title: "RENEWED IN", alignment: .trailing),
      ],
      status.budgets.map {
        [
          "\($0.host) \($0.resource)", $0.token, "\($0.remaining)", "\($0.quota)",
          "\($0.reserved)", WorkerTime.text($0.renewedIn),
        ]
      }, style)
    text += Self.table(
      [
        Column(title: "FEED", sizing: .limited(percent: 40)),
        Column(title: "ASKED", alignment: .trailing),
        Column(title: "HINTS", alignment: .trailing),
        Column(title: "PROBE", alignment: .trailing),
        Column(title: "PROBLEM", sizing: .flexible(minimum: 20)),
      ],
      status.feeds.map { feed in
        [
          "\(feed.host) \(feed.organization)",
          feed.askedAgo.map { "\(WorkerTime.text($0)) ago" } ?? "never", "\(feed.hints)",
          feed.isComplete ? "complete" : "\(feed.newsConfirmed) of \(WorkerStatus.Feed.newsNeeded)",
          feed.failure ?? Self.lack(of: feed),
        ]
      }, style)
    return text
  }

  private static func lack(of feed: WorkerStatus.Feed) -> String {
    switch feed.unlisted {
    case 0: ""
    case 1: "lacked changes of 1 repository"
    case let count: "lacked changes of \(count) repositories"
    }
  }

  private static func table(
    _ columns: [Column], _ rows: [[String]], _ style: OutputStyle
  ) -> String {
    guard !rows.isEmpty else { return "" }
    var table = Table(columns: columns, width: style.width, color: style.color)
    return "\n" + table.page(rows.map { row in row.map { StyledLine($0) } })
  }
}
