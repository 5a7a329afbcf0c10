import ConcurrencyPrimitives
import IssueMirrorPostgres
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server of PostgreSQL for this process of tests, on a socket in a folder of its own. It ends with the process,
/// however that ends, and the folder goes with it.
struct PostgresServer: Sendable {
  /// The folder of the socket.
  let folder: String
  private let run: CommandRun

  /// Where the newest server's programs are; nil if none is installed.
  static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let folders =
      versions.compactMap(Int.init).sorted(by: >).map { "\(folder)/\($0)/bin" }
      + ["/opt/homebrew/opt/postgresql/bin", "/usr/local/pgsql/bin", "/usr/bin"]
    return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  static let isInstalled = programs != nil
  static let absence: Comment = "install PostgreSQL: Scripts/install-dependencies --postgres"

  private static let shared = Task { try await start() }
  private static let stores = Locked(0)

  /// The server of all tests.
  static func running() async throws -> PostgresServer { try await shared.value }

  /// A schema that nobody has used.
  static func newSchema() -> String {
    stores.withLock { count in
      count += 1
      return "test \"\(count)\""
    }
  }

  var address: String { "host=\(folder) user=issues dbname=postgres" }

  /// An empty mirror.
  static func makeStore() async throws -> StoreUnderTest {
    let (server, schema) = (try await running(), newSchema())
    let mirror = try await PostgresMirror(connecting: server.address, schema: schema)
    return StoreUnderTest(store: mirror, keeping: server) {
      try await PostgresMirror(connecting: server.address, schema: schema)
    }
  }

  private static func start() async throws -> PostgresServer {
    let programs = try #require(programs)
    let run = try CommandRun(
      "/bin/sh", ["-c", script, "sh", programs, ScratchFolder.parent], input: nil)
    let folder = try await run.waitFor(after: 0) { data -> String? in
      String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().first { $0.hasPrefix("ready ") }.map { String($0.dropFirst(6)) }
    }.found
    return PostgresServer(folder: folder, run: run)
  }

  /// The server refuses to run as root. The script waits for the end of its input: that of the tests' process.
  private static let script = """
    set -eu
    folder=$(mktemp -d "$2/issues-postgres-XXXXXX")
    trap 'rm -rf "$folder"' EXIT
    as=
    if [ "$(id -u)" = 0 ]; then
      user=postgres
      id $user >/dev/null 2>&1 || user=nobody
      chown $user "$folder"
      as="setpriv --reuid=$user --regid=$(id -g $user) --clear-groups"
    fi
    cd "$folder"
    $as "$1/initdb" -D "$folder/data" -U issues -A trust -E UTF8 --locale=C --no-sync >"$folder/log"
    $as "$1/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w -o "-k $folder -c listen_addresses='' \
      -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=300 \
      -c deadlock_timeout=20ms -c max_locks_per_transaction=256" start >>"$folder/log"
    echo "ready $folder"
    read ignored || true
    $as "$1/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1
    """
}
