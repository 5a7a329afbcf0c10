import BenchmarkCorpus
import GitHubAPI
import IssueMirror
import IssueMirrorPostgres
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A database with mirrors, and what the server says of its work.
struct TeamDatabase: Sendable {
  let server: PostgresServer
  let name: String

  init(in server: PostgresServer) async throws {
    self.server = server
    name = try await server.makeDatabase()
  }

  var address: String { server.address(of: name) }

  /// A mirror with a connection that is open. Used by one task, it needs no second one.
  func mirror(_ schema: String) async throws -> PostgresMirror {
    let mirror = try await PostgresMirror(connecting: address, schema: schema)
    _ = try await mirror.repositories()
    return mirror
  }

  /// Mirrors with a connection each, and the processes that work for these.
  func mirrors(
    _ count: Int, _ schema: String
  ) async throws -> (mirrors: [PostgresMirror], backends: Backends) {
    let others = Set(try await processes())
    var mirrors: [PostgresMirror] = []
    for _ in 0..<count { mirrors.append(try await mirror(schema)) }
    return (mirrors, Backends(processes: try await processes().filter { !others.contains($0) }))
  }

  @discardableResult
  func psql(_ sql: String) async throws -> [String] {
    try await server.psql(sql, in: name).split(separator: "\n").map(String.init)
  }

  func number(_ sql: String) async throws -> Double {
    guard let text = try await psql(sql).first, let number = Double(text) else {
      throw Failure("no number from: \(sql)")
    }
    return number
  }

  /// Bytes written to the log of changes so far.
  func written() async throws -> Double {
    try await number("SELECT pg_current_wal_insert_lsn() - '0/0'")
  }

  func deadlocks() async throws -> Double {
    try await number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
  }

  /// The processes of the server that work for connections.
  private func processes() async throws -> [String] {
    try await psql(
      """
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend'
        AND pid <> pg_backend_pid()
      """)
  }

  /// Drops the indexes of words, as before a first fill, or makes them.
  func setIndexes(of schema: String, areThere: Bool) async throws {
    let statements = (0..<16).map { part in
      let table = "item_text_\(part)"
      return areThere
        ? "CREATE INDEX \(table)_words ON \(table) USING gin (tsv)" : "DROP INDEX \(table)_words"
    }
    try await psql(
      "SET search_path = \(schema); SET maintenance_work_mem = '256MB'; "
        + statements.joined(separator: "; "))
  }
}

/// Processes of the server, whose time the system counts.
struct Backends: Sendable {
  let processes: [String]

  /// The seconds of a processor that they have taken so far.
  func time() throws -> Double {
    var nanoseconds = 0.0
    for process in processes {
      // https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
      let text = try String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)
      nanoseconds += text.split(separator: " ").first.flatMap { Double($0) } ?? 0
    }
    return nanoseconds / 1e9
  }
}

/// Pages of issues, 100 each, two for a repository.
struct IssuePagesToStore: Sendable {
  static let perPage = 100
  static let pagesPerRepository = 2

  /// A page, and the place of its repository.
  struct Page: Sendable {
    let repository: Int
    let page: FeedPage
  }

  /// The page at a place. Another edition has other texts, and is later.
  static func page(_ place: Int, edition: Int = 0) throws -> Page {
    var corpus = Corpus(from: shared, seed: UInt64(place) &* 2_654_435_761 &+ UInt64(edition))
    let first = place % pagesPerRepository * perPage
    let numbers = (1...perPage).map { first + $0 }
    let json = corpus.page(
      numbers, at: 1_600_000_000 + place % 4_001 * 30_000 + edition * 86_400, revision: edition)
    return Page(repository: place / pagesPerRepository, page: try FeedPage(json, of: .items))
  }

  private static let shared = Corpus()

  /// The repository at a place, in a mirror.
  static func repository(_ place: Int, in mirror: PostgresMirror) async throws -> MirroredRepository
  {
    let name = "acme/tool\(place)"
    let json = Data(
      #"{"id":\#(place + 1),"full_name":"\#(name)","name":"tool\#(place)","owner":{"login":"acme"}}"#
        .utf8)
    return try await mirror.record(
      try GitHubJSON.decode(GitHub.Repository.self, from: json), json: json, on: "github.com",
      at: Date())
  }
}
