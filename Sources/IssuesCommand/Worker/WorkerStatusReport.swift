internal import IssueMirrorPostgres
internal import StyledText

/// The state of the workers of a team's mirror, for people and programs. Times are in seconds.
struct WorkerStatusReport {
  enum Field: String, CaseIterable {
    case repositories
    case due
    case neverSynced = "never_synced"
    /// The median age of the synced repositories; null if there are none.
    case medianAge = "median_age"
    case age95 = "age_95"
    /// The wait of the first due repository.
    case longestWait = "longest_wait"
    case workers
    case ages
    case syncing
    case failing
    case budgets
    case feeds
  }

  let status: WorkerStatus

  func object() throws -> JSONObject {
    func seconds(_ time: Duration) -> Int64 { time.components.seconds }
    return try JSONObject(
      encoding: EncodedObject(Field.self) { field in
        switch field {
        case .repositories: status.repositories
        case .due: status.due
        case .neverSynced: status.neverSynced
        case .medianAge: status.medianAge.map(seconds)
        case .age95: status.age95.map(seconds)
        case .longestWait: seconds(status.longestWait)
        case .workers:
          status.workers.map { worker -> EncodedObject in
            [
              "host": worker.host, "worker": worker.name, "age": seconds(worker.age),
              "seen_ago": seconds(worker.seenAgo), "paused_for": seconds(worker.pausedFor),
              "reason": worker.pause,
            ]
          }
        case .ages:
          status.ages.map { entry -> EncodedObject in
            ["host": entry.host, "repository": entry.repository, "age": seconds(entry.age)]
          }
        case .syncing:
          status.held.map { entry -> EncodedObject in
            [
              "host": entry.host, "repository": entry.repository, "worker": entry.holder,
              "lease_ends_in": seconds(entry.leaseEndsIn),
            ]
          }
        case .failing:
          status.failing.map { entry -> EncodedObject in
            [
              "host": entry.host, "repository": entry.repository, "failures": entry.failures,
              "failed_ago": seconds(entry.failedAgo), "due_in": seconds(entry.dueIn),
              "reason": entry.reason,
            ]
          }
        case .budgets:
          status.budgets.map { entry -> EncodedObject in
            [
              "host": entry.host, "token": entry.token, "resource": entry.resource,
              "quota": entry.quota, "remaining": entry.remaining, "reserved": entry.reserved,
              "renewed_in": seconds(entry.renewedIn), "paused_for": seconds(entry.pausedFor),
            ]
          }
        case .feeds: status.feeds.map(Self.object)
        }
      })
  }

  private static func object(_ feed: WorkerStatus.Feed) -> EncodedObject {
    EncodedObject(FeedField.self) { field in
      switch field {
      case .host: feed.host
      case .organization: feed.organization
      case .askedAgo: feed.askedAgo?.components.seconds
      case .hints: feed.hints
      case .failure: feed.failure
      case .isComplete: feed.isComplete
      case .newsConfirmed: feed.newsConfirmed
      case .unlisted: feed.unlisted
      }
    }
  }

  private enum FeedField: String, CaseIterable {
    case host, organization, hints, failure, unlisted
    case askedAgo = "asked_ago"
    case isComplete = "is_complete"
    case newsConfirmed = "news_confirmed"
  }

  /// The text for a pipe: one value per line, after its name.
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
    rows += status.workers.map {
      [
        "worker", $0.host, $0.name, seconds($0.age), seconds($0.seenAgo), seconds($0.pausedFor),
        $0.pause ?? "",
      ]
    }
    rows += status.ages.map { ["age", $0.host, $0.repository, seconds($0.age)] }
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

  /// The text for a terminal.
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
      ("workers", "\(status.workers.count)"),
      ("syncing", "\(status.held.count)"), ("failing", "\(status.failing.count)"),
    ])
    text += Self.table(
      [
        Column(title: "WORKER", sizing: .limited(percent: 40)),
        Column(title: "SINCE", alignment: .trailing),
        Column(title: "SEEN", alignment: .trailing),
        Column(title: "PAUSED", alignment: .trailing),
        Column(title: "REASON", sizing: .flexible(minimum: 20)),
      ],
      status.workers.map { worker in
        [
          worker.name, WorkerTime.text(worker.age), "\(WorkerTime.text(worker.seenAgo)) ago",
          worker.pause == nil ? "" : WorkerTime.text(worker.pausedFor), worker.pause ?? "",
        ]
      }, style)
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
