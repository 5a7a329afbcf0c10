import IssueMirror
import IssueMirrorPostgres
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Measures a team's mirror on a server of PostgreSQL of its own, which is removed at the end:
///
///     team-measure ISSUES [PART ...]
///
/// It makes so many issues, 200 to a repository, and prints a line for each measure, for `Benchmarks/run`. The parts are
/// `starts`, `pages`, `claims` and `budget`, which need no issues, `searches`, `waiting` and `writes`; without any, it
/// measures all. What it does is said on standard error.
@main
struct TeamMeasure {
  /// Durable as the defaults are. Checkpoints come when they are asked for, and plans have one process: what others do
  /// for a search isn't counted.
  private static let settings =
    PostgresServer.forTests.filter { !$0.hasPrefix("deadlock_timeout") } + [
      "shared_buffers=1GB", "max_wal_size=8GB", "checkpoint_timeout=1h", "autovacuum=off",
      "max_parallel_workers_per_gather=0", "track_activity_query_size=4096",
    ]

  private static let parts = [
    "starts", "pages", "claims", "budget", "searches", "waiting", "writes",
  ]

  static func main() async throws {
    let arguments = CommandLine.arguments
    let parts = arguments.count > 2 ? Array(arguments[2...]) : Self.parts
    guard arguments.count > 1, let issues = Int(arguments[1]), issues >= 1_000,
      Set(parts).isSubset(of: Self.parts)
    else {
      say(
        """
        usage: team-measure ISSUES [PART ...]; there are 1,000 issues or more, and the parts are \
        \(Self.parts.joined(separator: ", "))
        """)
      // EX_USAGE of sysexits.h
      exit(64)
    }
    try await PostgresServer.withServer(settings: settings) { server in
      let database = try await TeamDatabase(in: server)
      func measure(_ part: String, _ body: () async throws -> [Row]) async throws {
        guard parts.contains(part) else { return }
        say(part)
        for row in try await body() { print(row.line) }
        // For a reader at the other end of a pipe.
        fflush(nil)
      }
      try await measure("starts") { try await FirstStarts(database: database).rows() }
      try await measure("pages") { try await PageAgainstRows(database: database).rows() }
      try await measure("claims") { try await Claims(database: database).rows() }
      try await measure("budget") { try await Budget(database: database).rows() }
      let (large, pages) = ("large", issues / IssuePagesToStore.perPage)
      if !Set(parts).isDisjoint(with: ["searches", "waiting", "writes"]) {
        try await fill(database, large, pages: pages)
      }
      try await measure("searches") {
        try await TeamSearches(database: database, schema: large).rows()
      }
      try await measure("waiting") { try await Waiting(database: database, schema: large).rows() }
      try await measure("writes") {
        try await PageWrites(database: database, schema: large).rows(after: pages)
      }
    }
    say("done")
  }

  /// Indexes the words afterwards, as a first fill should.
  private static func fill(
    _ database: TeamDatabase, _ schema: String, pages: Int
  ) async throws {
    say("filling")
    let (mirrors, _) = try await database.mirrors(4, schema)
    try await database.setIndexes(of: schema, areThere: false)
    let next = Watched(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for mirror in mirrors {
        group.addTask {
          while true {
            // A repository at a time.
            let place = next.update { place in
              defer { place += 1 }
              return place
            }
            let first = place * IssuePagesToStore.pagesPerRepository
            guard first < pages else { return }
            let repository = try await IssuePagesToStore.repository(place, in: mirror)
            for page in first..<min(first + IssuePagesToStore.pagesPerRepository, pages) {
              try await mirror.store(
                try IssuePagesToStore.page(page).page, of: repository, sweep: nil, at: Date())
            }
          }
        }
      }
      try await group.waitForAll()
    }
    say("indexing")
    try await database.setIndexes(of: schema, areThere: true)
    try await database.psql("VACUUM ANALYZE")
    try await database.psql("CHECKPOINT")
  }

  private static func say(_ text: String) {
    let line = Array("team-measure: \(text)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}
