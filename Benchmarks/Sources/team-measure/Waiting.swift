import BenchmarkCorpus
import IssueMirror
import IssueMirrorPostgres
import TestSupport

/// How soon a cancelled search ends, and whether those who wait for the server hold up others.
struct Waiting: Sendable {
  let database: TeamDatabase
  let schema: String

  func rows() async throws -> [Row] {
    [try await cancelled(), try await pool()]
  }

  private func cancelled() async throws -> Row {
    let mirror = try await database.mirror(schema)
    let repositories = try await mirror.repositories()
    // In nearly every text, and a limit beyond what is ranked otherwise: every match is ranked.
    let query = try SearchQuery(parsing: Corpus().words[0])
    var times: [Double] = []
    while times.count < 20 {
      let task = Task {
        while true { _ = try await mirror.find(query, in: repositories, limit: 2_000) }
      }
      while try await database.number(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%item_text%' "
          + "AND pid <> pg_backend_pid()") == 0
      {}
      let start = ContinuousClock.now
      task.cancel()
      if case .failure = await task.result {
        times.append((ContinuousClock.now - start).milliseconds)
      }
    }
    return Row(
      what: "a search that is cancelled, until its caller goes on: 95th percentile of 20",
      here: "\(Row.short(times.percentile(0.95))) ms",
      peer: "\(Row.short(times.median)) ms (median)", value: times.percentile(0.95),
      relation: .atMost, target: 50, unit: " ms")
  }

  /// The longest of 1,000 times until a task begins.
  private func delays() async -> [Double] {
    var times: [Double] = []
    for _ in 0..<1_000 {
      let start = ContinuousClock.now
      await Task.detached {}.value
      times.append((ContinuousClock.now - start).milliseconds)
    }
    return times
  }

  private func pool() async throws -> Row {
    let mirror = try await database.mirror(schema)
    let idle = await delays()
    let holder = try PlainConnection(database.address)
    try holder.run("BEGIN; LOCK TABLE \(schema).repository IN ACCESS EXCLUSIVE MODE")
    let waiting = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { _ = try await mirror.repositories() } }
        try await group.waitForAll()
      }
    }
    while try await database.number(
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") < 8
    {}
    let busy = await delays()
    try holder.run("COMMIT")
    try await waiting.value
    return Row(
      what: "8 tasks wait for the server, another task begins: 99th percentile of 1,000",
      here:
        "\(Row.short(busy.percentile(0.99))) ms, \(Row.short(busy.max() ?? 0)) ms (the longest)",
      peer: "\(Row.short(idle.percentile(0.99))) ms, \(Row.short(idle.max() ?? 0)) ms (none waits)",
      value: busy.percentile(0.99), relation: .atMost, target: 10, unit: " ms")
  }
}

/// Eight first starts of an empty database at once.
struct FirstStarts: Sendable {
  let database: TeamDatabase
  private static let rounds = 5

  func rows() async throws -> [Row] {
    var (failures, versions) = (0, 0.0)
    for round in 1...Self.rounds {
      let address = database.address
      failures += await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            (try? await PostgresMirror(connecting: address, schema: "first_\(round)")) == nil
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      versions += try await database.number("SELECT count(*) FROM first_\(round).mirror")
    }
    return [
      Row(
        what: "\(Self.rounds) times eight first starts at once: failures", here: "\(failures)",
        peer: "\(Row.text(versions)) made the tables", value: Double(failures), relation: .atMost,
        target: 0)
    ]
  }
}
