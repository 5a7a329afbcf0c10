internal import ConcurrencyPrimitives

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A server of PostgreSQL for this process of tests, on a socket in a folder of its own. It ends with the process,
/// however that ends, and the folder goes with it.
public struct PostgresServer: Sendable {
  /// Why a server or a program of it failed.
  public struct Failure: Error, CustomStringConvertible {
    /// What it said.
    public let description: String
  }

  /// The folder of the socket.
  public let folder: String
  private let programs: String
  private let run: CommandRun

  /// Where the newest server's programs are; nil if none is installed.
  public static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let folders =
      versions.compactMap(Int.init).sorted(by: >).map { "\(folder)/\($0)/bin" }
      + ["/opt/homebrew/opt/postgresql/bin", "/usr/local/pgsql/bin", "/usr/bin"]
    return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  /// Whether there can be a server.
  public static let isInstalled = programs != nil
  /// Why tests are skipped where there can't.
  public static let absence = "install PostgreSQL: Scripts/install-dependencies --postgres"

  private static let shared = Task { try await start() }
  private static let names = Locked(0)

  /// The server of all tests.
  ///
  /// - Throws: ``Failure`` if it can't be started.
  public static func running() async throws -> PostgresServer { try await shared.value }

  /// A schema that nobody has used.
  public static func newSchema() -> String { "test \"\(nextNumber())\"" }

  private static func nextNumber() -> Int {
    names.withLock { count in
      count += 1
      return count
    }
  }

  /// The connection string of the owner's own database.
  public var address: String { address(of: "postgres") }

  /// The connection string of a database.
  public func address(of database: String, as role: String = "issues") -> String {
    "host=\(folder) user=\(role) dbname=\(database)"
  }

  /// Makes an empty database.
  ///
  /// - Returns: Its name.
  /// - Throws: ``Failure``.
  public func makeDatabase() async throws -> String {
    let name = "test\(Self.nextNumber())"
    try await run("createdb", ["-h", folder, "-U", "issues", name])
    return name
  }

  /// Runs SQL as psql does.
  ///
  /// - Returns: Its rows, with tabs between values.
  /// - Throws: ``Failure`` if a statement fails.
  @discardableResult
  public func psql(
    _ sql: String, in database: String, as role: String = "issues"
  ) async throws -> String {
    try await run(
      "psql",
      [
        "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", role,
        "-c", sql, database,
      ])
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) async throws -> String {
    let result = try await CommandRun.run("\(programs)/\(program)", arguments)
    guard result.status == .exited(0) else {
      throw Failure(description: "\(program): \(result.errorText)")
    }
    return result.outputText
  }

  private static func start() async throws -> PostgresServer {
    guard let programs else { throw Failure(description: absence) }
    let run = try CommandRun(
      "/bin/sh", ["-c", script, "sh", programs, ScratchFolder.parent], input: nil)
    let folder = try await run.waitFor(after: 0) { data -> String? in
      String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().first { $0.hasPrefix("ready ") }.map { String($0.dropFirst(6)) }
    }.found
    return PostgresServer(folder: folder, programs: programs, run: run)
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
