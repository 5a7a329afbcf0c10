public import IssueMirror

extension PostgresMirror {
  /// Adds repositories permanently to the queue of the workers (``MirrorWorker``), and makes them due immediately.
  /// Repositories already in the queue keep their reasons.
  ///
  /// - Parameters:
  ///   - names: The names of the repositories.
  ///   - server: The server of the repositories.
  ///   - reason: The reason for mirroring, to show to people: `the organization swiftlang`.
  ///   - priority: Due repositories with the highest priority come first. A repository already in the queue keeps a
  ///     higher priority.
  ///   - hastens: Whether repositories already in the queue become due immediately as well.
  /// - Returns: The number of added repositories.
  /// - Throws: ``/IssueMirror/MirrorFailure``.
  @discardableResult
  public func enqueue(
    _ names: [RepositoryName], on server: GitHubServer, reason: String, priority: Int = 0,
    hastens: Bool = true
  ) async throws(MirrorFailure) -> Int {
    // Sorts the names, so that two callers that add the same names can't deadlock, and removes duplicates.
    let texts = Dictionary(
      names.map { ($0.description.lowercased(), $0.description) }, uniquingKeysWith: { $1 }
    ).sorted { $0.key < $1.key }
    guard !texts.isEmpty else { return 0 }
    let host = server.host
    return try await writing { db in
      let isNew: [Bool] = try db.column(
        """
        INSERT INTO queue AS kept (host, name_key, name, reason, priority, added_at, due_at)
        SELECT \(host), name_key, name, \(reason), \(priority), now(), now()
        FROM unnest(\(texts.map(\.key)), \(texts.map(\.value))) AS added (name_key, name)
        ON CONFLICT (host, name_key) DO UPDATE SET
          priority = greatest(kept.priority, excluded.priority),
          due_at = CASE WHEN \(hastens) THEN least(kept.due_at, now()) ELSE kept.due_at END
        RETURNING kept.added_at = now() AND kept.due_at = now() AND kept.synced_at IS NULL
        """)
      return isNew.count { $0 }
    }
  }

  /// Records a sync that wasn't made by a worker. If the repository is in the queue and no worker holds it, its next
  /// sync is scheduled as if a worker had synced it.
  package func noteSync(
    of names: Set<RepositoryName>, on server: GitHubServer
  ) async throws(MirrorFailure) {
    let (host, keys) = (server.host, names.map { $0.description.lowercased() })
    try await writing { db in
      _ = try db.rows(
        """
        UPDATE queue SET synced_at = now(), failures = 0, failed_at = NULL, failure = NULL,
          due_at = greatest(
            due_at, now() + coalesce(interval_seconds, \(SyncPace.usualInterval))
              * interval '1 second')
        WHERE host = \(host) AND name_key = ANY (\(keys))
          AND (lease IS NULL OR lease_ends_at <= now())
        """)
    }
  }

  /// Removes repositories from the queue. Their issues stay. A worker that is syncing one of them completes the sync.
  ///
  /// - Parameters:
  ///   - names: The names of the repositories.
  ///   - server: The server of the repositories.
  /// - Returns: The number of removed repositories.
  /// - Throws: ``/IssueMirror/MirrorFailure``.
  @discardableResult
  public func dequeue(
    _ names: [RepositoryName], on server: GitHubServer
  ) async throws(MirrorFailure) -> Int {
    let (host, keys) = (server.host, names.map { $0.description.lowercased() })
    return try await writing { db in
      try db.rows("DELETE FROM queue WHERE host = \(host) AND name_key = ANY (\(keys))").changes
    }
  }

  /// The queue, its workers and their budget.
  public func workerStatus() async throws(MirrorFailure) -> WorkerStatus {
    try await reading { db in
      var status = WorkerStatus()
      let row = try db.first(
        """
        SELECT count(*), count(*) FILTER (WHERE due_at <= now() AND NOT is_held),
          count(*) FILTER (WHERE synced_at IS NULL),
          (percentile_disc(0.5) WITHIN GROUP (ORDER BY age))::float8,
          (percentile_disc(0.95) WITHIN GROUP (ORDER BY age))::float8,
          (extract(epoch FROM now() - min(due_at) FILTER (WHERE NOT is_held)))::float8
        FROM (
          SELECT *, coalesce(lease_ends_at > now(), false) AS is_held,
            extract(epoch FROM now() - synced_at)::float8 AS age
          FROM queue) AS queue
        """)
      if let row {
        (status.repositories, status.due) = (try row.value(0), try row.value(1))
        status.neverSynced = try row.value(2)
        status.medianAge = (try row.value(3) as Double?).map(Duration.seconds)
        status.age95 = (try row.value(4) as Double?).map(Duration.seconds)
        let longest: Double = try row.value(5) ?? 0
        status.longestWait = .seconds(max(longest, 0))
      }
      if try WorkerRegistry.allows("SELECT", db) { status.workers = try Self.workers(db) }
      status.ages = try db.rows(
        """
        SELECT host, name, greatest(extract(epoch FROM now() - synced_at), 0)::float8 FROM queue
        WHERE synced_at IS NOT NULL ORDER BY host, name_key
        """
      ).map { row in
        WorkerStatus.Age(
          host: try row.value(0), repository: try row.value(1),
          age: .seconds(try row.value(2) as Double))
      }
      status.held = try db.rows(
        """
        SELECT host, name, holder, extract(epoch FROM lease_ends_at - now())::float8 FROM queue
        WHERE lease_ends_at > now() ORDER BY host, name_key
        """
      ).map { row in
        WorkerStatus.Held(
          host: try row.value(0), repository: try row.value(1), holder: try row.value(2) ?? "",
          leaseEndsIn: .seconds(try row.value(3) as Double))
      }
      status.failing = try db.rows(
        """
        SELECT host, name, failures, extract(epoch FROM now() - failed_at)::float8, failure,
          extract(epoch FROM due_at - now())::float8
        FROM queue WHERE failures > 0 ORDER BY failed_at DESC, host, name_key
        """
      ).map { row in
        let (age, due): (Double, Double) = (try row.value(3), try row.value(5))
        return WorkerStatus.Failing(
          host: try row.value(0), repository: try row.value(1), failures: try row.value(2),
          failedAgo: .seconds(age), reason: try row.value(4), dueIn: .seconds(max(due, 0)))
      }
      status.budgets = try db.rows(
        """
        SELECT host, left(key, 8), resource, quota, remaining,
          (SELECT coalesce(sum(outstanding), 0)::bigint FROM budget_block AS block
           WHERE block.key = budget.key AND block.resource = budget.resource
             AND block.ends_at > now()),
          extract(epoch FROM ends_at - now())::float8,
          extract(epoch FROM paused_until - now())::float8
        FROM budget WHERE quota IS NOT NULL ORDER BY host, key, resource
        """
      ).map { row in
        let renewal: Double = try row.value(6) ?? 0
        let pause: Double = try row.value(7) ?? 0
        let quota: Int = try row.value(3)
        return WorkerStatus.Budget(
          host: try row.value(0), token: try row.value(1), resource: try row.value(2),
          quota: quota,
          // After a window has ended, only its quota is known.
          remaining: renewal > 0 ? try row.value(4) ?? quota : quota, reserved: try row.value(5),
          renewedIn: .seconds(max(renewal, 0)), pausedFor: .seconds(max(pause, 0)))
      }
      status.feeds = try db.rows(
        """
        SELECT host, owner, extract(epoch FROM now() - asked_at)::float8, hints, failure,
          news_confirmed,
          (SELECT count(*) FROM queue WHERE queue.host = feed.host AND is_unlisted
             AND split_part(name_key, '/', 1) = owner_key)
        FROM feed ORDER BY host, owner_key
        """
      ).map { row in
        WorkerStatus.Feed(
          host: try row.value(0), organization: try row.value(1),
          askedAgo: (try row.value(2) as Double?).map(Duration.seconds),
          hints: try row.value(3), failure: try row.value(4), newsConfirmed: try row.value(5),
          unlisted: try row.value(6))
      }
      return status
    }
  }

  private static func workers(_ db: PostgresSession) throws -> [WorkerStatus.Worker] {
    try db.rows(
      """
      SELECT host, name, extract(epoch FROM now() - started_at)::float8,
        extract(epoch FROM now() - seen_at)::float8,
        greatest(extract(epoch FROM paused_until - now()), 0)::float8, pause
      FROM worker WHERE dead_at >= now() ORDER BY host, name, id
      """
    ).map { row in
      let pause: Double = try row.value(4) ?? 0
      return WorkerStatus.Worker(
        host: try row.value(0), name: try row.value(1), age: .seconds(try row.value(2) as Double),
        seenAgo: .seconds(try row.value(3) as Double), pausedFor: .seconds(pause),
        pause: pause > 0 ? try row.value(5) : nil)
    }
  }
}
