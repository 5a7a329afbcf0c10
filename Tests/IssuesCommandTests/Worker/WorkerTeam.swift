import PlatformModules
import TestSupport
import Testing

/// Workers as processes, and their faults.
actor WorkerTeam {
  enum Blow: Sendable, CaseIterable {
    /// A worker dies.
    case kill
    /// A worker is stopped until another one has its repository.
    case stall
    /// The database crashes.
    case crash
    /// The database is restarted.
    case restart
  }

  private let scene: TeamScene
  private let place: [String]
  private let environment: [String: String]
  private var workers: [CommandRun] = []
  /// How often a repository was taken from a worker that had it.
  private(set) var taken = 0

  init(_ scene: TeamScene, place: [String], environment: [String: String] = [:]) {
    self.scene = scene
    self.place = place
    self.environment = environment
  }

  /// Every change of a lease is noted in the same transaction.
  func keepLog() async throws {
    try await psql(
      """
      CREATE TABLE issues.claim_log (
        at timestamptz DEFAULT clock_timestamp(), name_key text, before bigint, after bigint,
        ended_at timestamptz);
      CREATE FUNCTION issues.log_claim() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO issues.claim_log (name_key, before, after, ended_at)
        VALUES (old.name_key, old.lease, new.lease, old.lease_ends_at);
        RETURN new;
      END $$;
      CREATE TRIGGER log_claim AFTER UPDATE ON issues.queue FOR EACH ROW
        WHEN (old.lease IS DISTINCT FROM new.lease) EXECUTE FUNCTION issues.log_claim()
      """)
  }

  @discardableResult
  func psql(_ sql: String) async throws -> String {
    try await scene.server.psql(sql, in: scene.database).trimmed
  }

  /// Asks until the answer is `t`.
  private func wait(until sql: String) async throws {
    while try await psql(sql) != "t" { try Task.checkCancellation() }
  }

  func start(_ count: Int) throws {
    for _ in 0..<count {
      workers.append(
        try scene.start(
          [
            "worker", "--jsonl", "--fields", "event,repository", "--repositories", "2", "--jobs",
            "4", "--shortest", "1s", "--longest", "1s", "--lease", "6s",
          ] + place, environment: environment))
    }
  }

  func suffer(_ blow: Blow) async throws {
    switch blow {
    case .kill:
      let worker = workers.remove(at: try await busyWorker())
      worker.send(signal: SIGKILL)
      #expect(try await worker.result().status == .signalled(SIGKILL))
      _ = try await endLeases(of: worker)
      try start(1)
    case .stall: try await stall()
    case .crash: try await restart(.immediate)
    case .restart: try await restart(.fast)
    }
  }

  private func stall() async throws {
    while true {
      let worker = workers[try await busyWorker()]
      worker.send(signal: SIGSTOP)
      let lost = try await endLeases(of: worker)
      for lease in lost {
        try await wait(
          until: """
            SELECT EXISTS (
              SELECT FROM issues.claim_log WHERE before = \(lease) AND after IS NOT NULL)
            """)
      }
      taken += lost.count
      let start = try await worker.waitFor(after: 0) { $0.isEmpty ? nil : true }.end
      worker.send(signal: SIGCONT)
      // It goes on. Its output depends on where it was stopped: it may learn that it has lost its lease, or that the
      // server has ended its connection.
      _ = try await worker.waitFor(after: start) { $0.isEmpty ? nil : true }
      // It may have finished its repository before it was stopped.
      if !lost.isEmpty { return }
    }
  }

  private func restart(_ ending: PostgresServer.Ending) async throws {
    try await scene.server.restart(ending)
    let count = try await psql("SELECT count(*) FROM issues.claim_log")
    try await wait(until: "SELECT count(*) > \(count) FROM issues.claim_log")
  }

  /// A worker that has a repository.
  private func busyWorker() async throws -> Int {
    while true {
      let holder = try await psql(
        """
        SELECT holder FROM issues.queue WHERE lease_ends_at > now()
        ORDER BY lease_ends_at DESC LIMIT 1
        """)
      let process = holder.split(separator: "/").last.flatMap { Int32($0) }
      if let index = workers.firstIndex(where: { $0.processIdentifier == process }) {
        return index
      }
      try Task.checkCancellation()
    }
  }

  /// As if the time had passed. Returns the leases that the worker had.
  private func endLeases(of worker: CommandRun) async throws -> [String] {
    let leases = try await psql(
      """
      UPDATE issues.queue SET lease_ends_at = now() - interval '1 ms'
      WHERE lease IS NOT NULL AND holder LIKE '%/\(worker.processIdentifier)'
      RETURNING lease
      """)
    return leases.split(separator: "\n").map(String.init)
  }

  /// Tells all of them to end, which they do well.
  func end() async throws {
    for worker in workers {
      // Before it works, it doesn't hear the signal.
      _ = try await worker.waitFor(after: 0) { $0.isEmpty ? nil : true }
      worker.send(signal: SIGTERM)
    }
    for worker in workers {
      let result = try await worker.result()
      #expect(result.status == .exited(0), "\(result.errorText)")
    }
    workers = []
  }

  /// Workers that end when nothing is due.
  func workOnce(_ count: Int) async throws {
    try await psql(
      "UPDATE issues.queue SET due_at = now(), lease_ends_at = least(lease_ends_at, now())")
    let runs = try (0..<count).map { _ in
      try scene.start(["worker", "--once"] + place, environment: environment)
    }
    for run in runs {
      let result = try await run.result()
      #expect(result.status == .exited(0), "\(result.errorText)")
    }
  }
}

extension TeamScene {
  /// Starts the command, with the team's mirror and no limit of its own process.
  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> CommandRun {
    try IssuesProgram.start(
      arguments,
      environment: mirror.environment.merging(self.environment) { $1 }.merging(environment) { $1 }
        .merging(["ISSUES_POINTS_PER_MINUTE": "1000000"]) { $1 }, isProcess: true)
  }
}

extension String {
  /// Without line ends at the end.
  fileprivate var trimmed: String {
    var text = self
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
